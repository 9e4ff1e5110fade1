#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod environment;

pub mod gtp;
pub mod usenix;

pub use boardgame_cli::{ExitCode, Program, start};
