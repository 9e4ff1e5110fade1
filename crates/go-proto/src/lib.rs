#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod gtp;
pub mod session;
pub mod usenix;

use boardgame_session::grammar;
pub use boardgame_session::{ParseError, framing};
