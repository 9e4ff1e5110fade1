//! The Othello engine and rules for C. `include/othello.h`, which cbindgen writes from this source, documents the calls.
//!
//! Each entry point is the body of one call of [`status::guarded`], which turns errors and panics into a status; all
//! pointers go through the functions of `pointers`.
#![allow(
    clippy::missing_safety_doc,
    reason = "the contract of all entry points stands at the head of the header"
)]

mod board;
mod engine;
mod pointers;
mod status;
