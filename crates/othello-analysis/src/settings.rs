//! How thoroughly a game is analyzed.

use othello_core::Position;
use serde::{Deserialize, Serialize};

use crate::Effort;

/// How thoroughly a game is analyzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The depth of the searches, in plies, at least 2. They look one ply less far ahead where they would end with an
    /// even number of empty squares: estimates of the two parities differ by up to a disc and a half, and those of
    /// the start position are nearer to its value, a draw, with an odd number.
    pub depth: u32,
    /// The number of empty squares from which positions are solved exactly; positions within the depth of the end are
    /// solved in any case.
    pub exact_from: u32,
}

/// With at most this many empty squares each move of a solved position has its own value; with more, moves that are
/// not the best only have a bound, which takes much less time.
const EACH_MOVE_EMPTIES: u32 = 20;

impl Default for Settings {
    fn default() -> Self {
        Self {
            depth: 16,
            exact_from: 24,
        }
    }
}

impl Settings {
    /// Returns the thoroughness with which a position is searched.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_analysis::{Effort, Settings};
    /// use othello_core::{Position, Square};
    ///
    /// let settings = Settings { depth: 10, exact_from: 20 };
    /// let next = Position::START.play_unchecked(Square::F5);
    /// assert_eq!(settings.effort(Position::START), Effort::Depth(9));
    /// assert_eq!(settings.effort(next), Effort::Depth(10));
    /// ```
    pub fn effort(&self, position: Position) -> Effort {
        let empties = position.empties().count();
        if empties <= self.exact_from.max(self.depth) {
            return Effort::Exact;
        }
        let depth = self.depth.max(2);
        Effort::Depth(depth - (empties + depth + 1) % 2)
    }

    /// Returns `true` if a position that is solved exactly is to have the value of each move.
    pub(crate) fn values_each_move(position: Position) -> bool {
        position.empties().count() <= EACH_MOVE_EMPTIES
    }
}
