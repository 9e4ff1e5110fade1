#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod codewarriors;
pub mod ggf;
pub mod gtp;
pub mod gui;
pub mod lth;
pub mod nboard;
pub mod session;
pub mod sgf;
pub mod sloan;

use boardgame_session::grammar;
pub use boardgame_session::{ParseError, framing};
