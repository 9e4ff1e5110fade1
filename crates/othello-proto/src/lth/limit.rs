//! The meaning of `Your time limit is # secs`.

use core::time::Duration;

use boardgame_core::TimeControl;

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

impl From<TimeLimit> for TimeControl {
    /// Returns the time of each side.
    fn from(limit: TimeLimit) -> Self {
        let length = Some(limit.length);
        let (main, per_move) = match limit.scope {
            LimitScope::Game => (length, None),
            LimitScope::Move => (None, length),
        };
        Self {
            main,
            per_move,
            ..Self::default()
        }
    }
}
