//! The policy of playouts: the weights of moves.

use boardgame_core::Color;
use go_core::{Board, Point};

use crate::pattern_weights::PatternWeights;

/// A possible answer to the last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) point: Point,
    pub(crate) purpose: Purpose,
    pub(crate) near: Proximity,
}

/// The purpose of an answer to the last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A move near the last stone, without another purpose.
    None,
    /// Captures a chain of one stone: the last stone's, or one adjacent to the own previous stone.
    CaptureOne,
    /// Captures such a chain of two stones.
    CaptureTwo,
    /// Captures such a chain of three or more stones.
    CaptureMany,
    /// Saves a chain of one stone from atari.
    SaveOne,
    /// Saves a chain of two stones from atari.
    SaveTwo,
    /// Saves a chain of three or more stones from atari.
    SaveMany,
    /// Extends a chain in atari to two liberties.
    Run,
    /// Puts the last stone's chain in atari.
    Atari,
    /// Extends a chain with two liberties to at least four.
    Extend,
    /// Plays the vital point of an eye space adjacent to the last stone.
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

/// The proximity class of an answer to the last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proximity {
    /// Orthogonally adjacent.
    Adjacent,
    /// Diagonally adjacent.
    Diagonal,
    /// Farther away.
    Far,
}

impl Proximity {
    /// The number of proximity classes.
    pub(crate) const COUNT: usize = 3;

    /// The names of the proximity classes in a file of weights.
    pub(crate) const NAMES: [&str; Self::COUNT] = ["beside", "diagonal", "far"];

    /// Returns the proximity class of two points.
    pub(crate) fn between(one: Point, other: Point) -> Self {
        if one.is_adjacent_to(other) {
            Self::Adjacent
        } else if one.is_diagonal_to(other) {
            Self::Diagonal
        } else {
            Self::Far
        }
    }
}

/// The weights of answers in playouts. An answer's probability is proportional to the product of the weights of its
/// pattern, purpose and proximity and its factor in [`Replies`](super::Replies); a move elsewhere has the weight
/// [`Policy::elsewhere`] times the factor of moves elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    pub(crate) patterns: PatternWeights,
    /// The weight of each [`Purpose`].
    pub(crate) purposes: [f32; Purpose::COUNT],
    /// The weight of each [`Proximity`].
    pub(crate) places: [f32; Proximity::COUNT],
    /// The weight of a move elsewhere.
    pub(crate) elsewhere: f32,
    /// The minimum number of own stones in atari for a move to be avoided.
    pub(crate) self_atari_limit: usize,
}

impl Default for Policy {
    /// Returns hand-set weights, with all patterns equal.
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
