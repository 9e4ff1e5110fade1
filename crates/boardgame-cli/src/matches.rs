#![doc = include_str!("matches/README.md")]

mod check;
mod engines;
mod error;
mod options;
mod plot;
mod progress;
mod run;
mod shards;
mod strength;

pub use check::{CheckOptions, ReportOptions, case_in_words};
pub use engines::{NamedLimit, find, read_file, with_limits};
pub use error::MatchError;
pub use options::{MatchOptions, ParseNamesError, Tournament, concurrency, two_names};
pub use plot::{Chart, Curve, Point, Scale};
pub use run::{Game, exit_code, run};
pub use strength::{Numbers, StrengthError, StrengthOptions};
