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

/// The CPU time of a process with all that it started and that is still there: an engine may be
/// started by a script.
pub fn of_family(id: u32) -> Option<Duration> {
    let children = clock::children(id).into_iter().filter_map(of_family);
    Some(of_process(id)? + children.sum::<Duration>())
}

#[cfg(target_os = "linux")]
mod clock {
    use std::{fs, time::Duration};

    use nix::{time::ClockId, unistd::Pid};

    pub(super) fn of_this_thread() -> Option<Duration> {
        read(ClockId::CLOCK_THREAD_CPUTIME_ID)
    }

    pub(super) fn of_process(id: u32) -> Option<Duration> {
        let process = Pid::from_raw(i32::try_from(id).ok()?);
        read(ClockId::pid_cpu_clock_id(process).ok()?)
    }

    /// The child processes of all threads of a process (see `proc_tid_children(5)`).
    pub(super) fn children(id: u32) -> Vec<u32> {
        let Ok(threads) = fs::read_dir(format!("/proc/{id}/task")) else {
            return Vec::new();
        };
        let lists = threads
            .flatten()
            .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        let ids = lists.flat_map(|list| {
            let ids = list.split_whitespace().map(str::parse);
            ids.flatten().collect::<Vec<u32>>()
        });
        ids.collect()
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

    pub(super) fn children(_id: u32) -> Vec<u32> {
        Vec::new()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{os::unix::process::CommandExt as _, time::Instant};

    use nix::{
        sys::signal::{Signal, killpg},
        unistd::Pid,
    };

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
    fn what_a_script_starts_is_counted_with_it() {
        let busy = "sh -c 'while :; do :; done'; :";
        let mut script = std::process::Command::new("sh");
        let mut script = script.args(["-c", busy]).process_group(0).spawn().unwrap();
        let used = || of_family(script.id()).unwrap();
        while used() < Duration::from_millis(50) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(of_process(script.id()).unwrap() < Duration::from_millis(50));
        let group = Pid::from_raw(script.id().cast_signed());
        killpg(group, Signal::SIGKILL).unwrap();
        script.wait().unwrap();
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
