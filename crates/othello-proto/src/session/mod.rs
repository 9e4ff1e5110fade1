//! The common part of the sessions of all formats: time, actions, and the two traits.
//!
//! A driver calls `start` once, then feeds bytes, the end of input, decisions and passing time,
//! and after each call polls actions until there are none. A session does nothing by itself.

mod choice;
mod common;
mod host;
mod misbehavior;
mod player;
mod seat;
mod time_margin;
mod two_seats;

pub use boardgame_session::{Note, NoteKind, Timestamp};
pub(crate) use choice::Choice;
pub(crate) use common::CommonState;
pub use host::{Cause, HostAction, HostEvent, HostSession, Verdict};
pub use misbehavior::{LineError, MoveError, PeerMisbehaved};
pub use player::{
    Action, Assessment, Clock, Decision, Effort, Ending, Line, PlayerSession, Task, TaskId,
};
pub(crate) use seat::{board_after, late_after, wall_limit};
pub use time_margin::TimeMargin;
pub use two_seats::{TwoSeats, TwoSeatsOptions};
