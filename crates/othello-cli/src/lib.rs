#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod exit;
mod logging;
mod options;
mod program;

mod session;

pub mod codewarriors;
pub mod gtp;
pub mod guibot;
pub mod lth;
pub mod nboard;
pub mod sloan;

pub use logging::{LogError, default_log, start_log};
pub use options::Options;
pub use othello_net::ExitCode;
pub use program::{Program, Remarks, parse, start};
