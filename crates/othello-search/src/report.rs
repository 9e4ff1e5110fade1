//! The result of a search.

use std::time::Duration;

use othello_core::{Move, Square};

use crate::Evaluation;

/// The result of a search or of one of its iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The best move, or `None` if the side to move has none (it must pass, or the game is over).
    pub best: Option<Square>,
    /// The value of the best move, from the side to move. If the last iteration was cut short after finding a better
    /// move, this may be a bound on its value, and the line may be short.
    pub score: Evaluation,
    /// The depth in plies; for a search to the end, the number of empty squares.
    pub depth: u32,
    /// The reliability of the score.
    pub exactness: Exactness,
    /// The proven lower and upper bounds on the exact score, which converge during the exact search.
    pub bounds: (Evaluation, Evaluation),
    /// The best line so far, starting with the best move; includes passes.
    pub pv: Vec<Move>,
    /// Further lines, best first, if [`Limits::multi_pv`](crate::Limits::multi_pv) is above 1.
    pub others: Vec<Line>,
    /// The positions entered, down to one empty square, on all threads. Excludes nodes of threads that are still
    /// abandoning a move no longer needed.
    pub nodes: u64,
    /// Further positions: generated to sort moves, for table look-ups or by searches that order moves, whether or not
    /// entered later, and second entries after a pass.
    pub generated: u64,
    /// The time since [`Limits::start`](crate::Limits::start).
    pub elapsed: Duration,
    /// True if the move and its score come from an opening book, and nothing was searched.
    pub from_book: bool,
}

impl Report {
    /// The report of a position that is evaluated without a search: no move, depth 0, nothing proven.
    pub fn evaluated(score: Evaluation) -> Self {
        Self {
            best: None,
            score,
            depth: 0,
            exactness: Exactness::Midgame,
            bounds: (Evaluation::MIN, Evaluation::MAX),
            pv: Vec::new(),
            others: Vec::new(),
            nodes: 0,
            generated: 0,
            elapsed: Duration::ZERO,
            from_book: false,
        }
    }
}

/// A line of play and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// The value, from the side to move in the searched position.
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
    /// A search to the end of the game with ProbCut pruning.
    Probable {
        /// The confidence of ProbCut at each pruned position.
        percent: u8,
    },
    /// The sign of the score is proven, but not its value: a win's score is a lower bound and a loss's an upper bound.
    /// The line is the best move alone.
    WinDrawLoss,
    /// The exact score under best play.
    Exact,
}
