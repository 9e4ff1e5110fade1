//! CPU time of threads and processes: user and system time together, unless user time alone is named.

use std::time::Duration;

/// The CPU time that the calling thread has used, where the system tells it.
pub fn of_this_thread() -> Option<Duration> {
    clock::of_this_thread()
}

/// Returns the clock of the CPU time that all threads of this process have used, where the system tells it.
pub fn clock_of_this_process() -> Option<fn() -> Duration> {
    clock::of_this_process()?;
    Some(|| clock::of_this_process().unwrap_or_default())
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

/// The user CPU time that all threads of a process have used, where the system tells it, in steps of a clock
/// tick (10 ms on Linux); that of its child processes is not in it. `None` once the process is gone.
pub fn user_of_process(id: u32) -> Option<Duration> {
    clock::user_of_process(id)
}

/// Returns whether the system tells the [user CPU time of a process](user_of_process).
pub fn user_time_is_known() -> bool {
    user_of_process(std::process::id()).is_some()
}

/// Returns whether a process has started another: one that is still there, or one whose end it has waited
/// for. `None` where the system does not tell, and once the process is gone.
pub fn has_forked(id: u32) -> Option<bool> {
    clock::has_forked(id)
}

#[cfg(target_os = "linux")]
mod clock {
    use std::{fs, time::Duration};

    use nix::{
        time::ClockId,
        unistd::{Pid, SysconfVar, sysconf},
    };

    pub(super) fn of_this_thread() -> Option<Duration> {
        read(ClockId::CLOCK_THREAD_CPUTIME_ID)
    }

    pub(super) fn of_this_process() -> Option<Duration> {
        read(ClockId::CLOCK_PROCESS_CPUTIME_ID)
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

    pub(super) fn user_of_process(id: u32) -> Option<Duration> {
        let [ticks] = stat(id, [UTIME])?;
        let a_second = u64::try_from(sysconf(SysconfVar::CLK_TCK).ok()??).ok()?;
        Some(Duration::from_secs(ticks) / u32::try_from(a_second).ok()?)
    }

    pub(super) fn has_forked(id: u32) -> Option<bool> {
        // A process cannot begin without page faults, which its parent inherits when it has waited for it.
        let inherited = stat(id, [CMINFLT, CMAJFLT])?;
        Some(inherited != [0, 0] || !children(id).is_empty())
    }

    // The places of fields in `/proc/PID/stat`, from 0 (see `proc_pid_stat(5)`).
    const CMINFLT: usize = 10;
    const CMAJFLT: usize = 12;
    const UTIME: usize = 13;

    /// Fields of a process that are numbers and come after its name.
    fn stat<const N: usize>(id: u32, places: [usize; N]) -> Option<[u64; N]> {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name, in parentheses, may hold spaces and parentheses.
        let (_, after_name) = text.rsplit_once(") ")?;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        let mut numbers = [0; N];
        for (number, place) in numbers.iter_mut().zip(places) {
            *number = fields.get(place - 2)?.parse().ok()?;
        }
        Some(numbers)
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

    pub(super) fn of_this_process() -> Option<Duration> {
        None
    }

    pub(super) fn of_process(_id: u32) -> Option<Duration> {
        None
    }

    pub(super) fn user_of_process(_id: u32) -> Option<Duration> {
        None
    }

    pub(super) fn has_forked(_id: u32) -> Option<bool> {
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
        let clock = clock_of_this_process().unwrap();
        assert!(clock() >= all);
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

    /// Waits until a process has used more than so much user time.
    fn wait_for_user_time(id: u32, more_than: Duration) {
        while user_of_process(id).unwrap() <= more_than {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn user_time_is_without_the_time_in_the_system() {
        // It works in the system alone, with a name that looks like the end of one.
        let mut copy = std::process::Command::new("dd")
            .args(["if=/dev/zero", "of=/dev/null", "bs=16M"])
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut busy = std::process::Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .unwrap();
        wait_for_user_time(busy.id(), Duration::from_millis(100));
        while of_process(copy.id()).unwrap() < Duration::from_millis(100) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let (user, all) = (user_of_process(copy.id()), of_process(copy.id()));
        assert!(user.unwrap() < all.unwrap() / 2, "{user:?} {all:?}");
        for child in [&mut copy, &mut busy] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(user_time_is_known());
    }

    #[test]
    fn a_process_that_forks_is_found_out_also_afterwards() {
        let wait_until = |id, forked| {
            while has_forked(id) != Some(forked) {
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        let shell = |script: &str| {
            let mut shell = std::process::Command::new("sh");
            let shell = shell.args(["-c", script]).process_group(0);
            shell.stdin(std::process::Stdio::piped()).spawn().unwrap()
        };
        let end = |mut child: std::process::Child| {
            killpg(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL).unwrap();
            child.wait().unwrap();
        };
        let single = shell("while :; do :; done");
        wait_for_user_time(single.id(), Duration::from_millis(20));
        assert_eq!(has_forked(single.id()), Some(false));
        end(single);
        let with_child = shell("sleep 100; :");
        wait_until(with_child.id(), true);
        end(with_child);
        // The child is gone before anybody looks.
        let waited = shell("(:); while :; do :; done");
        wait_for_user_time(waited.id(), Duration::from_millis(20));
        assert_eq!(has_forked(waited.id()), Some(true));
        end(waited);
    }

    #[test]
    fn a_process_that_is_gone_has_none() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let id = child.id();
        child.wait().unwrap();
        assert_eq!((of_process(id), user_of_process(id)), (None, None));
        assert_eq!(has_forked(id), None);
        assert_eq!(of_process(u32::MAX), None);
    }
}
