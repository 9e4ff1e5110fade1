//! The threads of a searcher: their states and the open splits.

use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use super::split::{Split, locked};
use crate::private::PrivateTable;

/// The time without progress after which the owner of a split takes over a helper's move: several polls, and less than
/// a thread may wait for a processor.
const STALL: Duration = Duration::from_micros(500);

/// The states of the threads and the open splits.
///
/// Thread 0 is the calling thread.
pub(crate) struct Team {
    state: Mutex<State>,
    /// A condition variable for each thread.
    wakeups: Vec<Condvar>,
    /// The progress of each thread.
    progress: Vec<Progress>,
    /// The number of idle threads; changed only under the lock.
    idle: AtomicUsize,
    /// The number of times a thread has helped at a split.
    #[cfg(test)]
    helped: AtomicUsize,
    /// The private tables of the threads from 1 on, each locked while its thread works.
    pub(crate) privates: Vec<Mutex<Option<PrivateTable>>>,
}

/// The number of polls of a thread, on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
struct Progress(AtomicU64);

struct State {
    threads: Vec<ThreadState>,
    /// The splits that may have moves to take.
    open: Vec<Arc<Split>>,
    /// True once the helpers are to end.
    shutdown: bool,
}

/// A move being searched.
#[derive(PartialEq, Eq)]
struct Move {
    number: usize,
    /// The thread that took it, once it has recorded that.
    thread: Option<usize>,
    /// That thread's number of polls.
    progress: u64,
}

/// The state of a thread.
enum ThreadState {
    /// Working, or woken and about to take an order.
    Busy,
    /// Waiting for work below its own split, or for any work if it owns none.
    Idle(Option<Arc<Split>>),
}

/// The next thing for a thread to do.
pub(crate) enum Order {
    /// Take moves of this split.
    Help(Arc<Split>),
    /// Search a move of its own split, because the thread that took it has stalled.
    TakeOver(usize),
    /// Resume its own split, which is settled.
    Resume,
    /// End.
    ShutDown,
}

impl Team {
    pub(crate) fn new(helpers: usize) -> Self {
        let threads = 0..=helpers;
        Self {
            state: Mutex::new(State {
                threads: threads.clone().map(|_| ThreadState::Busy).collect(),
                open: Vec::new(),
                shutdown: false,
            }),
            wakeups: threads.clone().map(|_| Condvar::new()).collect(),
            progress: threads.map(|_| Progress::default()).collect(),
            idle: AtomicUsize::new(0),
            #[cfg(test)]
            helped: AtomicUsize::new(0),
            privates: (0..helpers).map(|_| Mutex::default()).collect(),
        }
    }

    /// Clears the helpers' private tables.
    pub(crate) fn clear(&self) {
        for private in &self.privates {
            if let Some(private) = locked(private).as_mut() {
                private.clear();
            }
        }
    }

    /// Waits for an order: below `own`, a split that this thread owns, or anywhere if there is none.
    pub(crate) fn wait(&self, thread: usize, own: Option<&Arc<Split>>) -> Order {
        let mut state = locked(&self.state);
        loop {
            if let Some(order) = state.order(own) {
                return order;
            }
            state.threads[thread] = ThreadState::Idle(own.cloned());
            self.idle.fetch_add(1, Relaxed);
            let is_idle = |state: &mut State| matches!(state.threads[thread], ThreadState::Idle(_));
            let wakeup = &self.wakeups[thread];
            let Some(split) = own else {
                let woken = wakeup.wait_while(state, is_idle);
                state = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let before = self.in_progress(split);
            let woken = wakeup.wait_timeout_while(state, STALL, is_idle);
            let timeout;
            (state, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() {
                state.threads[thread] = ThreadState::Busy;
                self.idle.fetch_sub(1, Relaxed);
                split.search().control.check();
                if let Some(number) = state.stalled(&before, &self.in_progress(split)) {
                    return Order::TakeOver(number);
                }
            }
        }
    }

    /// The moves of a split that are being searched.
    fn in_progress(&self, split: &Split) -> Vec<Move> {
        let moves = split.in_progress();
        moves
            .map(|(number, thread)| Move {
                number,
                thread,
                progress: thread.map_or(0, |thread| self.progress[thread].0.load(Relaxed)),
            })
            .collect()
    }

    /// Records progress of a thread.
    #[inline(always)]
    pub(crate) fn progress(&self, thread: usize) {
        let progress = &self.progress[thread].0;
        progress.store(progress.load(Relaxed) + 1, Relaxed);
    }

    /// Returns whether a thread is idle.
    #[inline(always)]
    pub(crate) fn has_idle_thread(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Opens a split to other threads, and wakes at most as many idle threads as it has moves left.
    pub(crate) fn open(&self, split: &Arc<Split>) {
        let mut state = locked(&self.state);
        state.open.push(Arc::clone(split));
        let places = split.moves_left();
        let fits = |thread: &ThreadState| matches!(thread, ThreadState::Idle(own) if split.is_below(own.as_ref()));
        self.wake(&mut state, places, fits);
    }

    /// Closes a split that has no more moves to take.
    pub(crate) fn close(&self, split: &Arc<Split>) {
        locked(&self.state).close(split);
    }

    /// Removes a helper from a split, and wakes the split's owner if it is waiting and may go on.
    pub(crate) fn leave(&self, split: &Arc<Split>) {
        #[cfg(test)]
        self.helped.fetch_add(1, Relaxed);
        let mut state = locked(&self.state);
        state.close(split);
        if !split.is_settled() {
            return;
        }
        let waits = |thread: &ThreadState| matches!(thread, ThreadState::Idle(Some(own)) if Arc::ptr_eq(own, split));
        self.wake(&mut state, 1, waits);
    }

    /// Ends the helpers once they have completed their orders.
    pub(crate) fn shut_down(&self) {
        let mut state = locked(&self.state);
        state.shutdown = true;
        let all = self.wakeups.len();
        self.wake(&mut state, all, |thread| {
            matches!(thread, ThreadState::Idle(None))
        });
    }

    /// Wakes the first `max` idle threads that match.
    fn wake(&self, state: &mut State, max: usize, is_meant: impl Fn(&ThreadState) -> bool) {
        let threads = state.threads.iter_mut().zip(&self.wakeups);
        for (thread, wakeup) in threads.filter(|(thread, _)| is_meant(thread)).take(max) {
            *thread = ThreadState::Busy;
            self.idle.fetch_sub(1, Relaxed);
            wakeup.notify_one();
        }
    }

    #[cfg(test)]
    pub(crate) fn helped(&self) -> usize {
        self.helped.load(Relaxed)
    }

    /// Returns whether there is no work for any thread.
    #[cfg(test)]
    pub(crate) fn is_at_rest(&self) -> bool {
        locked(&self.state).open.is_empty()
    }
}

impl State {
    /// The next order for an idle thread, if there is one.
    fn order(&self, own: Option<&Arc<Split>>) -> Option<Order> {
        match own {
            Some(own) if own.is_settled() => return Some(Order::Resume),
            None if self.shutdown => return Some(Order::ShutDown),
            _ => (),
        }
        let fitting = |split: &&Arc<Split>| split.moves_left() > 0 && split.is_below(own);
        let open = self.open.iter().filter(fitting);
        let split = open.max_by_key(|split| split.weight())?;
        Some(Order::Help(Arc::clone(split)))
    }

    /// A move whose thread is busy but made no progress between two checks.
    fn stalled(&self, before: &[Move], now: &[Move]) -> Option<usize> {
        let works = |thread: usize| matches!(self.threads[thread], ThreadState::Busy);
        let mut known = before.iter().filter(|known| now.contains(known));
        let stalled = known.find(|known| known.thread.is_none_or(works));
        stalled.map(|known| known.number)
    }

    fn close(&mut self, split: &Arc<Split>) {
        self.open.retain(|open| !Arc::ptr_eq(open, split));
    }
}
