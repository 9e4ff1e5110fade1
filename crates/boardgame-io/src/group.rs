//! The process group of a child program.

use std::{io, process::ExitStatus, thread, time::Duration};

use process_wrap::tokio::ChildWrapper;
use tokio::{
    sync::oneshot,
    time::{sleep, timeout},
};

#[cfg(target_os = "linux")]
use crate::proc;
use crate::{
    family::Family,
    guard::Guard,
    limit_watch::LimitWatch,
    mark::{Mark, Start},
    processors::Processors,
    program_limits::ProgramLimits,
};

/// The time that a program's children have to end by themselves after it: a filter of its output sees the end of it.
const FAREWELL: Duration = Duration::from_millis(100);

/// A process group and the processes that have left it; all are killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Group {
    child: Box<dyn ChildWrapper>,
    /// The process id of the leader and of the group.
    #[cfg_attr(not(unix), allow(dead_code))]
    id: Option<u32>,
    killed: bool,
    family: Option<Family>,
    guard: Option<Guard>,
}

impl Group {
    /// Starts a marked program in a group of its own, and the watch over its limits.
    ///
    /// # Errors
    ///
    /// When the program or the watch does not start.
    pub(crate) fn start(
        limits: &ProgramLimits,
        spawn: impl FnOnce(Mark) -> io::Result<Box<dyn ChildWrapper>>,
    ) -> io::Result<(Self, LimitWatch)> {
        let start = Start::begin();
        let processors = limits.cpus.map(Processors::choose);
        let processors = processors.transpose()?;
        // Before the mark: what starts after it is taken for the program's.
        if let Err(error) = Guard::start() {
            tracing::warn!(%error, "a program runs without a guard");
        }
        let mark = Mark::new(&start);
        let guard = Guard::of(mark);
        let spawned = match &processors {
            Some(processors) => processors.confine(|| spawn(mark)),
            None => spawn(mark),
        };
        let child = match spawned {
            Ok(child) => child,
            Err(error) => {
                guard.dismiss();
                return Err(error);
            }
        };
        let id = child.id();
        let family = id.map(|leader| Family::new(leader, mark, limits.is_sandboxed()));
        if let Some(group) = id {
            guard.watch(group);
        }
        let group = Self {
            child,
            id,
            killed: false,
            family,
            guard: Some(guard),
        };
        let watch = LimitWatch::start(limits, group.family(), processors)?;
        Ok((group, watch))
    }

    /// The leader.
    pub(crate) fn child(&mut self) -> &mut dyn ChildWrapper {
        &mut *self.child
    }

    /// The leader and its descendants.
    pub(crate) fn family(&self) -> Option<Family> {
        self.family.clone()
    }

    /// Returns whether the leader was stopped by a signal.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_stopped(&self) -> bool {
        self.id
            .and_then(proc::stat)
            .is_some_and(|stat| stat.state == 'T')
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn is_stopped(&self) -> bool {
        false
    }

    /// Waits for the leader alone: the group may hold processes that it left behind.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.inner_mut().wait().await
    }

    pub(crate) fn terminate(&mut self) {
        // The group may have ended already.
        #[cfg(unix)]
        let _ = self
            .child
            .signal(tokio::signal::unix::SignalKind::terminate().as_raw_value());
        #[cfg(not(unix))]
        let _ = self.child.start_kill();
    }

    /// Waits until no process of the group runs, or for [`FAREWELL`].
    pub(crate) async fn disperse(&self) {
        let dispersed = async {
            while self.runs() {
                sleep(FAREWELL / 10).await;
            }
        };
        let _ = timeout(FAREWELL, dispersed).await;
    }

    /// Returns true if a process of the group runs. A job object is assumed to be empty.
    #[cfg(unix)]
    fn runs(&self) -> bool {
        use nix::{sys::signal::killpg, unistd::Pid};

        let Some(group) = self.id.and_then(|id| i32::try_from(id).ok()) else {
            return false;
        };
        // No signal is sent: the call fails if there is no process in the group.
        killpg(Pid::from_raw(group), None).is_ok() && any_lives(group)
    }

    #[cfg(not(unix))]
    fn runs(&self) -> bool {
        false
    }

    /// Kills the rest of the group.
    fn kill(&mut self) {
        self.killed = true;
        // Nothing may be left.
        let _ = self.child.start_kill();
    }

    /// Kills the rest of the group, and starts to kill processes that have left it.
    pub(crate) fn sweep(&mut self) -> Sweep {
        let group = self.runs();
        self.kill();
        let family = self.family.take();
        let (done, escaped) = oneshot::channel();
        // There may be many processes to search. They may also be all that the user may have, so that no thread starts.
        let end = {
            let family = family.clone();
            move || done.send(family.is_some_and(|it| it.end()))
        };
        let _ = thread::Builder::new().name("sweep".into()).spawn(end);
        Sweep {
            group,
            family,
            escaped,
            guard: self.guard.take(),
        }
    }
}

/// The killing of all processes of a program, in progress.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// True if the group held any process.
    group: bool,
    family: Option<Family>,
    /// True if any process had left the group.
    escaped: oneshot::Receiver<bool>,
    guard: Option<Guard>,
}

impl Sweep {
    /// Waits for the end; returns true if there was anything to kill.
    pub(crate) async fn finish(self) -> bool {
        let no_thread = |_| self.family.is_some_and(|it| it.end());
        let escaped = self.escaped.await.unwrap_or_else(no_thread);
        self.guard.into_iter().for_each(Guard::dismiss);
        self.group || escaped
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.killed {
            return;
        }
        self.kill();
        let (family, guard) = (self.family.take(), self.guard.take());
        let end = move || {
            if let Some(family) = family {
                family.end();
            }
            guard.into_iter().for_each(Guard::dismiss);
        };
        // If no thread starts, or this process ends first, the guard kills the processes that have left the group.
        let _ = thread::Builder::new().name("sweep".into()).spawn(end);
    }
}

/// Returns true if a process of a group is alive: a zombie stays in its group.
#[cfg(target_os = "linux")]
fn any_lives(group: i32) -> bool {
    proc::all().is_none_or(|mut all| {
        let mut stats = all.by_ref().filter_map(|process| process.stat().ok());
        stats.any(|stat| stat.pgrp == group && proc::is_living(&stat))
    })
}

#[cfg(all(unix, not(target_os = "linux")))]
fn any_lives(_group: i32) -> bool {
    true
}
