//! Values of moves and of positions, and what they rest on.

use othello_core::{Move, Symmetry};
use serde::{Deserialize, Serialize};

use crate::Discs;

/// The evidence for a value, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// A search to a depth: an estimate.
    Depth {
        /// The plies looked ahead, at least, from the position that the value is told in.
        depth: u32,
        /// The confidence of the selective search in each position that it leaves out, in percent.
        confidence: u8,
    },
    /// Proven: the result of best play on both sides.
    Exact,
    /// The game is over; the board tells the result.
    Over,
}

impl Source {
    /// Returns the source of the value of a move that leads to a position with this source.
    #[must_use]
    pub(crate) fn before(self, mv: Move) -> Self {
        match self {
            Self::Depth { depth, confidence } => Self::Depth {
                depth: depth + u32::from(mv != Move::Pass),
                confidence,
            },
            Self::Exact | Self::Over => Self::Exact,
        }
    }
}

/// The relation of a score to the value it is told for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The score is the value, as the source tells it.
    Exact,
    /// The value is proven to be no higher than the score.
    AtMost,
}

/// The value of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// Its score from the point of view of the side to move.
    pub score: Discs,
    /// The relation of the score to the value.
    pub bound: Bound,
    /// The evidence for it.
    pub source: Source,
    /// The line of best play as far as it is known, beginning with the move; passes included.
    pub line: Vec<Move>,
}

impl MoveValue {
    /// Sorts the values of a position's moves, best first; those of the same score keep their order, but bounds come
    /// last.
    pub fn sort(moves: &mut [Self]) {
        moves.sort_by_key(|value| (-value.score, value.bound == Bound::AtMost));
    }

    /// Returns the value of the image of the move under a symmetry.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry) -> Self {
        let turn = |mv: Move| match mv {
            Move::Place(square) => Move::Place(symmetry.square(square)),
            Move::Pass => Move::Pass,
        };
        Self {
            mv: turn(self.mv),
            line: self.line.iter().copied().map(turn).collect(),
            ..*self
        }
    }
}

/// The value of a position, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionValue {
    /// The score, that of the best move.
    pub score: Discs,
    /// The evidence for it: that for all moves.
    pub source: Source,
}
