//! The player's side of a wire format: sessions, the tasks that they open, and their common state.
//!
//! A driver calls `start` once, then feeds bytes, the end of input, decisions and passing time, and
//! polls actions after each call until there are none. A session does nothing by itself.

mod common;
mod format;
mod misbehavior;
mod session;
mod task;
mod time_margin;

pub use common::{AnsweredTask, CommonState};
pub use format::PlayerFormat;
pub use misbehavior::{LineError, PeerMisbehaved};
pub use session::{Ending, PlayerAction, PlayerSession, Progress};
pub use task::{Decision, Question, Task, TaskClock, TaskId};
pub use time_margin::TimeMargin;
