//! The tasks of a player's session: a question, its clock, and the answer.

use core::{
    error::Error,
    fmt::{Debug, Display},
    time::Duration,
};

use crate::Timestamp;

/// A question that a player's session of some game asks its thinker, such as a board with the moves to choose from.
pub trait Question: Clone + Debug + Send + Sync + 'static {
    /// An answer, such as a move with its evaluation. The text names the move, for the log.
    type Answer: Clone + Debug + Display + Send + 'static;

    /// The error of an opponent's move that does not fit the game.
    type MoveError: Error + Clone + Eq + Send + Sync + 'static;

    /// Returns an answer that the question [admits](Self::admits), in case no such answer comes in time.
    fn fallback(&self) -> Self::Answer;

    /// Returns `true` if the answer is allowed.
    fn admits(&self, answer: &Self::Answer) -> bool;
}

/// The number of a [`Task`] within its session, which tells a late answer from one to another task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u64);

/// A question to be answered within a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task<Q> {
    /// The id to repeat in the [`Decision`].
    pub id: TaskId,
    /// The question.
    pub question: Q,
    /// The time for the answer.
    pub clock: TaskClock,
}

/// The time that a player has for a task. Without any limit, all are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskClock {
    /// The start of the player's time: the arrival of the request for the move.
    pub started: Timestamp,
    /// The time left at `started` for the whole game, without `overtime`.
    pub game: Option<Duration>,
    /// The limit for this move.
    pub per_move: Option<Duration>,
    /// The time of each move once `game` is used up; `None` if the game is lost then. This move may still take
    /// `per_move`.
    pub overtime: Option<Duration>,
}

impl TaskClock {
    /// Returns the clock of a task without a limit whose time began at `started`.
    pub const fn unlimited(started: Timestamp) -> Self {
        Self {
            started,
            game: None,
            per_move: None,
            overtime: None,
        }
    }
}

/// The answer to a [`Task`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<Q: Question> {
    /// The id of the task.
    pub task: TaskId,
    /// The answer.
    pub answer: Q::Answer,
}
