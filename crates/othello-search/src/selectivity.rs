//! The levels of selectivity and the margins of ProbCut.
//!
//! ProbCut is by Buro: "ProbCut: An effective selective extension of the alpha-beta algorithm", ICCA Journal 18(2),
//! 1995. The rules here follow Edax and neural-reversi: one shallow depth for each deep one, tried only on the side of
//! the bound where the static evaluation lies. Unlike in neural-reversi, the shallow search prunes as much as the deep
//! one, and nothing is pruned near the leaves where that would favour a side with few discs.

mod coefficients;
mod fit;
pub(crate) mod margin;

use othello_core::Position;

/// The confidence that ProbCut requires before it prunes a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Selectivity(u8);

/// For each level of selectivity, the tenths of a standard deviation by which the shallow value must exceed the bound,
/// and the percentage of shallow searches with an error of at most that many deviations on either side. Levels are
/// named by this percentage, as in Edax, although a cut can only be wrong on one side.
pub const LEVELS: [(i32, u8); 5] = [(12, 79), (16, 89), (20, 95), (26, 98), (33, 99)];

impl Selectivity {
    /// The most aggressive level.
    pub(crate) const FIRST: Self = Self(0);
    /// No pruning.
    pub(crate) const NONE: Self = Self(LEVELS.len() as u8);

    /// The most aggressive level of at least this confidence in percent.
    pub(crate) fn of_confidence(percent: u8) -> Self {
        let level = LEVELS.iter().position(|level| level.1 >= percent);
        level.map_or(Self::NONE, |index| Self(index as u8))
    }

    /// The next less aggressive level.
    pub(crate) const fn next(self) -> Self {
        Self(if self.0 < Self::NONE.0 {
            self.0 + 1
        } else {
            self.0
        })
    }

    /// The confidence of the level in percent, 100 without pruning.
    pub(crate) fn percent(self) -> u8 {
        LEVELS.get(usize::from(self.0)).map_or(100, |level| level.1)
    }

    /// The index of the level, 0 to 5.
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// The level with this index; higher indices give [`NONE`](Self::NONE).
    pub(crate) const fn from_index(index: u8) -> Self {
        Self(if index < Self::NONE.0 {
            index
        } else {
            Self::NONE.0
        })
    }
}

/// The thoroughness of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// The depth in plies; a depth equal to the number of empty squares reaches the end of the game.
    pub(crate) depth: u32,
    /// The selectivity of the search.
    pub(crate) selectivity: Selectivity,
}

/// The minimum depth, in plies, at which a shallow search is tried.
pub const MIN_DEPTH: u32 = 3;

/// The depth, in plies, at which only the static evaluation is tried.
pub(crate) const STATIC_DEPTH: u32 = 2;

/// The depth of the shallow search for a deep one: about half of it, with the same parity so that the same side moves
/// last (Edax's choice). From depth 2 on it is less than the deep depth; 0 stands for the static evaluation.
///
/// # Examples
///
/// ```
/// use othello_search::selectivity::shallow_depth;
///
/// assert_eq!([3, 4, 8, 9, 12, 14, 15].map(shallow_depth), [1, 2, 4, 5, 6, 6, 7]);
/// ```
pub const fn shallow_depth(deep: u32) -> u32 {
    deep / 4 * 2 + deep % 2
}

/// The number of legal moves of both sides together.
pub fn mobility(position: Position) -> u32 {
    position.legal_moves().count() + position.passed().legal_moves().count()
}

impl Effort {
    /// Creates an effort; below [`STATIC_DEPTH`] all levels of selectivity are equivalent.
    pub(crate) const fn new(depth: u32, selectivity: Selectivity) -> Self {
        let selectivity = if depth < STATIC_DEPTH {
            Selectivity::NONE
        } else {
            selectivity
        };
        Self { depth, selectivity }
    }

    /// The effort of a search without ProbCut pruning.
    pub(crate) const fn full(depth: u32) -> Self {
        Self {
            depth,
            selectivity: Selectivity::NONE,
        }
    }

    /// The effort of a search of the children.
    pub(crate) const fn after_move(self) -> Self {
        Self::new(self.depth - 1, self.selectivity)
    }

    /// Returns whether a result of this effort can replace one of `other`.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.depth >= other.depth && self.selectivity >= other.selectivity
    }
}
