//! Values of moves and positions, and the evidence for them.

use std::{fmt, ops::Neg};

use othello_core::{Move, Symmetry};
use serde::{Deserialize, Serialize};

use crate::Discs;

/// The evidence for a value, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// A search to a depth: an estimate.
    Depth {
        /// The minimum number of plies looked ahead, from the position that has the value.
        depth: u32,
        /// The confidence of the selective search in each pruned position, in percent; 100 without pruning.
        confidence: u8,
    },
    /// Proven: the result of best play on both sides.
    Exact,
    /// The game is over; the board has the result.
    Over,
}

impl Source {
    /// Returns the source in words, for the value of a position with a number of empty squares or of a move in it. A
    /// selective search whose depth reaches the end of the game is not exact.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_analysis::Source;
    ///
    /// let searched = Source::Depth { depth: 16, confidence: 79 };
    /// assert_eq!(searched.in_words(30), "depth 16, 79 %");
    /// assert_eq!(searched.in_words(16), "to the end, 79 %");
    /// assert_eq!(Source::Exact.in_words(16), "exact");
    /// ```
    pub fn in_words(self, empties: u32) -> String {
        match self {
            Self::Depth { depth, confidence } => {
                let depth = if depth < empties {
                    format!("depth {depth}")
                } else {
                    "to the end".into()
                };
                match confidence {
                    100 => depth,
                    percent => format!("{depth}, {percent} %"),
                }
            }
            Self::Exact | Self::Over => "exact".into(),
        }
    }

    /// Returns the confidence in percent, 100 for exact values.
    pub(crate) fn confidence(self) -> u8 {
        match self {
            Self::Depth { confidence, .. } => confidence,
            Self::Exact | Self::Over => 100,
        }
    }

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

/// The relation of a score to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The score is the value that the source found.
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
    /// The known part of the line of best play, starting with the move, including passes.
    pub line: Vec<Move>,
}

impl MoveValue {
    /// Sorts the values of a position's moves, best first; those of the same score keep their order, but bounds come
    /// last.
    pub fn sort(moves: &mut [Self]) {
        moves.sort_by_key(|value| (-value.score, value.bound == Bound::AtMost));
    }

    /// The value without the move and its line.
    pub const fn value(&self) -> PositionValue {
        PositionValue {
            score: self.score,
            source: self.source,
        }
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
    /// The evidence for it, the weakest of all moves.
    pub source: Source,
}

impl Neg for PositionValue {
    type Output = Self;

    /// Returns the value from the point of view of the other side.
    fn neg(self) -> Self {
        Self {
            score: -self.score,
            ..self
        }
    }
}

impl fmt::Display for PositionValue {
    /// Prints the score with a sign, in whole discs if exact, otherwise with two decimals: `+4`, `+0.88`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.source {
            Source::Depth { .. } => self.score.to_string(),
            Source::Exact | Source::Over => format!("{:+}", self.score.hundredths() / 100),
        };
        f.pad(&text)
    }
}

/// Returns a line of moves as text, separated by spaces.
pub fn line_in_words(moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    moves.join(" ")
}
