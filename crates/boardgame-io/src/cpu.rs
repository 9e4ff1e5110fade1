//! CPU time of threads and processes: user plus system time, except where user time is named.

use std::{ops::Add, time::Duration};

/// The maximum number of processes counted in a tree.
const MAX_PROCESSES: usize = 4096;

/// Returns the CPU time of the calling thread, if the system reports it.
pub fn of_this_thread() -> Option<Duration> {
    clock::of_this_thread()
}

/// Returns a clock of the CPU time of all threads of this process, if the system reports it.
pub fn clock_of_this_process() -> Option<fn() -> Duration> {
    clock::of_this_process()?;
    Some(|| clock::of_this_process().unwrap_or_default())
}

/// The CPU time that all threads of a process have used, where the system tells it, without its
/// child processes. `None` once the process is gone.
pub fn of_process(id: u32) -> Option<Duration> {
    clock::of_process(id)
}

/// The user CPU time that all threads of a process have used, where the system tells it, in steps of a clock
/// tick (10 ms on Linux), without its child processes. `None` once the process is gone.
pub fn user_of_process(id: u32) -> Option<Duration> {
    clock::user_of_process(id)
}

/// Returns true if the system reports the [user CPU time of a process](user_of_process).
pub fn user_time_is_known() -> bool {
    user_of_process(std::process::id()).is_some()
}

/// Returns whether a process has started another that still exists or that it has waited for. `None` if the system does
/// not report it, and once the process is gone.
pub fn has_forked(id: u32) -> Option<bool> {
    clock::has_forked(id)
}

/// Returns the time since the start of the system in which something waited for a processor, if the system reports it.
pub fn pressure() -> Option<Duration> {
    clock::pressure()
}

/// The CPU time of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    /// User and system time together.
    pub(crate) all: Duration,
    /// User time, in clock ticks.
    pub(crate) user: Duration,
}

impl Times {
    /// Returns the excess over other times; a difference below the tolerance counts as zero.
    pub(crate) fn beyond(self, others: Self, tolerance: Duration) -> Self {
        let beyond = |time: Duration, other| {
            let more = time.saturating_sub(other);
            if more > tolerance {
                more
            } else {
                Duration::ZERO
            }
        };
        Self {
            all: beyond(self.all, others.all),
            user: beyond(self.user, others.user),
        }
    }
}

impl Add for Times {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            all: self.all + other.all,
            user: self.user + other.user,
        }
    }
}

/// Returns the CPU time of a process and its descendants, since a script may start the engine. The time of an ended
/// child counts once its parent has waited for it, in clock ticks. `None` once the process is gone.
pub(crate) fn of_tree(id: u32) -> Option<Times> {
    let (sum, is_whole) = try_of_tree(id)?;
    if is_whole {
        return Some(sum);
    }
    Some(try_of_tree(id)?.0)
}

/// Returns the CPU time of a tree, and whether it is complete: no process was waited for meanwhile.
fn try_of_tree(id: u32) -> Option<(Times, bool)> {
    let mut sum = clock::of_process_alone(id)?;
    let mut open = vec![id];
    let mut found = Vec::new();
    while let Some(id) = open.pop().filter(|_| found.len() < MAX_PROCESSES) {
        let Some(ended) = clock::of_ended_children(id) else {
            continue;
        };
        found.push((id, ended));
        sum = sum + ended;
        for child in clock::children(id).unwrap_or_default() {
            sum = sum + clock::of_process_alone(child).unwrap_or_default();
            open.push(child);
        }
    }
    let is_same = |&(id, ended): &_| clock::of_ended_children(id) == Some(ended);
    Some((sum, found.iter().all(is_same)))
}

/// Returns the CPU time of a process and of the children that it has waited for, even for a zombie.
#[cfg(target_os = "linux")]
pub(crate) fn of_process_and_ended(id: u32) -> Option<Times> {
    Some(clock::of_process_alone(id)? + clock::of_ended_children(id)?)
}

#[cfg(target_os = "linux")]
mod clock {
    use std::time::Duration;

    use nix::{time::ClockId, unistd::Pid};
    use procfs::{CpuPressure, Current as _, ticks_per_second};

    use super::Times;
    pub(super) use crate::proc::children;
    use crate::proc::stat;

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

    pub(super) fn user_of_process(id: u32) -> Option<Duration> {
        Some(of_ticks(stat(id)?.utime))
    }

    pub(super) fn of_process_alone(id: u32) -> Option<Times> {
        let stat = stat(id)?;
        Some(Times {
            all: super::of_process(id).unwrap_or_else(|| of_ticks(stat.utime + stat.stime)),
            user: of_ticks(stat.utime),
        })
    }

    pub(super) fn of_ended_children(id: u32) -> Option<Times> {
        let stat = stat(id)?;
        let [user, system] = [stat.cutime, stat.cstime].map(i64::unsigned_abs);
        Some(Times {
            all: of_ticks(user + system),
            user: of_ticks(user),
        })
    }

    fn of_ticks(ticks: u64) -> Duration {
        Duration::from_secs(ticks) / ticks_per_second() as u32
    }

    pub(super) fn has_forked(id: u32) -> Option<bool> {
        // A process cannot start without page faults, which are added to its parent's when that waits for it.
        let stat = stat(id)?;
        Some((stat.cminflt, stat.cmajflt) != (0, 0) || !children(id)?.is_empty())
    }

    pub(super) fn pressure() -> Option<Duration> {
        let some = CpuPressure::current().ok()?.some;
        Some(Duration::from_micros(some.total))
    }

    fn read(clock: ClockId) -> Option<Duration> {
        clock.now().ok().map(Duration::from)
    }
}

#[cfg(not(target_os = "linux"))]
mod clock {
    use std::time::Duration;

    use super::Times;

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

    pub(super) fn pressure() -> Option<Duration> {
        None
    }

    pub(super) fn children(_id: u32) -> Option<Vec<u32>> {
        None
    }

    pub(super) fn of_ended_children(_id: u32) -> Option<Times> {
        None
    }

    pub(super) fn of_process_alone(_id: u32) -> Option<Times> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        os::unix::process::CommandExt as _,
        process::{Child, Command, Stdio},
        time::Instant,
    };

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

    /// A child in a process group of its own, which is killed when this is dropped.
    struct Group(Child);

    impl Group {
        fn start(program: &str, arguments: &[&str]) -> Self {
            let mut command = Command::new(program);
            command.args(arguments).process_group(0);
            Self(command.stderr(Stdio::null()).spawn().unwrap())
        }

        fn shell(script: &str) -> Self {
            Self::start("sh", &["-c", script])
        }

        fn id(&self) -> u32 {
            self.0.id()
        }
    }

    impl Drop for Group {
        fn drop(&mut self) {
            let _ = killpg(Pid::from_raw(self.id().cast_signed()), Signal::SIGKILL);
            let _ = self.0.wait();
        }
    }

    /// Waits until a condition holds, for a minute at most.
    fn wait_until(is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_mins(1), "waited too long");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn of_family(id: u32) -> Option<Duration> {
        Some(of_tree(id)?.all)
    }

    fn millis(time: Option<Duration>) -> u128 {
        time.unwrap().as_millis()
    }

    #[test]
    fn what_a_script_starts_is_counted_with_it() {
        let script = Group::shell("sh -c 'while :; do :; done'; :");
        wait_until(|| millis(of_family(script.id())) >= 50);
        assert!(millis(of_process(script.id())) < 50);
    }

    #[test]
    fn what_a_script_started_and_waited_for_is_still_counted() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let script = Group::shell(&format!("sh -c '{busy}'; sleep 1000; :"));
        let children = || crate::proc::children(script.id()).unwrap();
        wait_until(|| millis(of_family(script.id())) >= 20);
        let busy = children();
        wait_until(|| !children().is_empty() && children() != busy);
        assert!(millis(of_family(script.id())) >= 20);
        assert!(millis(of_process(script.id())) < 20);
    }

    #[test]
    fn user_time_is_without_the_time_in_the_system() {
        // It uses system time only.
        let copy = Group::start("dd", &["if=/dev/zero", "of=/dev/null", "bs=16M"]);
        let busy = Group::shell("while :; do :; done");
        wait_until(|| millis(user_of_process(busy.id())) > 100);
        wait_until(|| millis(of_process(copy.id())) >= 100);
        let (user, all) = (user_of_process(copy.id()), of_process(copy.id()));
        assert!(user.unwrap() < all.unwrap() / 2, "{user:?} {all:?}");
        assert!(user_time_is_known());
    }

    #[test]
    fn a_process_that_forks_is_found_out_also_afterwards() {
        let single = Group::shell("while :; do :; done");
        wait_until(|| millis(user_of_process(single.id())) > 20);
        assert_eq!(has_forked(single.id()), Some(false));
        let with_child = Group::shell("sleep 100; :");
        wait_until(|| has_forked(with_child.id()) == Some(true));
        // The child is gone before anybody looks.
        let waited = Group::shell("(:); while :; do :; done");
        wait_until(|| millis(user_of_process(waited.id())) > 20);
        assert_eq!(has_forked(waited.id()), Some(true));
    }

    #[test]
    fn a_process_that_is_gone_has_none() {
        let mut child = Command::new("true").spawn().unwrap();
        let id = child.id();
        child.wait().unwrap();
        assert_eq!((of_process(id), user_of_process(id)), (None, None));
        assert_eq!(has_forked(id), None);
        assert_eq!(of_process(u32::MAX), None);
    }
}
