//! The processes of a program.

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

#[cfg(target_os = "linux")]
use nix::{
    sys::wait::{WaitPidFlag, waitpid},
    unistd::Pid,
};

use crate::{
    cpu::{self, Times},
    mark::Mark,
};
#[cfg(target_os = "linux")]
use crate::{mark::send_kill, proc};

/// The maximum rounding error of clock ticks in a sum of process times.
const TICKS: Duration = Duration::from_millis(20);

/// The maximum number of tries to read times without a process changing its parent.
const MAX_TRIES: u32 = 3;

/// The maximum time for the system to end killed processes.
const REAP: Duration = Duration::from_secs(5);

/// The number of looks in a row that must find nothing: a process that starts the next one and ends may be missed by a
/// single look.
const CLEAN_LOOKS: u32 = 5;

/// A program and its descendants, as far as the system reports them.
///
/// On Linux they are found even if they have left the program's process group and session and their parent is gone:
/// this process inherits them (`PR_SET_CHILD_SUBREAPER`), and recognizes them by limits that they cannot forge.
/// Elsewhere only the program itself is known.
#[derive(Clone, Debug)]
pub struct Family(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    leader: u32,
    /// True if the leader is the sandbox, whose child has the program and its orphans as children.
    is_sandbox: bool,
    mark: Mark,
    /// The processes of the program that this process has inherited.
    orphans: Vec<u32>,
    /// The other children of this process.
    #[cfg(target_os = "linux")]
    others: BTreeSet<u32>,
    has_forked: bool,
    /// The times of processes that have ended without their parents having waited for them.
    gone: Times,
    /// The latest sum of all times.
    latest: Times,
}

impl Family {
    pub(crate) fn new(leader: u32, mark: Mark, is_sandbox: bool) -> Self {
        mark.place(leader);
        Self(Arc::new(Mutex::new(State {
            leader,
            is_sandbox,
            mark,
            orphans: Vec::new(),
            #[cfg(target_os = "linux")]
            others: BTreeSet::new(),
            has_forked: false,
            gone: Times::default(),
            latest: Times::default(),
        })))
    }

    /// Returns the process id of the program.
    pub fn leader(&self) -> u32 {
        self.state().leader
    }

    /// Returns the CPU time of all processes, including ended ones, in clock ticks. `None` once the program is gone,
    /// and if the system does not report it.
    pub fn cpu(&self) -> Option<Duration> {
        Some(self.state().times()?.all)
    }

    /// Returns the user CPU time as [`cpu`](Self::cpu) does.
    pub fn user_cpu(&self) -> Option<Duration> {
        Some(self.state().times()?.user)
    }

    /// Returns whether the program has started another process: one that exists, existed at an earlier call, or has
    /// been waited for. `None` once the program is gone, and if the system does not report it.
    pub fn has_forked(&self) -> Option<bool> {
        let mut state = self.state();
        state.look();
        let roots = state.roots();
        let own = roots.first().and_then(|&root| cpu::has_forked(root));
        state.has_forked |= own == Some(true) || roots.len() > 1;
        if state.has_forked { Some(true) } else { own }
    }

    /// Returns up to `max` processes, without those of a sandbox. Those that this process has inherited are as old as
    /// `age` at most.
    #[cfg(target_os = "linux")]
    pub(crate) fn processes(&self, max: usize, age: Duration) -> Vec<u32> {
        let mut state = self.state();
        // Nothing leaves a sandbox.
        if !state.is_sandbox {
            state.look_within(age);
        }
        let mut open = state.roots();
        open.extend(&state.orphans);
        drop(state);
        let mut found = Vec::new();
        while let Some(id) = open.pop().filter(|_| found.len() < max) {
            // The dead may not have been waited for.
            if proc::is_alive(id) {
                found.push(id);
            }
            open.extend(proc::children(id).unwrap_or_default());
        }
        found
    }

    /// Kills the process group of the program, and with a sandbox all that is in it.
    #[cfg(target_os = "linux")]
    pub(crate) fn kill_group(&self) {
        use nix::sys::signal::{Signal, killpg};

        let state = self.state();
        if state.leader_lives() {
            let _ = killpg(Pid::from_raw(state.leader.cast_signed()), Signal::SIGKILL);
        }
    }

    /// Kills the processes that the program has left; returns whether there were any. Waits until all are gone, for
    /// some seconds at most.
    pub(crate) fn end(&self) -> bool {
        let mark = self.state().mark;
        let deadline = Instant::now() + REAP;
        let mut any = false;
        loop {
            any |= self.end_orphans(deadline);
            let found = mark.kill_all();
            any |= found;
            let is_over = !found && !self.state().leader_lives();
            if is_over || Instant::now() > deadline {
                return any;
            }
        }
    }

    /// Kills the processes that this one has inherited, as fast as it can.
    fn end_orphans(&self, deadline: Instant) -> bool {
        let mut any = false;
        let mut clean_looks = 0;
        while clean_looks < CLEAN_LOOKS && Instant::now() < deadline {
            let found = self.state().kill_orphans();
            any |= found;
            clean_looks = if found { 0 } else { clean_looks + 1 };
            thread::yield_now();
        }
        any
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the sum of all times. It drops by at most a rounding error, even if nobody waits for a process.
    fn times(&mut self) -> Option<Times> {
        let mut own = cpu::of_tree(self.leader)?;
        // It may include processes inherited meanwhile.
        for _ in 0..MAX_TRIES {
            if !self.look() {
                break;
            }
            own = cpu::of_tree(self.leader)?;
        }
        let orphans = self.orphans.iter().filter_map(|&id| cpu::of_tree(id));
        let sum = orphans.fold(own, |sum, times| sum + times) + self.gone;
        let lost = self.latest.beyond(sum, TICKS);
        self.gone = self.gone + lost;
        self.latest = sum + lost;
        Some(self.latest)
    }
}

#[cfg(target_os = "linux")]
impl State {
    /// Returns the program, or in a sandbox the processes without another parent.
    fn roots(&self) -> Vec<u32> {
        if !self.is_sandbox {
            return vec![self.leader];
        }
        let children = |id| proc::children(id).unwrap_or_default();
        children(self.leader)
            .into_iter()
            .flat_map(children)
            .collect()
    }

    /// Finds the program's processes among those that this process has inherited, and reaps ended ones; returns true if
    /// there was anything new.
    fn look(&mut self) -> bool {
        self.look_within(Duration::ZERO)
    }

    /// As [`look`](Self::look), at children of this process that are as old as `age` at most.
    fn look_within(&mut self, age: Duration) -> bool {
        let children = proc::own_children(age);
        let is_child = |id: &u32| children.binary_search(id).is_ok();
        self.others.retain(is_child);
        self.orphans.retain(is_child);
        let mut any = false;
        for &id in &*children {
            if id == self.leader || self.others.contains(&id) || self.orphans.contains(&id) {
                continue;
            }
            if self.mark.is_on(id) {
                self.mark.place(id);
                self.orphans.push(id);
                (self.has_forked, any) = (true, true);
            } else {
                self.others.insert(id);
            }
        }
        let gone = &mut self.gone;
        self.orphans.retain(|&id| {
            let lives = proc::is_alive(id);
            if !lives {
                any = true;
                *gone = *gone + cpu::of_process_and_ended(id).unwrap_or_default();
                // Only these are reaped here: tokio waits for those that it has started.
                let _ = waitpid(Pid::from_raw(id.cast_signed()), Some(WaitPidFlag::WNOHANG));
            }
            lives
        });
        any
    }

    fn kill_orphans(&mut self) -> bool {
        self.look();
        self.orphans.iter().copied().for_each(send_kill);
        !self.orphans.is_empty()
    }

    fn leader_lives(&self) -> bool {
        proc::is_alive(self.leader)
    }
}

#[cfg(not(target_os = "linux"))]
impl Family {
    pub(crate) fn kill_group(&self) {}
}

#[cfg(not(target_os = "linux"))]
impl State {
    fn roots(&self) -> Vec<u32> {
        (!self.is_sandbox)
            .then_some(self.leader)
            .into_iter()
            .collect()
    }

    fn look(&mut self) -> bool {
        false
    }

    fn kill_orphans(&mut self) -> bool {
        false
    }

    fn leader_lives(&self) -> bool {
        false
    }
}
