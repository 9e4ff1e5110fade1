//! The weights of moves in playouts.

use boardgame_core::Color;
use go_core::{Board, Point};

use crate::pattern_weights::PatternWeights;

/// A move that may answer the last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) point: Point,
    pub(crate) purpose: Purpose,
    pub(crate) near: Proximity,
}

/// The purpose of an answer to the last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It is near.
    None,
    /// It captures a chain of one stone: the last stone's, or one beside the own stone before.
    CaptureOne,
    /// It captures such a chain of two stones.
    CaptureTwo,
    /// It captures such a chain of three and more stones.
    CaptureMany,
    /// It saves a chain of one stone from atari.
    SaveOne,
    /// It saves a chain of two stones from atari.
    SaveTwo,
    /// It saves a chain of three and more stones from atari.
    SaveMany,
    /// It extends a chain in atari to two liberties.
    Run,
    /// It puts the last stone's chain into atari.
    Atari,
    /// It gives a chain of two liberties at least four.
    Extend,
    /// It is the vital point of an eye space that the last stone bounds.
    Nakade,
}

impl Purpose {
    /// The number of purposes.
    pub(crate) const COUNT: usize = Self::Nakade as usize + 1;

    /// The names of the purposes in a file of weights.
    pub(crate) const NAMES: [&str; Self::COUNT] = [
        "none",
        "capture-1",
        "capture-2",
        "capture-3",
        "save-1",
        "save-2",
        "save-3",
        "run",
        "atari",
        "extend",
        "nakade",
    ];

    /// Returns the purpose of capturing a number of stones.
    pub(crate) const fn capture(stones: usize) -> Self {
        match stones {
            ..=1 => Self::CaptureOne,
            2 => Self::CaptureTwo,
            _ => Self::CaptureMany,
        }
    }

    /// Returns the purpose of saving a number of stones.
    pub(crate) const fn save(stones: usize) -> Self {
        match stones {
            ..=1 => Self::SaveOne,
            2 => Self::SaveTwo,
            _ => Self::SaveMany,
        }
    }
}

/// The proximity of an answer to the last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proximity {
    /// Beside it.
    Beside,
    /// Diagonally beside it.
    Diagonal,
    /// Further away.
    Far,
}

impl Proximity {
    /// The number of these.
    pub(crate) const COUNT: usize = 3;

    /// The names in a file of weights.
    pub(crate) const NAMES: [&str; Self::COUNT] = ["beside", "diagonal", "far"];

    /// Returns that of one point to another.
    pub(crate) fn between(one: Point, other: Point) -> Self {
        if one.is_beside(other) {
            Self::Beside
        } else if one.is_diagonal_to(other) {
            Self::Diagonal
        } else {
            Self::Far
        }
    }
}

/// The weights of answers in playouts. An answer is drawn in proportion to the product of the weights of its pattern,
/// purpose and place and its factor in [`Replies`](super::Replies), against [`Policy::elsewhere`] times the factor of
/// moves elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub(crate) patterns: PatternWeights,
    /// By [`Purpose`].
    pub(crate) purposes: [f32; Purpose::COUNT],
    /// By [`Proximity`].
    pub(crate) places: [f32; Proximity::COUNT],
    /// The weight of a move anywhere.
    pub(crate) elsewhere: f32,
    /// The minimum number of own stones in atari that makes a move one to avoid.
    pub(crate) self_atari_limit: usize,
}

impl Default for Policy {
    /// Weights that were set by hand, with all patterns alike.
    fn default() -> Self {
        Self {
            patterns: PatternWeights::default(),
            purposes: [
                1.0, 20.0, 60.0, 120.0, 20.0, 60.0, 120.0, 10.0, 4.0, 4.0, 120.0,
            ],
            places: [0.4, 0.4, 0.4],
            elsewhere: 0.3,
            self_atari_limit: 2,
        }
    }
}

impl Policy {
    /// Returns the weight of an answer.
    #[inline]
    pub(crate) fn weight(&self, board: &Board, color: Color, answer: Answer) -> f32 {
        let pattern = board.pattern(answer.point, color);
        self.patterns[pattern]
            * self.purposes[answer.purpose as usize]
            * self.places[answer.near as usize]
    }
}
