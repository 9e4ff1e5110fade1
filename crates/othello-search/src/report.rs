//! The result of a search.

use std::time::Duration;

use othello_core::{Move, Square};

use crate::Evaluation;

/// The outcome of a search, or of one of its iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The best move, or `None` when the side to move has none (it must pass, or the game is over).
    pub best: Option<Square>,
    /// The value of the best move, from the side to move. When a search ends in an iteration that has just
    /// found a better move than the one before, this may be a bound on its value, and the line short.
    pub score: Evaluation,
    /// The depth in plies; of a search to the end, the number of empty squares.
    pub depth: u32,
    /// The reliability of the score.
    pub exactness: Exactness,
    /// The proven lower and upper bound on the exact score, which converge during the exact search.
    pub bounds: (Evaluation, Evaluation),
    /// The best line as far as it is known, beginning with the best move; passes included.
    pub pv: Vec<Move>,
    /// The lines after the best one, best first, when [`Limits::multi_pv`](crate::Limits::multi_pv)
    /// asks for more than one.
    pub others: Vec<Line>,
    /// The positions entered, down to one empty square, on all threads together. With several
    /// threads, those of a thread that is still leaving a move of no more use are not counted.
    pub nodes: u64,
    /// The positions besides: those generated to sort moves, to be looked up in a table or within a
    /// search for the order of moves, whether entered later or not, and second entries after a pass.
    pub generated: u64,
    /// The time since the start given in [`Limits::start`](crate::Limits::start).
    pub elapsed: Duration,
}

/// A line of play and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value, from the side to move in the position searched.
    pub score: Evaluation,
    /// The moves, at least one.
    pub pv: Vec<Move>,
}

/// The reliability of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Exactness {
    /// An estimate from evaluated positions.
    Midgame,
    /// From a search to the end of the game that left out what was unlikely to matter.
    Probable {
        /// The confidence of ProbCut in each position that it pruned.
        percent: u8,
    },
    /// The score is proven to be above zero, zero or below zero, as it says, but no more: of a win it
    /// is a lower bound and of a loss an upper one. The line is the best move alone.
    WinDrawLoss,
    /// The exact result of best play on both sides.
    Exact,
}
