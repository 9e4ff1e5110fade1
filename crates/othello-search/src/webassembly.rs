//! What a WebAssembly module asks of the program around it: the time, and whether to stop.

use std::{ops::Sub, time::Duration};

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// The milliseconds, with their fraction, since a moment that stays the same while the program runs:
    /// `performance.now()` of a browser.
    safe fn now() -> f64;
    /// Anything but 0 if the search is to stop.
    safe fn stopped() -> i32;
}

/// Returns whether the program around the module wants the search to stop. The module has one thread, which searches,
/// so that nobody within it could say so.
pub(crate) fn is_stopped() -> bool {
    stopped() != 0
}

/// A moment by the clock that the module imports, in place of [`std::time::Instant`], which has no clock on this
/// target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// The present moment.
    pub fn now() -> Self {
        // A number that is no time, such as a negative one, counts as 0.
        Self(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
    }

    /// Returns the time that has passed since this moment.
    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// Returns the time from `earlier` to this moment, or zero if `earlier` is later.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Sub for Instant {
    type Output = Duration;

    /// Returns the time between two moments, or zero if the second is later, as for [`std::time::Instant`].
    fn sub(self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }
}
