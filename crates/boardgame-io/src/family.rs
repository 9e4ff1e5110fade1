//! The processes of a program.

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

/// The difference that rounding to clock ticks makes between the times of processes and their sum.
const TICKS: Duration = Duration::from_millis(20);

/// The tries to read times while no process changes its parent.
const MAX_TRIES: u32 = 3;

/// The time that the system may take to end processes that were killed.
const REAP: Duration = Duration::from_secs(5);

/// The looks in a row that find nothing once all have ended: one that starts the next process and ends is not seen at
/// every look.
const CLEAN_LOOKS: u32 = 5;

/// A program and the processes that it has started, and those that they have, as far as the system tells.
///
/// On Linux they are found also where they have left the program's process group and session, and the process that
/// started them is gone: this process inherits them (`PR_SET_CHILD_SUBREAPER`), and knows them by limits that they
/// cannot give themselves. Elsewhere nothing is known but the program.
#[derive(Clone, Debug)]
pub struct Family(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    leader: u32,
    mark: Mark,
    /// The processes of the program that this process has inherited.
    orphans: Vec<u32>,
    /// The other children of this process.
    others: Vec<u32>,
    has_forked: bool,
    /// The times of processes that have ended without their parents having waited for them.
    gone: Times,
    /// The latest sum of all times.
    latest: Times,
}

impl Family {
    pub(crate) fn new(leader: u32, mark: Mark) -> Self {
        mark.place(leader);
        Self(Arc::new(Mutex::new(State {
            leader,
            mark,
            orphans: Vec::new(),
            others: Vec::new(),
            has_forked: false,
            gone: Times::default(),
            latest: Times::default(),
        })))
    }

    /// The process id of the program.
    pub fn leader(&self) -> u32 {
        self.state().leader
    }

    /// Returns the CPU time that all of them have used, those that have ended included, in clock ticks. `None` once the
    /// program is gone, and where the system does not tell it.
    pub fn cpu(&self) -> Option<Duration> {
        Some(self.state().times()?.all)
    }

    /// Returns the user CPU time as [`cpu`](Self::cpu) does.
    pub fn user_cpu(&self) -> Option<Duration> {
        Some(self.state().times()?.user)
    }

    /// Returns whether the program has started another process: one that is there, or was at an earlier question,
    /// or whose end somebody has waited for. `None` once the program is gone, and where the system does not tell.
    pub fn has_forked(&self) -> Option<bool> {
        let mut state = self.state();
        state.look();
        let own = cpu::has_forked(state.leader);
        state.has_forked |= own == Some(true);
        if state.has_forked { Some(true) } else { own }
    }

    /// Kills the processes that the program has left; returns whether there were any. Waits until all are gone, for some
    /// seconds at most.
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
    /// Returns the sum of all times. It falls by at most a rounding error, also where nobody waits for a process.
    fn times(&mut self) -> Option<Times> {
        let mut own = cpu::of_tree(self.leader)?;
        // What was inherited meanwhile may be in it.
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
    /// Looks for processes of the program among those that this process has inherited, and waits for those that have
    /// ended; returns whether there was anything new.
    fn look(&mut self) -> bool {
        let children = proc::children(std::process::id()).unwrap_or_default();
        self.others.retain(|id| children.contains(id));
        self.orphans.retain(|id| children.contains(id));
        let mut any = false;
        for id in children {
            if id == self.leader || self.others.contains(&id) || self.orphans.contains(&id) {
                continue;
            }
            if self.mark.is_on(id) {
                self.mark.place(id);
                self.orphans.push(id);
                (self.has_forked, any) = (true, true);
            } else {
                self.others.push(id);
            }
        }
        let gone = &mut self.gone;
        self.orphans.retain(|&id| {
            let lives = proc::is_alive(id);
            if !lives {
                any = true;
                *gone = *gone + cpu::of_process_and_ended(id).unwrap_or_default();
                // No other process is waited for here: tokio waits for those that it has started.
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
impl State {
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
