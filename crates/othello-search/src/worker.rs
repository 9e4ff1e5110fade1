//! One thread's share of a search: its counters, its private memory, and when it must stop.

use std::{
    any::Any,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use othello_core::{Backend, Tier};

use crate::{
    StopHandle, TimeBudget,
    eval::{Evaluator, Network},
    private::PrivateTable,
    table::Table,
    threads::{Pending, Place, Team},
};

/// What the threads of one search share.
pub(crate) struct Search {
    /// The instructions to use.
    pub(crate) tier: Tier,
    /// The learned evaluation.
    pub(crate) network: Arc<Network>,
    pub(crate) table: Arc<Table>,
    pub(crate) control: Control,
    /// Those who help, with more than one thread.
    pub(crate) team: Option<Arc<Team>>,
}

/// When a search must stop.
#[derive(Default)]
pub(crate) struct Control {
    /// The handles that stop this search.
    stops: Vec<StopHandle>,
    /// Its time, if it is limited, and since when it runs.
    time: Option<(Instant, TimeBudget)>,
    /// The longest time for which the system has max_stall the processor from a thread, in
    /// nanoseconds.
    max_stall: AtomicU64,
    /// How many nodes it may take, if there is a limit.
    node_limit: Option<u64>,
    /// The nodes reported by all threads so far.
    nodes: AtomicU64,
    /// The positions generated besides, likewise.
    generated: AtomicU64,
    /// Set by the thread that finds the search to be over, and never unset.
    finished: AtomicBool,
    /// The first panic of a helper.
    failure: Mutex<Option<Panic>>,
}

/// What a panic carries.
type Panic = Box<dyn Any + Send>;

impl Control {
    /// That of a search that is to end in time, not begun.
    pub(crate) fn new(
        stops: Vec<StopHandle>,
        time: Option<(Instant, TimeBudget)>,
        node_limit: Option<u64>,
    ) -> Self {
        Self {
            stops,
            time,
            node_limit,
            ..Self::default()
        }
    }

    /// Whether the search must end now; once it must, it must for ever. `looked` is when a thread
    /// that has worked since then looked last; `now` looks again, where there is a limit of time.
    fn is_over(&self, looked: &mut Option<Instant>, now: impl FnOnce() -> Instant) -> bool {
        if self.finished.load(Relaxed) {
            return true;
        }
        let over = self
            .node_limit
            .is_some_and(|limit| self.nodes.load(Relaxed) >= limit)
            || self.stops.iter().any(StopHandle::is_stopped)
            || self.time.is_some_and(|(start, budget)| {
                let now = now();
                if let Some(before) = looked.replace(now) {
                    self.record_stall(now - before);
                }
                now.saturating_duration_since(start) >= budget.end(self.max_stall())
            });
        if over {
            self.finish();
        }
        over
    }

    /// Takes into account that a thread did not get on for so long.
    pub(crate) fn record_stall(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if nanoseconds > self.max_stall.load(Relaxed) {
            self.max_stall.fetch_max(nanoseconds, Relaxed);
        }
    }

    /// The longest time for which a thread did not get on.
    pub(crate) fn max_stall(&self) -> Duration {
        Duration::from_nanos(self.max_stall.load(Relaxed))
    }

    /// Looks whether the search must end, for a thread that is idle.
    pub(crate) fn check(&self) {
        self.is_over(&mut None, Instant::now);
    }

    /// Whether the search has ended, as far as any thread has found.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(Relaxed)
    }

    /// Ends the search.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Ends the search because of a helper's panic, for the caller's thread to go on with.
    pub(crate) fn fail(&self, panic: Panic) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(panic);
        self.finish();
    }

    /// The first panic of a helper.
    pub(crate) fn take_failure(&self) -> Option<Panic> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take()
    }
}

/// The search of one thread.
pub(crate) struct Worker<'a, B> {
    pub(crate) backend: B,
    pub(crate) evaluator: Evaluator<'a>,
    pub(crate) table: &'a Table,
    pub(crate) private: &'a mut PrivateTable,
    pub(crate) control: &'a Control,
    /// The positions entered by this thread.
    pub(crate) nodes: u64,
    /// Those that it generated besides: see [`Report::generated`](crate::Report::generated).
    pub(crate) generated: u64,
    /// Once set, every value on the way back to the root, or to the nearest split, is void.
    pub(crate) stopped: bool,
    pub(crate) search: &'a Arc<Search>,
    pub(crate) team: Option<&'a Team>,
    /// This thread's place in the team.
    pub(crate) seat: usize,
    /// The move of a split that it is working at.
    pub(crate) place: Option<Place>,
    /// The nodes above the one that it is at whose moves it may share, from the highest on.
    pub(crate) pending: Vec<Pending>,
    /// When it looked at the clock last, unless it has waited for work since.
    looked: Option<Instant>,
    reported: u64,
    reported_generated: u64,
    next_poll: u64,
}

/// So many nodes pass between two looks at the clock: about 0.1 ms of midgame search.
const POLL_INTERVAL: u64 = 512;

impl<'a, B: Backend> Worker<'a, B> {
    pub(crate) fn new(
        backend: B,
        search: &'a Arc<Search>,
        private: &'a mut PrivateTable,
        seat: usize,
    ) -> Self {
        let mut worker = Self {
            backend,
            evaluator: Evaluator::new(&search.network),
            table: &search.table,
            private,
            control: &search.control,
            nodes: 0,
            generated: 0,
            stopped: false,
            search,
            team: search.team.as_deref(),
            seat,
            place: None,
            pending: Vec::new(),
            looked: None,
            reported: 0,
            reported_generated: 0,
            next_poll: 0,
        };
        worker.poll();
        worker
    }

    /// Counts a node and, now and then, looks whether the search must stop.
    #[inline(always)]
    pub(crate) fn enter(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Counts positions that are generated, but not entered at once.
    #[inline(always)]
    pub(crate) fn generate(&mut self, positions: u32) {
        self.generated += u64::from(positions);
    }

    /// Reports the nodes so far and looks whether the search, or the one below a split, must stop.
    #[cold]
    #[inline(never)]
    pub(crate) fn poll(&mut self) {
        let control = self.control;
        let total = control.nodes.fetch_add(self.nodes - self.reported, Relaxed) + self.nodes
            - self.reported;
        self.reported = self.nodes;
        let generated = self.generated - self.reported_generated;
        control.generated.fetch_add(generated, Relaxed);
        self.reported_generated = self.generated;
        let limit = control.node_limit.unwrap_or(u64::MAX);
        let left = limit.saturating_sub(total).max(1);
        self.next_poll = self.nodes + left.min(POLL_INTERVAL);
        self.stopped |= control.is_over(&mut self.looked, Instant::now)
            || self.place.as_ref().is_some_and(Place::is_void);
        if let Some(team) = self.team {
            team.progress(self.seat);
            if team.has_idle_thread() && !self.stopped {
                self.publish(team);
            }
        }
    }
}

impl<B: Backend> Worker<'_, B> {
    /// Looks whether the search must stop, after a time in which this thread had nothing to do.
    pub(crate) fn poll_after_waiting(&mut self) {
        self.looked = None;
        self.poll();
    }

    /// The nodes of all threads, as far as they have reported.
    pub(crate) fn total_nodes(&mut self) -> u64 {
        self.poll();
        self.control.nodes.load(Relaxed)
    }

    /// The positions that all threads generated besides, as far as they have reported.
    pub(crate) fn total_generated(&mut self) -> u64 {
        self.poll();
        self.control.generated.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_did_not_get_on_ends_the_search_earlier() {
        let seconds = Duration::from_secs;
        let budget = TimeBudget {
            limit: seconds(10),
            ..TimeBudget::fixed(seconds(8))
        };
        let start = Instant::now();
        let now = start + seconds(5);
        let control = Control::new(Vec::new(), Some((start, budget)), None);
        assert!(!control.is_over(&mut None, || now));
        assert_eq!(control.max_stall(), Duration::ZERO);
        // Four waits of two seconds would leave but two, so half of the time is all.
        let mut looked = Some(start + seconds(3));
        assert!(control.is_over(&mut looked, || now));
        assert_eq!((looked, control.max_stall()), (Some(now), seconds(2)));
    }
}
