#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod claim;
mod encoder;
mod prover;

pub use claim::{Claim, MAX_THRESHOLD};
pub use prover::{Progress, Proof, ProveError, prove};
