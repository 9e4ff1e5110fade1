//! Time as sessions see it.

use core::{
    ops::{Add, Sub},
    time::Duration,
};

use boardgame_core::{ClockState, TimeMeasure};

/// A moment: the time since an origin that the driver chose, the same for all its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(Duration);

impl Timestamp {
    /// The driver's origin.
    pub const ORIGIN: Self = Self(Duration::ZERO);

    /// The moment so long after the origin.
    pub const fn from_origin(elapsed: Duration) -> Self {
        Self(elapsed)
    }

    /// The time since the origin.
    pub const fn since_origin(self) -> Duration {
        self.0
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    /// The moment `duration` later; the last there is when that overflows.
    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration))
    }
}

impl Sub for Timestamp {
    type Output = Duration;

    /// The time from `earlier` to `self`; zero when `earlier` is later.
    fn sub(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// Returns the first moment at which the answer to a question is late: at the limit it is in time.
pub fn late_after(asked: Timestamp, limit: Duration) -> Timestamp {
    asked + limit + Duration::from_nanos(1)
}

/// Returns the limit of the next move by the clock on the wall, or `None` without one: CPU time is
/// measured by whoever runs the program.
pub fn wall_limit(clock: &ClockState) -> Option<Duration> {
    match clock.control().measure {
        TimeMeasure::Wall => clock.allowed(),
        TimeMeasure::UserCpu => None,
    }
}
