//! The common part of the sessions of all formats: time, actions, and the trait of a player's session.
//!
//! A driver calls `start` once, then feeds bytes, the end of input, decisions and passing time,
//! and after each call polls actions until there are none. A session does nothing by itself.

mod choice;
mod common;
mod misbehavior;
mod player;
mod seat;
mod time_margin;

pub use boardgame_session::{Note, NoteKind, Timestamp};
pub(crate) use choice::Choice;
pub(crate) use common::CommonState;
pub use misbehavior::{LineError, MoveError, PeerMisbehaved};
pub use player::{
    Action, Assessment, Decision, Effort, Ending, Line, PlayerSession, Task, TaskClock, TaskId,
};
pub(crate) use seat::{board_after, late_after, wall_limit};
pub use time_margin::TimeMargin;
