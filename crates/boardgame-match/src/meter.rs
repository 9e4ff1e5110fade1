//! The CPU time of a program at work.

use std::time::Duration;

use boardgame_io::cpu;

/// The CPU time of a program with all that it started, read whenever something comes from it: a moment
/// later it may have ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CpuMeter {
    process: Option<u32>,
    /// The reading at the last move or restart, or zero at the start.
    before: Option<Duration>,
    latest: Option<Duration>,
}

impl CpuMeter {
    /// Returns the meter of a program that was just started.
    pub(crate) fn new(process: Option<u32>) -> Self {
        Self {
            process,
            before: Some(Duration::ZERO),
            latest: None,
        }
    }

    /// Counts from now on.
    pub(crate) fn restart(&mut self) {
        self.before = self.process.and_then(cpu::of_family);
        self.latest = None;
    }

    /// Reads the CPU time.
    pub(crate) fn read(&mut self) {
        if let Some(reading) = self.process.and_then(cpu::of_family) {
            self.latest = Some(reading);
        }
    }

    /// Returns the CPU time since the last move, the restart or the start, up to the last reading.
    pub(crate) fn take(&mut self) -> Option<Duration> {
        let latest = self.latest.take();
        let before = std::mem::replace(&mut self.before, latest);
        Some(latest?.saturating_sub(before?))
    }
}
