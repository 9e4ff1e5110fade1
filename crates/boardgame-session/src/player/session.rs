//! A player's session and its actions.

use alloc::{string::String, vec::Vec};

use boardgame_core::{Color, TimeMeasure};

use super::{Decision, PeerMisbehaved, Question, Task};
use crate::{Note, Timestamp};

/// The player's side of a wire format as a state machine.
///
/// Whatever it is fed, an implementation does not panic, sends no illegal move and no move, pass
/// or claim out of turn, and finishes after the end of input.
pub trait PlayerSession {
    /// The question of the session's tasks.
    type Question: Question;

    /// Returns the kind of time that the timestamps count, where the system tells it; wall-clock time by default.
    fn measure(&self) -> TimeMeasure {
        TimeMeasure::Wall
    }

    /// Starts the session. Called once, before anything else. Does nothing in a session that only answers.
    fn start(&mut self, _now: Timestamp) {}

    /// Takes bytes from the other side, split anywhere.
    fn receive(&mut self, bytes: &[u8], now: Timestamp);

    /// Takes the end of input. Later input is ignored. An open task is still to be answered: the session finishes once
    /// nothing is owed.
    fn end_of_input(&mut self, now: Timestamp);

    /// Takes the answer to a [`Task`]. The answer to any but the open task is ignored; one that the
    /// question does not admit is replaced by the question's fallback.
    fn decide(&mut self, decision: Decision<Self::Question>, now: Timestamp);

    /// Returns when to call [`tick`](Self::tick) next, if time alone changes anything.
    fn deadline(&self) -> Option<Timestamp>;

    /// Takes the passing of time, which may not have reached the deadline yet. An open task whose clock has reached its
    /// [`TimeMargin`](super::TimeMargin) is abandoned, and the question's fallback is sent instead of the decision.
    fn tick(&mut self, now: Timestamp);

    /// Returns the next action, or `None` until more is fed.
    fn poll(&mut self) -> Option<PlayerAction<Self::Question>>;

    /// Returns the progress of the game, for the log.
    fn progress(&self) -> Progress;
}

/// The progress of a game as a player's session knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The colour that the session plays, once it is known.
    pub color: Option<Color>,
    /// The number of the next move, from 1.
    pub move_number: usize,
    /// The board, as a text without line ends.
    pub board: String,
}

/// An action of a player's driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerAction<Q: Question> {
    /// Write these bytes and flush.
    Send(Vec<u8>),
    /// Find an answer and call [`PlayerSession::decide`]. At most one task is open at a time.
    Think(Task<Q>),
    /// Stop thinking: the open task's answer is no longer wanted.
    Abandon,
    /// Answer the open task soon, with what was found: the other side does not want to wait.
    Hurry,
    /// Write this to the log.
    Note(Note),
    /// Stop: nothing follows. Everything sent before is to be delivered first.
    Finish(Ending<Q>),
}

/// The end of a player's session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending<Q: Question> {
    /// By the format: the game is over, or nothing more is asked.
    Orderly,
    /// The input ended while the other side still owed something.
    CutOff,
    /// The other side ended the session with this complaint, in its own words.
    Rejected(String),
    /// The other side does not speak the format.
    Unintelligible(PeerMisbehaved<Q::MoveError>),
}
