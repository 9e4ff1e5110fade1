//! The meaning of `Your time limit is # secs`.

use core::time::Duration;

/// The scope of a time limit; the document does not say which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LimitScope {
    /// The time of all moves of a player in a game.
    #[default]
    Game,
    /// The time of each move.
    Move,
}

/// A player's time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit {
    /// The length of the limit.
    pub length: Duration,
    /// The scope of the limit.
    pub scope: LimitScope,
}

impl Default for TimeLimit {
    /// Five minutes for the game.
    fn default() -> Self {
        Self {
            length: Duration::from_mins(5),
            scope: LimitScope::Game,
        }
    }
}

impl TimeLimit {
    /// The time left for the next move of a player who has used `used` in the game.
    pub const fn left(&self, used: Duration) -> Duration {
        match self.scope {
            LimitScope::Game => self.length.saturating_sub(used),
            LimitScope::Move => self.length,
        }
    }
}
