//! The CPU time of a program at work.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use boardgame_io::cpu;

/// The CPU time of the program of a seat, read whenever something comes from it: a moment later
/// it may have ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter(Arc<Mutex<Readings>>);

#[derive(Debug, Default)]
struct Readings {
    process: Option<u32>,
    /// When the program made its last move, or was started.
    before: Option<Duration>,
    latest: Option<Duration>,
}

impl Meter {
    /// A program was started.
    pub(super) fn launched(&self, process: Option<u32>) {
        *self.readings() = Readings {
            process,
            before: Some(Duration::ZERO),
            latest: None,
        };
    }

    /// Something came from the program.
    pub(super) fn heard(&self) {
        let mut readings = self.readings();
        if let Some(reading) = readings.process.and_then(cpu::of_family) {
            readings.latest = Some(reading);
        }
    }

    /// What the program has used since its last move, or since it was started.
    pub(super) fn take(&self) -> Option<Duration> {
        let mut readings = self.readings();
        let latest = readings.latest.take();
        let before = std::mem::replace(&mut readings.before, latest);
        Some(latest?.saturating_sub(before?))
    }

    fn readings(&self) -> MutexGuard<'_, Readings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
