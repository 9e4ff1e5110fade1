//! The functions that a WebAssembly module imports from the embedding program: the time, and whether to stop.

use std::{ops::Sub, time::Duration};

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// The milliseconds, including fractions, since a fixed moment: a browser's `performance.now()`.
    safe fn now() -> f64;
    /// Nonzero if the search is to stop.
    safe fn stopped() -> i32;
}

/// Returns whether the embedding program wants the search to stop. The module's only thread is searching, so the
/// request must come from outside.
pub(crate) fn is_stopped() -> bool {
    stopped() != 0
}

/// A moment on the imported clock, in place of [`std::time::Instant`], which has no clock on this target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// The present moment.
    pub fn now() -> Self {
        // An invalid time, such as a negative number, counts as 0.
        Self(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
    }

    /// The time since this moment.
    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// The time from `earlier` to this moment, or zero if `earlier` is later.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Sub for Instant {
    type Output = Duration;

    /// The time between two moments, or zero if the second is later, as for [`std::time::Instant`].
    fn sub(self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }
}
