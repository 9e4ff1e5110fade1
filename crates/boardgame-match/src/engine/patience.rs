//! Limits on waiting for engines.

use std::time::Duration;

use boardgame_core::ClockState;
use boardgame_io::ProgramOptions;

/// The maximum waiting times for engines, and the limits of their programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The maximum time for an engine to start and to be ready for a game.
    pub start: Duration,
    /// The grace period after the time for a move is over; then the engine is ended.
    pub overtime: Duration,
    /// The maximum time for a move without a clock; then the engine is ended.
    pub untimed: Duration,
    /// The maximum time for an engine to finish its part in the end of a game.
    pub ending: Duration,
    /// The limits of a program, and the grace periods for ending it.
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
    /// Returns the maximum waiting time for a move without a wall clock, including the user CPU time that the
    /// clock allows.
    pub(super) fn without_wall_clock(&self, clock: &ClockState) -> Duration {
        let user_time = clock.allowed().unwrap_or_default();
        self.untimed.saturating_add(user_time)
    }

    /// Returns the maximum waiting time for a move, given the time that the clock allows.
    pub(super) fn for_a_move(&self, allowed: Option<Duration>) -> Duration {
        allowed.map_or(self.untimed, |allowed| {
            allowed.saturating_add(self.overtime)
        })
    }
}
