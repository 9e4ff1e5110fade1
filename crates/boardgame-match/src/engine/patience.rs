//! Bounds of the patience with engines.

use std::time::Duration;

use boardgame_core::ClockState;
use boardgame_io::ProgramOptions;

/// The maximum times that engines are waited for, and the bounds of their programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The longest that an engine may take to start and to begin a game.
    pub start: Duration,
    /// The time that a move is waited for once its time is over; then the engine is ended.
    pub overtime: Duration,
    /// The time that a move of an engine without a clock is waited for; then the engine is ended.
    pub untimed: Duration,
    /// The longest that an engine may take for its part in the end of a game.
    pub ending: Duration,
    /// The bounds of a program, and the times in which it is ended.
    pub program: ProgramOptions,
}

impl Default for Patience {
    /// 30 s to start, 10 s over the time, 30 minutes without a clock, and 5 s for the end.
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            overtime: Duration::from_secs(10),
            untimed: Duration::from_mins(30),
            ending: Duration::from_secs(5),
            program: ProgramOptions::default(),
        }
    }
}

impl Patience {
    /// Returns the time that a move is waited for where no clock on the wall runs; user CPU time that the clock
    /// allows is added.
    pub(super) fn without_wall_clock(&self, clock: &ClockState) -> Duration {
        let user_time = clock.allowed().unwrap_or_default();
        self.untimed.saturating_add(user_time)
    }

    /// Returns the time that a move is waited for, given the time that the clock allows for it.
    pub(super) fn for_a_move(&self, allowed: Option<Duration>) -> Duration {
        allowed.map_or(self.untimed, |allowed| {
            allowed.saturating_add(self.overtime)
        })
    }
}
