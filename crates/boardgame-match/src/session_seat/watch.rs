//! The watch over a program that has to move: its user CPU time, its idleness and its forks.

use std::time::{Duration, Instant};

use boardgame_core::{ClockState, TimeMeasure};
use boardgame_session::{Received, SeatFault};

use crate::meter::CpuMeter;

/// The time between two looks at a program.
const PERIOD: Duration = Duration::from_millis(50);

/// Rules enforced while waiting for a program's move, using what the system reports of its process. A clock that
/// counts [user CPU time](TimeMeasure::UserCpu) is watched in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchOptions {
    /// The user time that a move may take in excess of a clock of user time.
    pub tolerance: Duration,
    /// The longest real time without an increase of user time; `None` without limit.
    pub max_idle: Option<Duration>,
    /// True if a program that starts another process loses the game.
    pub forbids_forks: bool,
}

/// The watch over a program: over the processes that it starts at any time, and over its time while a move is awaited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    options: WatchOptions,
    next_look: Option<Instant>,
    question: Option<Question>,
}

/// An awaited move.
#[derive(Clone, Copy, Debug)]
struct Question {
    /// The user time that the move may take.
    allowed: Option<Duration>,
    /// The user time of the move at the last increase.
    used: Duration,
    /// The moment of the last increase.
    increased: Instant,
}

impl Watch {
    pub(super) const fn new(options: WatchOptions) -> Self {
        Self {
            options,
            next_look: None,
            question: None,
        }
    }

    /// Starts the watch over a requested move, if there is anything to watch.
    pub(super) fn ask(&mut self, clock: &ClockState, now: Instant) {
        let counts_user_time = clock.control().measure == TimeMeasure::UserCpu;
        let allowed = clock.allowed().filter(|_| counts_user_time);
        let options = self.options;
        let is_needed = allowed.is_some() || options.max_idle.is_some() || options.forbids_forks;
        self.next_look = is_needed.then_some(now);
        self.question = is_needed.then_some(Question {
            allowed: allowed.map(|time| time.saturating_add(options.tolerance)),
            used: Duration::ZERO,
            increased: now,
        });
    }

    /// Ends the watch over the move.
    pub(super) const fn answered(&mut self) {
        self.question = None;
    }

    /// Returns the time of the next look, given whether there is a program.
    pub(super) fn next_look(&self, has_program: bool) -> Option<Instant> {
        let looks = self.question.is_some() || (self.options.forbids_forks && has_program);
        looks.then(|| self.next_look.unwrap_or_else(Instant::now))
    }

    /// Looks at the program; returns its fault if its move is awaited. A process started while the other side is to
    /// move becomes a fault at the next question.
    pub(super) fn look(&mut self, user_time: &mut CpuMeter, now: Instant) -> Option<SeatFault> {
        self.next_look = Some(now + PERIOD);
        let forked = self.fork(user_time);
        let question = self.question.as_mut()?;
        user_time.read();
        if let Some(used) = user_time.since_last_move() {
            if used > question.used {
                (question.used, question.increased) = (used, now);
            }
            if let Some(allowed) = question.allowed.filter(|&allowed| used > allowed) {
                let limit = allowed.saturating_sub(self.options.tolerance);
                return Some(SeatFault::overtime(used, limit, Received::NoAnswer));
            }
        }
        let idle = now.saturating_duration_since(question.increased);
        let max_idle = self.options.max_idle;
        if max_idle.is_some_and(|max_idle| idle >= max_idle) {
            return Some(SeatFault::Idle { for_time: idle });
        }
        forked
    }

    /// Returns the fault of a program that has forked where that is forbidden.
    pub(super) fn fork(&self, user_time: &CpuMeter) -> Option<SeatFault> {
        let family = user_time.family().filter(|_| self.options.forbids_forks)?;
        (family.has_forked() == Some(true)).then_some(SeatFault::Forked)
    }
}
