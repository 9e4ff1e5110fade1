#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod environment;
mod options;

pub mod gtp;
pub mod usenix;

pub use boardgame_cli::{ExitCode, Program, start};
pub use environment::long_version;
pub use options::Options;
