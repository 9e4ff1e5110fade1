#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod engines;
mod error;
mod options;
mod progress;
mod run;

pub use engines::{NamedLimit, find, read_file, with_limits};
pub use error::MatchError;
pub use options::{MatchOptions, ParseNamesError, Tournament, two_names};
pub use run::{Game, exit_code, run};
