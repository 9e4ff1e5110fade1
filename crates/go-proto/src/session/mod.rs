//! The question of a Go session's tasks, and its answer.
//!
//! The player's side is that of `boardgame-session`, with the [`Question`] of Go.

mod question;

use boardgame_session::player;

pub use boardgame_session::{
    Note, NoteKind, Timestamp,
    player::{PlayerSession, Progress, TaskClock, TaskId, TimeMargin},
};
pub use question::{Choice, Question};

/// A choice of a move that is asked for within a time.
pub type Task = player::Task<Question>;

/// The answer to a [`Task`].
pub type Decision = player::Decision<Question>;

/// An action of the driver of a Go player.
pub type Action = player::PlayerAction<Question>;

/// The end of a Go player's session.
pub type Ending = player::Ending<Question>;

/// The common state of a Go player's session.
pub(crate) type CommonState<P = ()> = player::CommonState<Question, P>;

/// The answer to a task of a Go player's session that was open.
pub(crate) type AnsweredTask<P = ()> = player::AnsweredTask<Question, P>;
