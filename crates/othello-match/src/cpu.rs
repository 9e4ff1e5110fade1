//! CPU time, user and system together, of threads and processes.

use std::time::Duration;

/// The CPU time that the calling thread has used, where the system tells it.
pub fn of_this_thread() -> Option<Duration> {
    clock::of_this_thread()
}

/// The CPU time that all threads of a process have used, where the system tells it; that of its
/// child processes is not in it. `None` once the process is gone.
pub fn of_process(id: u32) -> Option<Duration> {
    clock::of_process(id)
}

#[cfg(target_os = "linux")]
mod clock {
    use std::time::Duration;

    use nix::{time::ClockId, unistd::Pid};

    pub(super) fn of_this_thread() -> Option<Duration> {
        read(ClockId::CLOCK_THREAD_CPUTIME_ID)
    }

    pub(super) fn of_process(id: u32) -> Option<Duration> {
        let process = Pid::from_raw(i32::try_from(id).ok()?);
        read(ClockId::pid_cpu_clock_id(process).ok()?)
    }

    fn read(clock: ClockId) -> Option<Duration> {
        clock.now().ok().map(Duration::from)
    }
}

#[cfg(not(target_os = "linux"))]
mod clock {
    use std::time::Duration;

    pub(super) fn of_this_thread() -> Option<Duration> {
        None
    }

    pub(super) fn of_process(_id: u32) -> Option<Duration> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn work_costs_cpu_time_and_sleep_does_not() {
        let thread = of_this_thread().unwrap();
        let process = of_process(std::process::id()).unwrap();
        let used = || of_this_thread().unwrap().saturating_sub(thread);
        std::thread::sleep(Duration::from_millis(200));
        assert!(used() < Duration::from_millis(100), "{:?}", used());
        let begun = Instant::now();
        while used() < Duration::from_millis(20) {
            std::hint::spin_loop();
        }
        assert!(begun.elapsed() >= Duration::from_millis(15));
        let all = of_process(std::process::id()).unwrap();
        assert!(all.saturating_sub(process) >= Duration::from_millis(15));
    }

    #[test]
    fn a_process_that_is_gone_has_none() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let id = child.id();
        child.wait().unwrap();
        assert_eq!(of_process(id), None);
        assert_eq!(of_process(u32::MAX), None);
    }
}
