//! Marks that identify a program and all processes that it starts.

use std::hash::{BuildHasher as _, RandomState};

/// The environment variable that holds the mark.
pub(crate) const VARIABLE: &str = "BOARDGAME_PROGRAM";

/// A number that distinguishes a program and all that it starts from all other processes.
///
/// A process inherits it in its environment, which it can replace, even with another program's, and on Linux in
/// two resource limits that the system does not enforce (`RLIMIT_LOCKS` and `RLIMIT_RTTIME`). A process can
/// lower its limits but not raise them, unless it has a privilege such as root's. A higher number makes one limit
/// higher and the other lower, so that no process can give itself the limits of another program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    number: u64,
    #[cfg(target_os = "linux")]
    limits: Option<linux::MarkLimits>,
}

impl Mark {
    /// Returns the value of the [variable](VARIABLE).
    pub(crate) fn value(self) -> String {
        format!("{:016x}", self.number)
    }
}

/// Returns a number that no other program has.
fn number() -> u64 {
    // Its keys are drawn at random.
    RandomState::new().hash_one(std::process::id())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        fs,
        sync::{Mutex, MutexGuard, PoisonError},
    };

    use nix::{
        sys::signal::{Signal, kill},
        unistd,
    };
    use procfs::process::{LimitValue, Process};
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

    use super::{Mark, VARIABLE, number};
    use crate::proc;

    /// The number of different marks in limits.
    const MARKS: u64 = 1 << 40;

    /// The number that stands for an unlimited resource.
    const UNLIMITED: u64 = 1 << 62;

    /// The limits that hold a mark.
    const RESOURCES: [Resource; 2] = [Resource::Locks, Resource::Rttime];

    type Limits = [u64; 2];

    #[derive(Clone, Copy, Debug)]
    pub(super) struct MarkLimits {
        pub(super) marked: Limits,
        /// The limits of this process while the program starts, unique to it: processes that the program starts before
        /// it is marked inherit them.
        pub(super) at_start: Limits,
    }

    /// Held while a program is started: limits belong to the whole process. True after the first start, when the
    /// limits are unlike those of other hosts.
    static START: Mutex<bool> = Mutex::new(false);

    /// The start of a program; there is only one at a time.
    #[derive(Debug)]
    pub(crate) struct Start {
        _is_unique: MutexGuard<'static, bool>,
    }

    impl Start {
        /// Begins the start. From now on this process's children do not carry the mark that another host may have put
        /// on this process itself.
        pub(crate) fn begin() -> Self {
            let mut is_unique = START.lock().unwrap_or_else(PoisonError::into_inner);
            // Another host may have started as many programs, and is not to be taken for one of this host's.
            lower_own_limit(if *is_unique { 1 } else { 1 + number() % MARKS });
            *is_unique = true;
            Self {
                _is_unique: is_unique,
            }
        }
    }

    impl Drop for Start {
        fn drop(&mut self) {
            lower_own_limit(1);
        }
    }

    impl MarkLimits {
        /// Returns whether a process has them. A process that another thread starts at the same time has the same
        /// limits at its start, but stays in the group of this process.
        fn are_on(self, process: &Process) -> bool {
            let found = limits_of(process);
            let own_group = || {
                process
                    .stat()
                    .is_ok_and(|it| it.pgrp == unistd::getpgrp().as_raw())
            };
            found == Some(self.marked) || found == Some(self.at_start) && !own_group()
        }
    }

    impl Mark {
        /// Returns the mark of the program that is started next.
        pub(crate) fn new(_: &Start) -> Self {
            let number = number();
            let limits = lower_own_limit(1).and_then(|at_start| {
                let [locks, time] = at_start;
                let number = number % MARKS;
                let locks = locks.checked_sub(MARKS)? + number;
                let time = time.checked_sub(MARKS)? + (MARKS - 1 - number);
                Some(MarkLimits {
                    marked: [locks, time],
                    at_start,
                })
            });
            Self { number, limits }
        }

        /// Sets the limits of a process that was just started, and of those that it has started meanwhile.
        pub(crate) fn place(self, process: u32) {
            let Some(limits) = self.limits else {
                return;
            };
            set_limits(process, limits.marked);
            for child in proc::children(process).unwrap_or_default() {
                let found = proc::process(child).and_then(|child| limits_of(&child));
                if found != Some(limits.marked) {
                    self.place(child);
                }
            }
        }

        /// Returns true if a process has the mark. The environment counts only without limits, since it can be forged.
        pub(crate) fn is_on(self, process: u32) -> bool {
            proc::process(process).is_some_and(|process| match self.limits {
                Some(limits) => limits.are_on(&process),
                None => self.is_in_environment(&process),
            })
        }

        /// Kills all processes with the mark, in their environment or limits; returns true if there were any.
        pub(crate) fn kill_all(self) -> bool {
            let mut any = false;
            for process in proc::all().into_iter().flatten() {
                // A zombie keeps its limits.
                let lives = || process.stat().is_ok_and(|stat| proc::is_living(&stat));
                let in_limits = || self.limits.is_some_and(|limits| limits.are_on(&process));
                if in_limits() && lives() || self.is_in_environment(&process) {
                    any = true;
                    send_kill(process.pid.cast_unsigned());
                }
            }
            any
        }

        /// Returns the number of file locks in the limits, by which the guard finds the processes in
        /// `/proc/PID/limits`.
        pub(crate) fn limit(self) -> Option<u64> {
            self.limits.map(|limits| limits.marked[0])
        }

        /// Dead processes have no environment, and other users' cannot be read.
        fn is_in_environment(self, process: &Process) -> bool {
            let mark = format!("{VARIABLE}={}", self.value());
            let environment = fs::read(format!("/proc/{}/environ", process.pid));
            let mut variables = environment
                .iter()
                .flat_map(|it| it.split(|&byte| byte == 0));
            variables.any(|variable| variable == mark.as_bytes())
        }
    }

    /// Kills a process, which may have ended already.
    pub(crate) fn send_kill(process: u32) {
        let _ = kill(
            unistd::Pid::from_raw(process.cast_signed()),
            Signal::SIGKILL,
        );
    }

    /// Lowers a limit of this process and returns its limits; `None` if it cannot.
    fn lower_own_limit(by: u64) -> Option<Limits> {
        let mut limits = RESOURCES.map(|resource| {
            let limit = getrlimit(resource).maximum;
            limit.map_or(UNLIMITED, |limit| limit.min(UNLIMITED))
        });
        limits[0] = limits[0].checked_sub(by)?;
        set_limits(std::process::id(), limits).then_some(limits)
    }

    fn limits_of(process: &Process) -> Option<Limits> {
        let limits = process.limits().ok()?;
        let limits = [limits.max_file_locks, limits.max_realtime_timeout];
        Some(limits.map(|limit| match limit.hard_limit {
            LimitValue::Unlimited => UNLIMITED,
            LimitValue::Value(value) => value.min(UNLIMITED),
        }))
    }

    /// Sets limits; returns false if the process has ended or belongs to another user.
    fn set_limits(process: u32, limits: Limits) -> bool {
        let process = Pid::from_raw(process.cast_signed());
        RESOURCES.into_iter().zip(limits).all(|(resource, limit)| {
            let limit = Some(limit);
            let limit = Rlimit {
                current: limit,
                maximum: limit,
            };
            prlimit(process, resource, limit).is_ok()
        })
    }
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{Start, send_kill};

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::Start;

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{Mark, number};

    #[derive(Debug)]
    pub(crate) struct Start;

    impl Start {
        pub(crate) fn begin() -> Self {
            Self
        }
    }

    impl Mark {
        pub(crate) fn new(_: &Start) -> Self {
            Self { number: number() }
        }

        pub(crate) fn place(self, _process: u32) {}

        pub(crate) fn kill_all(self) -> bool {
            false
        }

        #[cfg(unix)]
        pub(crate) fn limit(self) -> Option<u64> {
            None
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        os::unix::process::CommandExt as _,
        process::{Child, Command},
    };

    use super::*;

    /// A process in a group of its own, which is killed when this is dropped.
    struct Sleep(Child);

    impl Sleep {
        fn start() -> Self {
            let mut command = Command::new("sleep");
            Self(command.arg("600").process_group(0).spawn().unwrap())
        }

        fn id(&self) -> u32 {
            self.0.id()
        }
    }

    impl Drop for Sleep {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// The variable that has a test print the limits of its process.
    const PRINT: &str = "BOARDGAME_TEST_PRINT_LIMITS";

    /// With the same limits one of two hosts would kill the other as a process that its program has left.
    #[test]
    fn two_hosts_have_different_limits_while_they_start_programs() {
        let name = "mark::tests::two_hosts_have_different_limits_while_they_start_programs";
        if std::env::var_os(PRINT).is_some() {
            let mark = Mark::new(&Start::begin());
            panic!("limits {:?}", mark.limits.map(|limits| limits.at_start));
        }
        let host = || {
            let mut command = Command::new(std::env::current_exe().unwrap());
            let command = command.args(["--exact", name, "--nocapture"]);
            let output = command.env(PRINT, "1").output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let limits = text.lines().find(|line| line.starts_with("limits Some"));
            limits.expect("limits").to_owned()
        };
        assert_ne!(host(), host());
    }

    #[test]
    fn a_mark_is_on_a_program_from_its_start_and_on_no_other() {
        let start = Start::begin();
        let before = Sleep::start();
        let mark = Mark::new(&start);
        let program = Sleep::start();
        drop(start);
        let start = Start::begin();
        let other_mark = Mark::new(&start);
        let other = Sleep::start();
        drop(start);
        let after = Sleep::start();
        for placed in [false, true] {
            if placed {
                mark.place(program.id());
                other_mark.place(other.id());
            }
            assert!(mark.is_on(program.id()) && other_mark.is_on(other.id()));
            for stranger in [&before, &other, &after] {
                assert!(!mark.is_on(stranger.id()));
            }
        }
    }

    #[test]
    fn no_mark_is_made_of_another_by_lowering_limits() {
        let marks: Vec<Mark> = (0..50).map(|_| Mark::new(&Start::begin())).collect();
        let limits = |mark: &Mark| mark.limits.unwrap().marked;
        for (number, mark) in marks.iter().enumerate() {
            let [locks, time] = limits(mark);
            for other in marks[..number].iter().map(limits) {
                assert!(
                    (locks > other[0]) != (time > other[1]),
                    "{mark:?} {other:?}"
                );
            }
            // Nor the limits of a program before it is marked.
            let at_start = marks.iter().map(|mark| mark.limits.unwrap().at_start);
            assert!(at_start.into_iter().all(|at_start| at_start[0] > locks));
        }
    }
}
