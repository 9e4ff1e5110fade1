//! The levels of selectivity and the margins of ProbCut.
//!
//! ProbCut is Buro's: "ProbCut: An effective selective extension of the alpha-beta algorithm",
//! ICCA Journal 18(2), 1995. The rules here follow what Edax and neural-reversi make of it: one
//! shallow depth for each deep one, tried only on the side of the bound where the static evaluation
//! lies. Unlike neural-reversi's, the shallow search leaves out as much as the deep one, and nothing is
//! left out near the leaves where a side with few discs would gain by it.

mod coefficients;
mod fit;
pub(crate) mod margin;

use othello_core::Position;

/// The confidence that ProbCut requires before it prunes a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Selectivity(u8);

/// For each level of selectivity, the tenths of a standard deviation by which the shallow value must exceed the bound, and
/// the percentage of shallow searches whose error lies within that many deviations on either side. Levels are named by
/// this percentage, as in Edax, although a cut can only be wrong on one side.
pub const LEVELS: [(i32, u8); 5] = [(12, 79), (16, 89), (20, 95), (26, 98), (33, 99)];

impl Selectivity {
    /// The most aggressive level.
    pub(crate) const FIRST: Self = Self(0);
    /// Nothing is left out.
    pub(crate) const NONE: Self = Self(LEVELS.len() as u8);

    /// Returns the most aggressive level of at least this confidence in percent.
    pub(crate) fn of_confidence(percent: u8) -> Self {
        let level = LEVELS.iter().position(|level| level.1 >= percent);
        level.map_or(Self::NONE, |index| Self(index as u8))
    }

    /// Returns the next less aggressive level.
    pub(crate) const fn next(self) -> Self {
        Self(if self.0 < Self::NONE.0 {
            self.0 + 1
        } else {
            self.0
        })
    }

    /// The confidence of the level in percent, 100 where nothing is left out.
    pub(crate) fn percent(self) -> u8 {
        LEVELS.get(usize::from(self.0)).map_or(100, |level| level.1)
    }

    /// The number of the level, as [`from_index`](Self::from_index) reads it: 0 to 5.
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// The level of a number; all beyond the last are [`NONE`](Self::NONE).
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
    /// In plies; as many as there are empty squares lead to the end of the game.
    pub(crate) depth: u32,
    /// The selectivity on the way.
    pub(crate) selectivity: Selectivity,
}

/// The minimum depth, in plies, at which a shallow search is tried.
pub const MIN_DEPTH: u32 = 3;

/// The depth, in plies, at which the static evaluation alone is tried.
pub(crate) const STATIC_DEPTH: u32 = 2;

/// The depth of the shallow search that stands for a deep one: near a half of it, of the same parity, so
/// that the same side moves last (Edax's choice). From depth 2 on it is less than the deep
/// one; 0 stands for the static evaluation.
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

/// Returns the number of legal moves of the side to move plus that of its opponent.
pub fn mobility(position: Position) -> u32 {
    position.legal_moves().count() + position.passed().legal_moves().count()
}

impl Effort {
    /// Creates an effort; below [`STATIC_DEPTH`] all levels of selectivity are equal.
    pub(crate) const fn new(depth: u32, selectivity: Selectivity) -> Self {
        let selectivity = if depth < STATIC_DEPTH {
            Selectivity::NONE
        } else {
            selectivity
        };
        Self { depth, selectivity }
    }

    /// Creates the effort of a search without pruning by ProbCut.
    pub(crate) const fn full(depth: u32) -> Self {
        Self {
            depth,
            selectivity: Selectivity::NONE,
        }
    }

    /// Returns the effort for the children.
    pub(crate) const fn after_move(self) -> Self {
        Self::new(self.depth - 1, self.selectivity)
    }

    /// Returns whether the result of a search of this effort can replace one of `other`.
    pub(crate) fn covers(self, other: Self) -> bool {
        self.depth >= other.depth && self.selectivity >= other.selectivity
    }
}
