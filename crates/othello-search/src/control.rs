//! State shared by the threads of a search, and the conditions that end it.

use std::{
    any::Any,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use othello_core::Tier;

use crate::{Instant, StopHandle, TimeBudget, eval::Network, table::Table};

/// The state shared by the threads of a search.
pub(crate) struct Search {
    /// The instructions to use.
    pub(crate) tier: Tier,
    /// The learned evaluation.
    pub(crate) network: Arc<Network>,
    pub(crate) table: Arc<Table>,
    pub(crate) control: Control,
}

/// The conditions that end a search, and its node counts.
#[derive(Default)]
pub(crate) struct Control {
    /// Handles that stop this search.
    stops: Vec<StopHandle>,
    /// The start of the search and its time budget, if time is limited.
    time: Option<(Instant, TimeBudget)>,
    /// The longest time in which some thread did not run (a stall), in nanoseconds.
    max_stall: AtomicU64,
    /// The node limit, if there is one.
    node_limit: Option<u64>,
    /// The nodes reported by all threads so far.
    nodes: AtomicU64,
    /// The generated positions reported by all threads so far.
    generated: AtomicU64,
    /// Set by the thread that detects the end of the search, and never unset.
    finished: AtomicBool,
    /// The first panic of a helper thread.
    failure: Mutex<Option<Panic>>,
}

/// The payload of a panic.
type Panic = Box<dyn Any + Send>;

impl Control {
    /// Creates the state of a search that has not started.
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

    /// Adds nodes and generated positions to the totals. Returns the number of nodes left under the limit.
    pub(crate) fn add_nodes(&self, nodes: u64, generated: u64) -> u64 {
        let total = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        self.generated.fetch_add(generated, Relaxed);
        let limit = self.node_limit.unwrap_or(u64::MAX);
        limit.saturating_sub(total)
    }

    /// Returns the nodes reported by all threads so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the generated positions reported by all threads so far.
    pub(crate) fn generated(&self) -> u64 {
        self.generated.load(Relaxed)
    }

    /// Returns whether the search must end; once true, it stays true. `last_poll` is the time of the thread's last
    /// check, or `None` if it has been idle since. `now` is called only if time is limited.
    pub(crate) fn is_over(
        &self,
        last_poll: &mut Option<Instant>,
        now: impl FnOnce() -> Instant,
    ) -> bool {
        if self.finished.load(Relaxed) {
            return true;
        }
        let over = self
            .node_limit
            .is_some_and(|limit| self.nodes.load(Relaxed) >= limit)
            || self.stops.iter().any(StopHandle::is_stopped)
            || self.time.is_some_and(|(start, budget)| {
                let now = now();
                if let Some(before) = last_poll.replace(now) {
                    self.record_stall(now - before);
                }
                now.saturating_duration_since(start) >= budget.end(self.max_stall())
            });
        if over {
            self.finish();
        }
        over
    }

    /// Records a time in which a thread made no progress.
    pub(crate) fn record_stall(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if nanoseconds > self.max_stall.load(Relaxed) {
            self.max_stall.fetch_max(nanoseconds, Relaxed);
        }
    }

    /// Returns the longest stall of a thread.
    pub(crate) fn max_stall(&self) -> Duration {
        Duration::from_nanos(self.max_stall.load(Relaxed))
    }

    /// Ends the search if it must end; called for an idle thread.
    pub(crate) fn check(&self) {
        self.is_over(&mut None, Instant::now);
    }

    /// Returns whether a thread has detected the end of the search.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(Relaxed)
    }

    /// Ends the search.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Ends the search because a helper thread panicked; the calling thread resumes the panic.
    pub(crate) fn fail(&self, panic: Panic) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(panic);
        self.finish();
    }

    /// Takes the first panic of a helper thread.
    pub(crate) fn take_failure(&self) -> Option<Panic> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stalled_thread_ends_the_search_earlier() {
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
        // Four waits of two seconds would leave only two, so half of the time applies.
        let mut last_poll = Some(start + seconds(3));
        assert!(control.is_over(&mut last_poll, || now));
        assert_eq!((last_poll, control.max_stall()), (Some(now), seconds(2)));
    }
}
