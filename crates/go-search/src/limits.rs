//! Bounds of a search.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The bounds of one search; the first that is reached ends it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The maximum number of simulations, not counting those in the part of the tree that is kept.
    pub playouts: Option<u32>,
    /// The maximum time.
    pub time: Option<TimeBudget>,
    /// The clock that the time is read from, such as one of CPU time; `None` for the wall clock.
    pub clock: Option<fn() -> Duration>,
    /// A flag that ends the search once it is true.
    pub stop: Option<Arc<AtomicBool>>,
    /// A flag to stop early in a clear game: after a fifth of the simulations or the time, and 1,000 visits of the root,
    /// if one side wins nearly all simulations.
    pub stop_when_clear: bool,
}

/// The time of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// The time after which the search ends if the most visited move has the best results too. It ends earlier if no
    /// other move can overtake the most visited one.
    pub soft: Duration,
    /// The time after which it ends in any case.
    pub hard: Duration,
}

impl TimeBudget {
    /// Returns the budget of a search that takes at most this long.
    pub const fn fixed(time: Duration) -> Self {
        Self {
            soft: time,
            hard: time,
        }
    }
}

impl Limits {
    /// Returns the limits of a search of at most a number of simulations.
    pub fn playouts(playouts: u32) -> Self {
        Self {
            playouts: Some(playouts),
            ..Self::default()
        }
    }

    /// Returns the limits of a search within a time.
    pub fn time(budget: TimeBudget) -> Self {
        Self {
            time: Some(budget),
            ..Self::default()
        }
    }

    /// Returns whether the flag says that the search is to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop
            .as_ref()
            .is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The time since a search began, by the clock of its limits.
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
