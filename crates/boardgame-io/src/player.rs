//! The driver of a player: it joins a session, a connection and a thinker.

#[cfg(target_os = "linux")]
mod alone;
mod clock;
mod drive;
mod exit_code;
mod launch;
mod log;
mod process;
mod thinker;

pub use drive::{DriveError, DriveOptions, DriveOutcome, drive};
pub use exit_code::ExitCode;
pub use process::{
    ProcessEnd, block_on, error_chain, in_runtime, play, play_over_stdio, play_over_stdio_alone,
};
pub use thinker::{Thinker, ThinkerAnswer, ThinkingThread};
