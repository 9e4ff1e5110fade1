//! The CPU time of a program at work.

use std::time::Duration;

use boardgame_io::cpu;

/// The CPU time of a program, read whenever something comes from it: a moment later it may have ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuMeter {
    process: Option<u32>,
    clock: fn(u32) -> Option<Duration>,
    /// The reading at the last move or restart, or zero at the start.
    before: Option<Duration>,
    latest: Option<Duration>,
}

impl CpuMeter {
    /// Returns the meter of all CPU time of a program that was just started, and of all that it starts.
    pub(crate) fn of_family(process: Option<u32>) -> Self {
        Self::new(process, cpu::of_family)
    }

    /// Returns the meter of the user CPU time of a program alone that was just started.
    pub(crate) fn of_user_time(process: Option<u32>) -> Self {
        Self::new(process, cpu::user_of_process)
    }

    fn new(process: Option<u32>, clock: fn(u32) -> Option<Duration>) -> Self {
        Self {
            process,
            clock,
            before: Some(Duration::ZERO),
            latest: None,
        }
    }

    /// Counts from now on.
    pub(crate) fn restart(&mut self) {
        self.before = self.process.and_then(self.clock);
        self.latest = None;
    }

    /// Reads the CPU time.
    pub(crate) fn read(&mut self) {
        if let Some(reading) = self.process.and_then(self.clock) {
            self.latest = Some(reading);
        }
    }

    /// Returns the CPU time since the last move, the restart or the start, up to the last reading.
    pub(crate) fn take(&mut self) -> Option<Duration> {
        let used = self.since_last_move();
        self.before = self.latest.take();
        used
    }

    /// Returns the CPU time as [`take`](Self::take) does, and goes on.
    pub(crate) fn since_last_move(&self) -> Option<Duration> {
        Some(self.latest?.saturating_sub(self.before?))
    }

    /// Returns the process id of the program.
    pub(crate) const fn process(&self) -> Option<u32> {
        self.process
    }
}
