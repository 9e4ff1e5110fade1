//! The watch over the limits of a program.

use std::{
    io,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use tokio::sync::oneshot;

#[cfg(target_os = "linux")]
use crate::proc;
use crate::{Fault, ProgramLimits, family::Family, processors::Processors};

/// The time between two looks at a program.
const PERIOD: Duration = Duration::from_millis(20);

/// The maximum number of processes looked at.
#[cfg(target_os = "linux")]
const MAX_PROCESSES: usize = 4096;

/// A thread that looks at the processes of a program until it exceeds a limit, or until this is dropped.
#[derive(Debug)]
pub(crate) struct LimitWatch {
    /// Taken once it has fired.
    excess: Option<oneshot::Receiver<Fault>>,
    _end: mpsc::Sender<()>,
}

impl LimitWatch {
    /// Starts the watch, if the limits need one.
    ///
    /// # Errors
    ///
    /// When the system starts no thread, or tells nothing about the processes of programs.
    pub(crate) fn start(
        limits: &ProgramLimits,
        family: Option<Family>,
        processors: Option<Processors>,
    ) -> io::Result<Self> {
        let (alarm, excess) = oneshot::channel();
        let (end, ended) = mpsc::channel();
        if limits.is_watched() {
            let family = family.filter(|_| cfg!(target_os = "linux"));
            let family = family.ok_or(io::ErrorKind::Unsupported)?;
            let limits = *limits;
            let watch = move || watch(&family, &limits, processors.as_ref(), alarm, &ended);
            thread::Builder::new().name("limits".into()).spawn(watch)?;
        }
        Ok(Self {
            excess: Some(excess),
            _end: end,
        })
    }

    /// Waits until a limit is exceeded, or forever if none is.
    pub(crate) async fn exceeded(&mut self) -> Fault {
        if let Some(excess) = &mut self.excess {
            let fault = excess.await;
            self.excess = None;
            if let Ok(fault) = fault {
                return fault;
            }
        }
        std::future::pending().await
    }
}

/// Looks at a program until it exceeds a limit, and then kills it, or until the other end is dropped.
fn watch(
    family: &Family,
    limits: &ProgramLimits,
    processors: Option<&Processors>,
    alarm: oneshot::Sender<Fault>,
    ended: &mpsc::Receiver<()>,
) {
    let mut last = None;
    loop {
        let fault = look(family, limits, processors);
        // A process that is being started shares the memory of its parent for a moment, which then counts twice.
        let is_brief = matches!(fault, Some(Fault::ExcessMemory { .. })) && fault != last;
        last.clone_from(&fault);
        if let Some(fault) = fault.filter(|_| !is_brief) {
            // The supervisor may be gone. The program is killed right here: with thousands of processes it may take
            // long until another thread of this process runs.
            let _ = alarm.send(fault);
            family.kill_group();
            return;
        }
        if ended.recv_timeout(PERIOD) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

/// Returns the fault of a program that exceeds a limit.
#[cfg(target_os = "linux")]
fn look(family: &Family, limits: &ProgramLimits, processors: Option<&Processors>) -> Option<Fault> {
    let max = limits
        .processes
        .map_or(MAX_PROCESSES, |max| max as usize + 1);
    let ids = family.processes(max, PERIOD);
    if let Some(limit) = limits.processes
        && ids.len() > limit as usize
    {
        return Some(Fault::ExcessProcesses { limit });
    }
    if let (Some(limit), Some(processors)) = (limits.cpus, processors)
        && !ids.iter().all(|&id| processors.hold(id))
    {
        return Some(Fault::ExcessProcessors { limit });
    }
    let limit = limits.memory?;
    let sum = |memory: fn(u32) -> u64| ids.iter().map(|&id| memory(id)).sum::<u64>();
    // Pages that processes share count once, but that is slower to find out.
    let exceeds = sum(memory) > limit && (ids.len() == 1 || sum(own_memory) > limit);
    exceeds.then_some(Fault::ExcessMemory { limit })
}

/// Returns the memory of a process, in bytes: pages that the system cannot drop, swapped or not.
#[cfg(target_os = "linux")]
fn memory(id: u32) -> u64 {
    // A process may give itself a name that is not UTF-8, so this is not read as text.
    let status = std::fs::read(format!("/proc/{id}/status")).unwrap_or_default();
    let kibibytes = status.split(|&byte| byte == b'\n').map(|line| {
        let names: [&[u8]; 3] = [b"RssAnon:", b"RssShmem:", b"VmSwap:"];
        let number = names.iter().find_map(|name| line.strip_prefix(*name));
        let number = number.and_then(|number| str::from_utf8(number.strip_suffix(b" kB")?).ok());
        number
            .and_then(|number| number.trim().parse().ok())
            .unwrap_or(0)
    });
    1024 * kibibytes.sum::<u64>()
}

/// Returns the memory of a process, with its part of pages that others share.
#[cfg(target_os = "linux")]
fn own_memory(id: u32) -> u64 {
    let rollup = proc::process(id).and_then(|process| process.smaps_rollup().ok());
    let rollup = rollup.and_then(|it| it.memory_map_rollup.0.into_iter().next());
    let parts = rollup.and_then(|it| {
        let part = |name| it.extension.map.get(name).copied();
        Some(part("Pss_Anon")? + part("Pss_Shmem")? + part("SwapPss")?)
    });
    parts.unwrap_or_else(|| memory(id))
}

#[cfg(not(target_os = "linux"))]
fn look(_: &Family, _: &ProgramLimits, _: Option<&Processors>) -> Option<Fault> {
    None
}
