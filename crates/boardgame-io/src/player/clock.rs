//! The clock of a session's timestamps.

use std::time::Duration;

use boardgame_core::TimeMeasure;
use boardgame_session::Timestamp;
use tokio::time::Instant;

use crate::cpu;

/// A clock of timestamps: wall-clock or CPU time.
#[derive(Clone, Copy, Debug)]
pub(super) enum SessionClock {
    /// Wall-clock time since an origin.
    Wall(Instant),
    /// The CPU time of this process, returned by the function.
    Cpu(fn() -> Duration),
}

impl SessionClock {
    /// Returns the clock of a kind of time. For user CPU time it counts the CPU time of the process, which is no less,
    /// or if the system does not report it, wall-clock time since `origin`.
    pub(super) fn new(measure: TimeMeasure, origin: Instant) -> Self {
        match (measure, cpu::clock_of_this_process()) {
            (TimeMeasure::UserCpu, Some(clock)) => Self::Cpu(clock),
            (TimeMeasure::Wall, _) | (_, None) => Self::Wall(origin),
        }
    }

    /// Returns the current time.
    pub(super) fn now(self) -> Timestamp {
        Timestamp::from_origin(match self {
            Self::Wall(origin) => origin.elapsed(),
            Self::Cpu(clock) => clock(),
        })
    }

    /// Returns the instant of a timestamp, or `None` if it is too far away. With CPU time, a future one is estimated as
    /// if one thread were busy.
    pub(super) fn instant(self, timestamp: Timestamp) -> Option<Instant> {
        match self {
            Self::Wall(origin) => origin.checked_add(timestamp.since_origin()),
            Self::Cpu(_) => {
                let (now, here) = (self.now(), Instant::now());
                let past = here.checked_sub(now - timestamp)?;
                past.checked_add(timestamp - now)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_of_both_clocks_have_their_moments() {
        let second = Duration::from_secs(1);
        for measure in [TimeMeasure::Wall, TimeMeasure::UserCpu] {
            let clock = SessionClock::new(measure, Instant::now());
            let ahead = clock.instant(clock.now() + second).unwrap();
            assert!(ahead > Instant::now() + second / 2);
            assert!(clock.now() <= clock.now());
            let far = Timestamp::from_origin(Duration::MAX);
            assert_eq!(clock.instant(far), None);
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_work_moves_the_clock_of_cpu_time() {
        let clock = SessionClock::new(TimeMeasure::UserCpu, Instant::now());
        assert!(matches!(clock, SessionClock::Cpu(_)));
        let begun = clock.now();
        while clock.now() == begun {
            std::hint::spin_loop();
        }
        // Tests that run at the same time use CPU time, too; a past timestamp still has its instant in the past.
        assert!(clock.instant(begun).unwrap() < Instant::now());
    }
}
