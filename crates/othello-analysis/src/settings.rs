//! The thoroughness of an analysis.

use othello_core::Position;
use serde::{Deserialize, Serialize};

use crate::Effort;

/// The thoroughness of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The depth of the searches, in plies, at least 2. A search that would end with an even number of empty squares
    /// looks one ply less ahead: estimates of the two parities differ, and with an odd number those of the start
    /// position are closer to its value, a draw.
    pub depth: u32,
    /// The number of empty squares from which positions are solved exactly; positions within the depth of the end are
    /// solved in any case.
    pub exact_from: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            depth: 16,
            exact_from: 24,
        }
    }
}

impl Settings {
    /// The first step of an analysis: a quick look, whose values remain if later steps are interrupted.
    pub const FIRST_LOOK: Self = Self {
        depth: 8,
        exact_from: 14,
    };

    /// The most thorough settings: every position is solved.
    pub const EXACT: Self = Self {
        depth: 60,
        exact_from: 60,
    };

    /// Returns the steps of an analysis with these settings: a first look, then the full analysis.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_analysis::Settings;
    ///
    /// let last = Settings { depth: 12, exact_from: 6 };
    /// assert_eq!(last.steps(), [Settings { depth: 8, exact_from: 6 }, last]);
    /// ```
    pub fn steps(self) -> Vec<Self> {
        let mut steps = vec![self.at_most(Self::FIRST_LOOK), self];
        steps.dedup();
        steps
    }

    /// Returns increasingly thorough steps up to these settings, for an analysis with a time limit.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_analysis::Settings;
    ///
    /// let last = Settings { depth: 12, exact_from: 30 };
    /// let between = Settings { depth: 10, exact_from: 18 };
    /// let deeper = Settings { depth: 12, exact_from: 20 };
    /// let steps = last.deepening_steps();
    /// assert_eq!(steps[..3], [Settings::FIRST_LOOK, between, deeper]);
    /// assert_eq!(steps.last(), Some(&last));
    /// assert!(steps.is_sorted_by_key(|step| (step.depth, step.exact_from)));
    /// ```
    pub fn deepening_steps(self) -> Vec<Self> {
        let between = (10..60).step_by(2).map(|depth| Self {
            depth,
            exact_from: depth + 8,
        });
        let steps = [Self::FIRST_LOOK].into_iter().chain(between).chain([self]);
        let mut steps: Vec<Self> = steps.map(|step| self.at_most(step)).collect();
        steps.dedup();
        steps
    }

    /// Returns the less thorough of two settings, by each of their numbers.
    fn at_most(self, other: Self) -> Self {
        Self {
            depth: self.depth.min(other.depth),
            exact_from: self.exact_from.min(other.exact_from),
        }
    }

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
}
