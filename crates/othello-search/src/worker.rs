//! The search of one thread: its counters, its private table, and its polling for a stop.

use std::sync::Arc;

use othello_core::{Backend, Bitboard};

use crate::{
    Instant,
    control::{Control, Search},
    eval::Evaluator,
    private::PrivateTable,
    table::Table,
    threads::{Pending, Place, Team},
};

/// The search of one thread.
pub(crate) struct Worker<'a, B> {
    pub(crate) backend: B,
    pub(crate) evaluator: Evaluator<'a>,
    pub(crate) table: &'a Table,
    pub(crate) private: &'a mut PrivateTable,
    pub(crate) control: &'a Control,
    /// The positions entered by this thread.
    pub(crate) nodes: u64,
    /// The positions that it generated in addition: see [`Report::generated`](crate::Report::generated).
    pub(crate) generated: u64,
    /// The move of the last cutoff in [`leaves`](Self::leaves), if any: it often cuts off the next node too, usually a
    /// sibling.
    pub(crate) killer: Bitboard,
    /// If set, every value returned towards the root or the nearest split is meaningless.
    pub(crate) stopped: bool,
    pub(crate) search: &'a Arc<Search>,
    pub(crate) team: Option<&'a Team>,
    /// The number of this thread; 0 is the calling thread.
    pub(crate) thread: usize,
    /// The move of a split that it is searching, if any.
    pub(crate) place: Option<Place>,
    /// The ancestors whose moves it may share, nearest to the root first.
    pub(crate) pending: Vec<Pending>,
    /// The time of its last check of the clock, unless it has waited for work since.
    last_poll: Option<Instant>,
    reported: u64,
    reported_generated: u64,
    next_poll: u64,
}

/// The number of nodes between two checks of the clock: about 0.1 ms of midgame search.
const POLL_INTERVAL: u64 = 512;

impl<'a, B: Backend> Worker<'a, B> {
    pub(crate) fn new(
        backend: B,
        search: &'a Arc<Search>,
        private: &'a mut PrivateTable,
        team: Option<&'a Team>,
        thread: usize,
    ) -> Self {
        let mut worker = Self {
            backend,
            evaluator: Evaluator::new(&search.network),
            table: &search.table,
            private,
            control: &search.control,
            nodes: 0,
            generated: 0,
            killer: Bitboard::EMPTY,
            stopped: false,
            search,
            team,
            thread,
            place: None,
            pending: Vec::new(),
            last_poll: None,
            reported: 0,
            reported_generated: 0,
            next_poll: 0,
        };
        worker.poll();
        worker
    }

    /// Counts a node and, every [`POLL_INTERVAL`] nodes, checks for a stop.
    #[inline(always)]
    pub(crate) fn enter(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Counts positions that are generated but not entered immediately.
    #[inline(always)]
    pub(crate) fn generate(&mut self, positions: u32) {
        self.generated += u64::from(positions);
    }

    /// Reports the nodes so far, and checks whether the search, or the one below a split, must stop.
    #[cold]
    #[inline(never)]
    pub(crate) fn poll(&mut self) {
        let control = self.control;
        let left = control.add_nodes(
            self.nodes - self.reported,
            self.generated - self.reported_generated,
        );
        self.reported = self.nodes;
        self.reported_generated = self.generated;
        let left = left.max(1);
        self.next_poll = self.nodes + left.min(POLL_INTERVAL);
        self.stopped |= control.is_over(&mut self.last_poll, Instant::now)
            || self.place.as_ref().is_some_and(Place::is_void);
        if let Some(team) = self.team {
            team.progress(self.thread);
            if team.has_idle_thread() && !self.stopped {
                self.publish(team);
            }
        }
    }
}

impl<B: Backend> Worker<'_, B> {
    /// Checks for a stop after this thread was idle.
    pub(crate) fn poll_after_waiting(&mut self) {
        self.last_poll = None;
        self.poll();
    }

    /// The nodes of all threads that have been reported so far.
    pub(crate) fn total_nodes(&mut self) -> u64 {
        self.poll();
        self.control.nodes()
    }

    /// The generated positions of all threads that have been reported so far.
    pub(crate) fn total_generated(&mut self) -> u64 {
        self.poll();
        self.control.generated()
    }
}
