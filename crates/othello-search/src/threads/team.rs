//! The threads of a searcher: which are idle, and where there is work.

use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use super::split::{Split, locked};
use crate::private::PrivateTable;

/// The time after which a move is taken over from a thread that has not got on with it: several looks
/// whether to stop, and less than the system lets a thread wait for its processor.
const STALL: Duration = Duration::from_micros(500);

/// The states of the threads, and where there is work.
///
/// Seat 0 is that of the thread which calls the search.
pub(crate) struct Team {
    state: Mutex<State>,
    /// One for each seat.
    wakeups: Vec<Condvar>,
    /// One for each seat.
    progress: Vec<Progress>,
    /// The number of idle threads; changed under the lock alone.
    idle: AtomicUsize,
    /// The number of times that a thread has helped at a split.
    #[cfg(test)]
    helped: AtomicUsize,
    /// The private tables of the seats from 1 on, each held while its thread works.
    pub(crate) privates: Vec<Mutex<PrivateTable>>,
}

/// The number of polls of a thread, on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
struct Progress(AtomicU64);

struct State {
    seats: Vec<SeatState>,
    /// The splits that may have moves to take.
    open: Vec<Arc<Split>>,
    /// True if the helpers are to end.
    shutdown: bool,
}

/// A move that is being searched.
#[derive(PartialEq, Eq)]
struct Move {
    number: usize,
    /// The seat of the thread that took it, once that thread has said so.
    seat: Option<usize>,
    /// The polls of that thread.
    progress: u64,
}

/// The state of a seat's thread.
enum SeatState {
    /// It works, or was woken and looks for work.
    Busy,
    /// It is idle until there is work below the split of which it is the master, or for any if there is none.
    Idle(Option<Arc<Split>>),
}

/// The next thing for a thread to do.
pub(crate) enum Order {
    /// Take moves of this split.
    Help(Arc<Split>),
    /// Search a move of its own split, since the thread that took it does not get on.
    TakeOver(usize),
    /// Go on with its own split, which is settled.
    Resume,
    /// End.
    ShutDown,
}

impl Team {
    pub(crate) fn new(helpers: usize) -> Self {
        let seats = 0..=helpers;
        Self {
            state: Mutex::new(State {
                seats: seats.clone().map(|_| SeatState::Busy).collect(),
                open: Vec::new(),
                shutdown: false,
            }),
            wakeups: seats.clone().map(|_| Condvar::new()).collect(),
            progress: seats.map(|_| Progress::default()).collect(),
            idle: AtomicUsize::new(0),
            #[cfg(test)]
            helped: AtomicUsize::new(0),
            privates: (0..helpers)
                .map(|_| Mutex::new(PrivateTable::new()))
                .collect(),
        }
    }

    /// Forgets what the helpers' private tables hold.
    pub(crate) fn clear(&self) {
        for private in &self.privates {
            locked(private).clear();
        }
    }

    /// Waits for something to do: below `own`, a split that this thread is the master of, or
    /// anywhere if there is none.
    pub(crate) fn wait(&self, seat: usize, own: Option<&Arc<Split>>) -> Order {
        let mut state = locked(&self.state);
        loop {
            if let Some(order) = state.order(own) {
                return order;
            }
            state.seats[seat] = SeatState::Idle(own.cloned());
            self.idle.fetch_add(1, Relaxed);
            let is_idle = |state: &mut State| matches!(state.seats[seat], SeatState::Idle(_));
            let wakeup = &self.wakeups[seat];
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
                state.seats[seat] = SeatState::Busy;
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
            .map(|(number, seat)| Move {
                number,
                seat,
                progress: seat.map_or(0, |seat| self.progress[seat].0.load(Relaxed)),
            })
            .collect()
    }

    /// Notes that the thread of a seat gets on.
    #[inline(always)]
    pub(crate) fn progress(&self, seat: usize) {
        let progress = &self.progress[seat].0;
        progress.store(progress.load(Relaxed) + 1, Relaxed);
    }

    /// Returns whether some thread is idle.
    #[inline(always)]
    pub(crate) fn has_idle_thread(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Makes the moves of a split known to all, and wakes as many idle threads as find one to take.
    pub(crate) fn open(&self, split: &Arc<Split>) {
        let mut state = locked(&self.state);
        state.open.push(Arc::clone(split));
        let places = split.moves_left();
        let fits =
            |seat: &SeatState| matches!(seat, SeatState::Idle(own) if split.is_below(own.as_ref()));
        self.wake(&mut state, places, fits);
    }

    /// Closes a split that has no more moves to take.
    pub(crate) fn close(&self, split: &Arc<Split>) {
        locked(&self.state).close(split);
    }

    /// Takes a helper off a split, and wakes the split's master if it waits and may go on.
    pub(crate) fn leave(&self, split: &Arc<Split>) {
        #[cfg(test)]
        self.helped.fetch_add(1, Relaxed);
        let mut state = locked(&self.state);
        state.close(split);
        if !split.is_settled() {
            return;
        }
        let waits = |seat: &SeatState| matches!(seat, SeatState::Idle(Some(own)) if Arc::ptr_eq(own, split));
        self.wake(&mut state, 1, waits);
    }

    /// Ends the helpers, once they have done what they are at.
    pub(crate) fn shut_down(&self) {
        let mut state = locked(&self.state);
        state.shutdown = true;
        let all = self.wakeups.len();
        self.wake(&mut state, all, |seat| {
            matches!(seat, SeatState::Idle(None))
        });
    }

    /// Wakes the first `max` of the idle threads that are meant.
    fn wake(&self, state: &mut State, max: usize, is_meant: impl Fn(&SeatState) -> bool) {
        let seats = state.seats.iter_mut().zip(&self.wakeups);
        for (seat, wakeup) in seats.filter(|(seat, _)| is_meant(seat)).take(max) {
            *seat = SeatState::Busy;
            self.idle.fetch_sub(1, Relaxed);
            wakeup.notify_one();
        }
    }

    #[cfg(test)]
    pub(crate) fn helped(&self) -> usize {
        self.helped.load(Relaxed)
    }

    /// Returns whether there is no work for anyone.
    #[cfg(test)]
    pub(crate) fn is_at_rest(&self) -> bool {
        locked(&self.state).open.is_empty()
    }
}

impl State {
    /// Returns the next order for an idle thread, if there is one.
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

    /// A move whose thread works, but has not got on between two looks.
    fn stalled(&self, before: &[Move], now: &[Move]) -> Option<usize> {
        let works = |seat: usize| matches!(self.seats[seat], SeatState::Busy);
        let mut known = before.iter().filter(|known| now.contains(known));
        let stalled = known.find(|known| known.seat.is_none_or(works));
        stalled.map(|known| known.number)
    }

    fn close(&mut self, split: &Arc<Split>) {
        self.open.retain(|open| !Arc::ptr_eq(open, split));
    }
}
