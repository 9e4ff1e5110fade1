//! Time as sessions see it.

use core::{
    ops::{Add, Sub},
    time::Duration,
};

use boardgame_core::{ClockState, TimeMeasure};

use crate::{Received, SeatFault};

/// A moment: the time since an origin that the driver chose, the same for all its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(Duration);

impl Timestamp {
    /// The driver's origin.
    pub const ORIGIN: Self = Self(Duration::ZERO);

    /// Returns the moment at this time after the origin.
    pub const fn from_origin(elapsed: Duration) -> Self {
        Self(elapsed)
    }

    /// Returns the time since the origin.
    pub const fn since_origin(self) -> Duration {
        self.0
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    /// Returns the moment `duration` later, or the last one on overflow.
    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration))
    }
}

impl Sub for Timestamp {
    type Output = Duration;

    /// Returns the time from `earlier` to `self`; zero if `earlier` is later.
    fn sub(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// Returns the first moment when the answer to a question is late: at the limit it is in time.
pub fn late_after(asked: Timestamp, limit: Duration) -> Timestamp {
    asked + limit + Duration::from_nanos(1)
}

/// Returns the wall-clock limit of the next move, or `None` without one: CPU time is measured by whoever runs the
/// program.
pub fn wall_limit(clock: &ClockState) -> Option<Duration> {
    match clock.control().measure {
        TimeMeasure::Wall => clock.allowed(),
        TimeMeasure::UserCpu => None,
    }
}

/// A wait for a program's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The moment when the program was asked.
    pub since: Timestamp,
    /// The limit of the answer, if it has one.
    pub limit: Option<Duration>,
    /// The time allowed beyond the limit.
    pub grace: Duration,
}

impl Wait {
    /// Returns the wait from `since` on for an answer within a limit.
    pub const fn new(since: Timestamp, limit: Duration) -> Self {
        Self {
            since,
            limit: Some(limit),
            grace: Duration::ZERO,
        }
    }

    /// Returns the wait from `since` on for a move, as long as a wall clock allows, plus `grace`.
    pub fn for_move(since: Timestamp, clock: &ClockState, grace: Duration) -> Self {
        let limit = wall_limit(clock);
        Self {
            since,
            limit,
            grace,
        }
    }

    /// Sets a limit where there is none, without grace.
    #[must_use]
    pub fn or(self, untimed: Option<Duration>) -> Self {
        match self.limit {
            Some(_) => self,
            None => Self {
                limit: untimed,
                grace: Duration::ZERO,
                ..self
            },
        }
    }

    /// Returns the first moment when the answer is late: at the limit it is in time.
    pub fn deadline(&self) -> Option<Timestamp> {
        let limit = self.limit?.saturating_add(self.grace);
        Some(late_after(self.since, limit))
    }

    /// Returns `true` if the answer is late.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.deadline().is_some_and(|deadline| deadline <= now)
    }

    /// Returns the fault of a program that has not answered in time.
    pub fn overtime(&self, now: Timestamp, received: Received<'_>) -> SeatFault {
        let used = now - self.since;
        SeatFault::overtime(used, self.limit.unwrap_or(used), received)
    }
}
