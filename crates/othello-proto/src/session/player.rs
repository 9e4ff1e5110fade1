//! The player's side of a format.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use othello_core::{Bitboard, Board, Color, Move, Score, Square};

use super::{Note, PeerMisbehaved, Timestamp};

/// The player's side of a wire format as a state machine.
///
/// Whatever it is fed, an implementation does not panic, sends no illegal move and no move, pass
/// or claim out of turn, and finishes after the end of input.
pub trait PlayerSession {
    /// Begins the session. Called once, before anything else.
    fn start(&mut self, now: Timestamp);

    /// Takes bytes of the other side, cut anywhere.
    fn receive(&mut self, bytes: &[u8], now: Timestamp);

    /// Takes the end of input. Anything received later is ignored. A task that is open is still to
    /// be answered: the session finishes once nothing is owed any more.
    fn end_of_input(&mut self, now: Timestamp);

    /// Takes the answer to a [`Task`]. The answer to any but the open task is ignored; a move
    /// that the task does not allow is replaced by one that it does.
    fn decide(&mut self, decision: Decision, now: Timestamp);

    /// The time of the next call of [`tick`](Self::tick), if time alone changes anything.
    fn deadline(&self) -> Option<Timestamp>;

    /// Takes the passing of time. An open task whose clock has come to its [`TimeMargin`](super::TimeMargin) is abandoned,
    /// and a legal move is sent without the decision.
    fn tick(&mut self, now: Timestamp);

    /// The next thing to do, or `None` until something is fed again.
    fn poll(&mut self) -> Option<Action>;

    /// The board as the session knows it.
    fn board(&self) -> Board;

    /// The colour that the session plays, once it is known.
    fn color(&self) -> Option<Color>;
}

/// An order to a player's driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Write these bytes and flush.
    Send(Vec<u8>),
    /// Choose a move and call [`PlayerSession::decide`]. At most one task is open at a time.
    Think(Task),
    /// Stop thinking: the open task's answer is no longer wanted.
    Abandon,
    /// Write this to the log.
    Note(Note),
    /// Stop: nothing follows. What was sent before is to be delivered first.
    Finish(Ending),
}

/// Names a [`Task`], so that a late answer is not taken for another task's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u64);

/// A choice of a move that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// To be repeated in the [`Decision`].
    pub id: TaskId,
    /// The board, with the player to choose on the move.
    pub board: Board,
    /// The squares to choose from: not empty.
    pub moves: Bitboard,
    /// The time there is.
    pub clock: TaskClock,
    /// The effort that is asked for.
    pub effort: Effort,
}

/// The results to find within the clock; by default the best move and whatever depth the chooser
/// would search to by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The greatest midgame depth that the other side wants, in plies.
    pub depth: Option<u32>,
    /// The count of lines to find, best first; 0 counts as 1.
    pub lines: usize,
}

/// The time that a player has for a move. Without any limit, both are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskClock {
    /// The start of the player's time: the receipt of what asks for the move.
    pub started: Timestamp,
    /// The time left at `started` for the whole game.
    pub game: Option<Duration>,
    /// The limit for this move.
    pub per_move: Option<Duration>,
}

/// The answer to a [`Task`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The task's.
    pub task: TaskId,
    /// The chosen square.
    pub square: Square,
    /// The chooser's view of the position, for formats that carry remarks.
    pub assessment: Option<Assessment>,
}

/// The result of a search of a position, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The expected result, in whole discs.
    pub score: Score,
    /// True when the score is proved.
    pub exact: bool,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The positions searched.
    pub nodes: u64,
    /// The principal variation, beginning with the chosen move.
    pub variation: Vec<Move>,
    /// The lines after the best one, best first, when [`Effort::lines`] asked for more.
    pub others: Vec<Line>,
}

/// A line of play and what it is worth, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The expected result, in whole discs.
    pub score: Score,
    /// The moves, at least one.
    pub variation: Vec<Move>,
}

/// The end of a player's session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As the format has it: the game is over, or nothing more is asked.
    Orderly,
    /// The input ended while the other side still owed something.
    CutOff,
    /// The other side ended the session with this complaint, in its own words.
    Rejected(String),
    /// The other side does not speak the format.
    Unintelligible(PeerMisbehaved),
}
