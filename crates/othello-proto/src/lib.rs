#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod codewarriors;
mod error;
pub mod framing;
pub mod ggf;
mod grammar;
pub mod gtp;
pub mod gui;
pub mod lth;
pub mod nboard;
mod note_limiter;
pub mod session;
pub mod sloan;

pub use error::ParseError;
