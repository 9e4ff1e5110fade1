//! The watch over a program that has to move: its user CPU time, its idleness and its forks.

use std::time::{Duration, Instant};

use boardgame_core::{ClockState, TimeMeasure};
use boardgame_io::cpu;
use boardgame_session::SeatFault;

use crate::meter::CpuMeter;

/// The time between two looks at a program.
const PERIOD: Duration = Duration::from_millis(50);

/// Rules that a program is held to while a move of it is awaited, by what the system tells of its process.
/// A clock that counts [user CPU time](TimeMeasure::UserCpu) is watched in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchOptions {
    /// The user time that a move may take beyond what a clock of user time allows.
    pub tolerance: Duration,
    /// The longest real time without an increase of user time; `None` without limit.
    pub max_idle: Option<Duration>,
    /// True if a program that starts another process loses the game.
    pub forbids_forks: bool,
}

/// The watch over a program from the question to the answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    options: WatchOptions,
    /// The user time that the move may take.
    allowed: Option<Duration>,
    next_look: Instant,
    /// The user time of the move at the last increase.
    used: Duration,
    /// The moment of the last increase.
    increased: Instant,
}

impl Watch {
    /// Begins the watch over a program that is asked for a move; `None` if there is nothing to watch.
    pub(super) fn begin(options: WatchOptions, clock: &ClockState, now: Instant) -> Option<Self> {
        let counts_user_time = clock.control().measure == TimeMeasure::UserCpu;
        let allowed = clock.allowed().filter(|_| counts_user_time);
        let is_needed = allowed.is_some() || options.max_idle.is_some() || options.forbids_forks;
        is_needed.then_some(Self {
            options,
            allowed: allowed.map(|time| time.saturating_add(options.tolerance)),
            next_look: now,
            used: Duration::ZERO,
            increased: now,
        })
    }

    /// Returns the moment of the next look.
    pub(super) const fn next_look(&self) -> Instant {
        self.next_look
    }

    /// Looks at the program; returns the fault that it has committed.
    pub(super) fn look(&mut self, user_time: &mut CpuMeter, now: Instant) -> Option<SeatFault> {
        self.next_look = now + PERIOD;
        user_time.read();
        if let Some(used) = user_time.since_last_move() {
            if used > self.used {
                (self.used, self.increased) = (used, now);
            }
            if self.allowed.is_some_and(|allowed| used > allowed) {
                return Some(SeatFault::Overtime);
            }
        }
        let idle = now.saturating_duration_since(self.increased);
        if self
            .options
            .max_idle
            .is_some_and(|max_idle| idle >= max_idle)
        {
            return Some(SeatFault::Idle { for_time: idle });
        }
        self.fork(user_time)
    }

    /// Returns the fault of a program that has forked where that is forbidden.
    pub(super) fn fork(&self, user_time: &CpuMeter) -> Option<SeatFault> {
        let process = user_time.process().filter(|_| self.options.forbids_forks)?;
        (cpu::has_forked(process) == Some(true)).then_some(SeatFault::Forked)
    }
}
