//! The driver of a player: it joins a session, a connection and a thinker.

mod drive;
mod log;
mod thinker;

pub use drive::{DriveError, DriveOptions, Outcome, drive};
pub use thinker::{Thinker, ThinkerAnswer, ThinkingThread};
