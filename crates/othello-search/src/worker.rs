//! One thread's share of a search: its counters, its private memory, and when it must stop.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use othello_core::Backend;

use crate::{StopHandle, endgame::PrivateTable, eval::Evaluator, table::Table};

/// What the threads of one search share besides the table.
pub(crate) struct Control {
    /// The handles that stop this search.
    pub(crate) stops: Vec<StopHandle>,
    /// When the search must end.
    pub(crate) deadline: Option<Instant>,
    /// How many nodes it may take.
    pub(crate) node_limit: u64,
    /// The nodes reported by all threads so far.
    pub(crate) nodes: AtomicU64,
    /// Set by the thread that finds the search to be over.
    pub(crate) finished: AtomicBool,
}

impl Control {
    /// Whether the search must end now.
    pub(crate) fn is_over(&self) -> bool {
        self.finished.load(Relaxed)
            || self.nodes.load(Relaxed) >= self.node_limit
            || self.stops.iter().any(StopHandle::is_stopped)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
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
    /// Once set, every value on the way back to the root is void.
    pub(crate) stopped: bool,
    /// 0 for the thread that reports; others order moves a little differently, each in its way, so
    /// that they fill the table with what the first will need later.
    pub(crate) helper: u64,
    reported: u64,
    next_poll: u64,
}

/// So many nodes pass between two looks at the clock: about 0.1 ms of midgame search.
const POLL_INTERVAL: u64 = 512;

impl<'a, B: Backend> Worker<'a, B> {
    pub(crate) fn new(
        backend: B,
        evaluator: Evaluator<'a>,
        table: &'a Table,
        private: &'a mut PrivateTable,
        control: &'a Control,
        helper: u64,
    ) -> Self {
        let mut worker = Self {
            backend,
            evaluator,
            table,
            private,
            control,
            nodes: 0,
            stopped: false,
            helper,
            reported: 0,
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

    #[cold]
    #[inline(never)]
    pub(crate) fn poll(&mut self) {
        let control = self.control;
        let total = control.nodes.fetch_add(self.nodes - self.reported, Relaxed) + self.nodes
            - self.reported;
        self.reported = self.nodes;
        let left = control.node_limit.saturating_sub(total).max(1);
        self.next_poll = self.nodes + left.min(POLL_INTERVAL);
        self.stopped |= control.is_over();
    }
}

impl<B: Backend> Worker<'_, B> {
    /// The nodes of all threads, as far as they have reported.
    pub(crate) fn total_nodes(&mut self) -> u64 {
        self.poll();
        self.control.nodes.load(Relaxed)
    }
}
