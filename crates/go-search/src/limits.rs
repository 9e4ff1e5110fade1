//! The limits of a search.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The limits of a search; the first one reached ends it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The maximum number of simulations, not counting those of a kept tree.
    pub playouts: Option<u32>,
    /// The maximum time.
    pub time: Option<TimeBudget>,
    /// The clock for the time limit, such as CPU time, or `None` for wall-clock time.
    pub clock: Option<fn() -> Duration>,
    /// A flag that stops the search when set.
    pub stop: Option<Arc<AtomicBool>>,
    /// Stops early in a clear game: after a fifth of the simulations or the time, and 1,000 visits of the root, if one
    /// side wins nearly all simulations.
    pub stop_when_clear: bool,
}

/// The time limits of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// The time after which the search ends if the most visited move also has the best results. It ends earlier if no
    /// other move can overtake the most visited one.
    pub soft: Duration,
    /// The time after which the search ends in any case.
    pub hard: Duration,
}

impl TimeBudget {
    /// A budget with a maximum time only.
    pub const fn fixed(time: Duration) -> Self {
        Self {
            soft: time,
            hard: time,
        }
    }
}

impl Limits {
    /// Limits the number of simulations.
    pub fn playouts(playouts: u32) -> Self {
        Self {
            playouts: Some(playouts),
            ..Self::default()
        }
    }

    /// Limits the time.
    pub fn time(budget: TimeBudget) -> Self {
        Self {
            time: Some(budget),
            ..Self::default()
        }
    }

    /// Returns whether the stop flag is set.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop
            .as_ref()
            .is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Measures the time since the start of a search, on the clock of its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopwatch {
    Wall(Instant),
    Clock {
        now: fn() -> Duration,
        began: Duration,
    },
}

impl Stopwatch {
    pub(crate) fn start(limits: &Limits) -> Self {
        limits.clock.map_or_else(
            || Self::Wall(Instant::now()),
            |now| Self::Clock { now, began: now() },
        )
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match self {
            Self::Wall(began) => began.elapsed(),
            Self::Clock { now, began } => now().saturating_sub(*began),
        }
    }
}
