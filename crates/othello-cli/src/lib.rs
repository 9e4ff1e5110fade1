#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod environment;
mod options;
mod session;

pub mod codewarriors;
pub mod gtp;
pub mod guibot;
pub mod lth;
pub mod nboard;
pub mod sloan;

pub use boardgame_cli::{ExitCode, LogError, Program, Remarks, start};
pub use environment::{default_log, long_version, start_log};
pub use options::{BookOptions, Options, hash_size};
