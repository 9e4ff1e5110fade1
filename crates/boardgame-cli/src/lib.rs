#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod config;
mod exit;
mod limits;
mod logging;
mod manual;
#[cfg(feature = "matches")]
pub mod matches;
mod number;
#[cfg(feature = "pages")]
mod page;
mod program;
mod record;
mod session;
#[cfg(feature = "shards")]
mod shards;
#[cfg(feature = "terminal")]
pub mod terminal;
mod time;

pub use boardgame_io::{ExitCode, cpu::clock_of_this_process, printable};
pub use config::{Config, ConfigError};
pub use exit::{Transport, after_help};
pub use limits::{LimitError, LimitOptions};
pub use logging::{LogConfig, LogError};
pub use manual::long_version;
pub use number::{ParseNumberError, number_of, positive};
#[cfg(feature = "pages")]
pub use page::{PAGE_START, Page};
pub use program::{Program, Remarks, command_line, start, start_with, tell_error};
pub use record::{read_record, write_record};
pub use session::{in_runtime, over_stdio, over_stdio_alone, play};
#[cfg(feature = "shards")]
pub use shards::{Division, MergeOptions, ShardOptions};
pub use time::{ParseTimeError, any_duration, duration};
