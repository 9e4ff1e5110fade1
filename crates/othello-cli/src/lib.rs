#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod exit;
mod launch;
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

pub use exit::ExitCode;
pub use logging::{LogError, default_log, start_log};
pub use options::Options;
pub use program::{Program, Remarks, parse, start};
