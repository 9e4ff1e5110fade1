//! Command lines, logs and exit codes of the Othello programs, and the player of each format, which
//! joins a session, a transport and the engine.
//!
//! Each format has a module with its `Args` and a `run` that plays until the session ends; a
//! player's binary is [`start`] with the two of them. Another program starts the same player by
//! calling `run` itself and exiting with the [`ExitCode`] that it returns.
//!
//! ```
//! use clap::Parser as _;
//! use othello_cli::lth;
//!
//! let line = ["othello-lth", "localhost", "--name", "4711", "--move-time", "500ms"];
//! let args = lth::Args::parse_from(line);
//! assert_eq!(args.options.move_time.map(|time| time.as_millis()), Some(500));
//! ```
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
