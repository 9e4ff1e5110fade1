//! Processes as Linux tells of them in `/proc`; nothing is known of one that is gone.

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
