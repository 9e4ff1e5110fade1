#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod board;
mod error;
mod header;
mod input;
mod solve;
mod tree;

pub use board::{Board, Side};
pub use error::{CheckError, CheckErrorKind};
pub use header::{Claim, MAX_HEADER, MAX_THRESHOLD, read_claim};
pub use tree::{CheckReport, check, check_within};
