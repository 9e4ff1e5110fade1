//! The CPU time of a running program.

use std::time::Duration;

use boardgame_io::Family;

/// The CPU time of a program and all its children, read at each input from it, since it may end a moment later.
#[derive(Clone, Debug)]
pub(crate) struct CpuMeter {
    family: Option<Family>,
    clock: fn(&Family) -> Option<Duration>,
    /// The reading at the last move or restart, or zero at the start.
    before: Option<Duration>,
    latest: Option<Duration>,
}

impl CpuMeter {
    /// Returns the meter of all CPU time of a program that was just started.
    pub(crate) fn of_all(family: Option<Family>) -> Self {
        Self::new(family, Family::cpu)
    }

    /// Returns the meter of the user CPU time of a program that was just started.
    pub(crate) fn of_user_time(family: Option<Family>) -> Self {
        Self::new(family, Family::user_cpu)
    }

    fn new(family: Option<Family>, clock: fn(&Family) -> Option<Duration>) -> Self {
        Self {
            family,
            clock,
            before: Some(Duration::ZERO),
            latest: None,
        }
    }

    /// Counts from now on.
    pub(crate) fn restart(&mut self) {
        self.before = self.family.as_ref().and_then(self.clock);
        self.latest = None;
    }

    /// Reads the CPU time.
    pub(crate) fn read(&mut self) {
        if let Some(reading) = self.family.as_ref().and_then(self.clock) {
            self.latest = Some(reading);
        }
    }

    /// Returns the CPU time since the last move, the restart or the start, up to the last reading.
    pub(crate) fn take(&mut self) -> Option<Duration> {
        let used = self.since_last_move();
        self.before = self.latest.take();
        used
    }

    /// Returns the same CPU time as [`take`](Self::take), and keeps counting.
    pub(crate) fn since_last_move(&self) -> Option<Duration> {
        Some(self.latest?.saturating_sub(self.before?))
    }

    /// Returns the processes of the program.
    pub(crate) const fn family(&self) -> Option<&Family> {
        self.family.as_ref()
    }
}
