//! Processes as Linux tells of them in `/proc`; nothing is known of one that is gone.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use procfs::process::{Process, Stat, all_processes};

/// Returns what the system knows of a process.
pub(crate) fn process(id: u32) -> Option<Process> {
    Process::new(id.cast_signed()).ok()
}

/// Returns what the system knows of this process, also where `/proc` has other numbers than this process sees.
pub(crate) fn this() -> Option<Process> {
    Process::myself().ok()
}

/// Returns the status of a process.
pub(crate) fn stat(id: u32) -> Option<Stat> {
    process(id)?.stat().ok()
}

/// Returns whether a process runs, waits or is stopped: a dead one is there until its parent has waited for it.
pub(crate) fn is_alive(id: u32) -> bool {
    stat(id).is_some_and(|stat| is_living(&stat))
}

/// Returns whether the status is not that of a dead process.
pub(crate) const fn is_living(stat: &Stat) -> bool {
    !matches!(stat.state, 'Z' | 'X')
}

/// Returns all processes, or `None` where the system does not tell.
pub(crate) fn all() -> Option<impl Iterator<Item = Process>> {
    Some(all_processes().ok()?.flatten())
}

/// Returns the ids of the threads of a process.
pub(crate) fn threads(id: u32) -> impl Iterator<Item = i32> {
    let tasks = process(id).and_then(|process| process.tasks().ok());
    tasks.into_iter().flatten().flatten().map(|task| task.tid)
}

/// Returns the child processes of all threads of a process, the dead included. A kernel may be built without the files
/// that tell them.
pub(crate) fn children(id: u32) -> Option<Vec<u32>> {
    let threads = process(id)?.tasks().ok()?.flatten();
    // A thread may end meanwhile.
    let mut lists = threads.filter_map(|thread| thread.children().ok());
    let first = lists.next()?;
    Some(lists.fold(first, |all, more| [all, more].concat()))
}

/// The sorted children of this process, and when they were read.
type OwnChildren = Option<(Instant, Arc<[u32]>)>;

/// Returns the sorted children of this process, as they were at most `age` ago: all programs are looked at at the same
/// intervals, and each look reads a file for every thread. No call returns older ones than an earlier call.
pub(crate) fn own_children(age: Duration) -> Arc<[u32]> {
    static LATEST: Mutex<OwnChildren> = Mutex::new(None);

    let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((when, ids)) = &*latest
        && when.elapsed() < age
    {
        return Arc::clone(ids);
    }
    let when = Instant::now();
    let mut ids = children(std::process::id()).unwrap_or_default();
    ids.sort_unstable();
    let ids = Arc::from(ids);
    *latest = Some((when, Arc::clone(&ids)));
    ids
}
