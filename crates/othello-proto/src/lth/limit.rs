//! What `Your time limit is # secs` limits.

use core::time::Duration;

/// What a time limit counts; the document does not say.
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
    /// How long it is.
    pub length: Duration,
    /// What it counts.
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
    /// What is left for the next move of a player who has used so much in the game.
    pub const fn left(&self, used: Duration) -> Duration {
        match self.scope {
            LimitScope::Game => self.length.saturating_sub(used),
            LimitScope::Move => self.length,
        }
    }
}
