//! The claim of a proof, and the first line of its file.

use std::fmt;

use othello_core::{Board, Score};

/// The largest [`threshold`](Claim::threshold).
pub const MAX_THRESHOLD: u32 = 16;

/// A claim: the exact score of a board, for the side to move, lies between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The board and the side to move.
    pub board: Board,
    /// The lower bound of the score; [`Score::MIN`] claims nothing.
    pub lower: Score,
    /// The upper bound of the score; [`Score::MAX`] claims nothing.
    pub upper: Score,
    /// The number of empty squares up to which the checker solves by itself, at most [`MAX_THRESHOLD`].
    pub threshold: u32,
}

impl Claim {
    /// Creates the claim of an exact score of a board.
    pub const fn exact(board: Board, score: Score, threshold: u32) -> Self {
        Self {
            board,
            lower: score,
            upper: score,
            threshold,
        }
    }
}

impl fmt::Display for Claim {
    /// Prints the first line of the proof.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            board,
            lower,
            upper,
            threshold,
        } = self;
        let (lower, upper) = (lower.discs(), upper.discs());
        write!(f, "othproof 1 {board} {lower} {upper} {threshold}")
    }
}
