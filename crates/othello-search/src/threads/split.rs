//! A node whose moves several threads search.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
};

use othello_core::{Backend, Position, Square};

use super::team::{Order, Team, locked};
use crate::{
    endgame::Expected,
    eval::Node,
    selectivity::Effort,
    worker::{Search, Worker},
};

/// With less depth a node of the midgame is not worth the trouble; those of the endgame with 14
/// empties and more all are.
const MIDGAME_DEPTH: u32 = 4;
/// From this many empties on, up to 13, the solver's nodes are small, and shared only with an idle thread.
const DEEP_EMPTIES: u32 = 12;
/// From this many empties on the solver asks and tells the shared table too; below, its private
/// table is enough.
const SHARED_EMPTIES: u32 = 12;
/// The same with several threads, so that none need find anew what another has found.
const SHARED_EMPTIES_MULTITHREADED: u32 = 11;
/// The most plies of a game, and more.
const MAX_PLIES: u32 = 64;

/// What to ask of the children of a node.
#[derive(Clone, Copy)]
pub(crate) enum Task {
    /// Whether the node's exact value in discs is above an odd bound.
    Endgame {
        /// The bound.
        alpha: i32,
        /// What the children are expected to be.
        child: Expected,
    },
    /// Whether the node's value in units is above a bound.
    Midgame {
        /// The bound.
        alpha: i32,
        /// How thoroughly to search the children.
        child: Effort,
    },
    /// To panic in a helper, which the thread of the search waits for.
    #[cfg(test)]
    Fail,
}

impl Task {
    fn alpha(self) -> i32 {
        match self {
            Self::Endgame { alpha, .. } | Self::Midgame { alpha, .. } => alpha,
            #[cfg(test)]
            Self::Fail => 0,
        }
    }
}

/// The best value so far and the move that has it.
pub(crate) type Best = (i32, Option<Square>);

/// A node with moves that several threads take, each one in turn.
pub(crate) struct Split {
    search: Arc<Search>,
    /// The split below which this one is, if any.
    parent: Option<Arc<Split>>,
    node: Node,
    task: Task,
    /// The moves not yet searched, best first.
    moves: Vec<(Square, Position)>,
    /// How many of them are taken.
    taken: AtomicUsize,
    /// Set once a move is worth more than the bound.
    cut: AtomicBool,
    best: Mutex<Best>,
    /// How many threads are at it besides the master; changed under the team's lock alone.
    pub(super) helpers: AtomicUsize,
}

impl Split {
    pub(super) fn search(&self) -> &Arc<Search> {
        &self.search
    }

    /// The greater, the better to help at: all moves of an expected all-node will be needed, and
    /// the more empties, the more work a move is.
    pub(super) fn weight(&self) -> u32 {
        let empties = self.node.position().empties().count();
        match self.task {
            Task::Endgame {
                child: Expected::Cut,
                ..
            } => 2 * MAX_PLIES + empties,
            Task::Endgame {
                child: Expected::All,
                ..
            } => MAX_PLIES + empties,
            Task::Midgame { child, .. } => child.depth,
            #[cfg(test)]
            Task::Fail => 0,
        }
    }

    /// How many moves there are to take, as it seems at the moment.
    pub(super) fn moves_left(&self) -> usize {
        if self.cut.load(Relaxed) {
            return 0;
        }
        self.moves.len().saturating_sub(self.taken.load(Relaxed))
    }

    /// Whether this is `other` or below it, as everything is when there is none.
    pub(super) fn is_below(&self, other: Option<&Arc<Self>>) -> bool {
        other.is_none_or(|other| {
            self.line()
                .any(|split| std::ptr::eq(split, Arc::as_ptr(other)))
        })
    }

    /// Whether nothing that is found here is of use any more.
    pub(crate) fn is_void(&self) -> bool {
        self.line().any(|split| split.cut.load(Relaxed))
    }

    /// This split, the one above it, and so on.
    fn line(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |split| split.parent.as_deref())
    }

    /// Takes the next move.
    fn take(&self) -> Option<(Square, Position)> {
        let cut = self.cut.load(Relaxed);
        let next = || self.moves.get(self.taken.fetch_add(1, Relaxed));
        (!cut).then(next)?.copied()
    }

    fn record(&self, value: i32, square: Square) {
        let mut best = locked(&self.best);
        if value > best.0 {
            *best = (value, Some(square));
        }
        if value > self.task.alpha() {
            self.cut.store(true, Relaxed);
        }
    }
}

/// Closes a split, come what may.
struct Opened<'a>(&'a Team, &'a Arc<Split>);

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        self.0.close(self.1);
    }
}

impl<B: Backend> Worker<'_, B> {
    /// Whether the search has several threads.
    #[inline(always)]
    pub(crate) fn is_multithreaded(&self) -> bool {
        self.team.is_some()
    }

    /// Whether other threads may take moves of a midgame node that is searched so deep.
    #[inline(always)]
    pub(crate) fn may_share_midgame(&self, depth: u32) -> bool {
        depth >= MIDGAME_DEPTH && self.is_multithreaded()
    }

    /// Whether other threads may take moves of a node with so few empties: if one has nothing to do.
    #[inline(always)]
    pub(crate) fn may_share_deep(&self, empties: u32) -> bool {
        empties >= DEEP_EMPTIES && self.team.is_some_and(Team::has_idle_thread)
    }

    /// Whether what is found with so many empties goes to the shared table.
    #[inline(always)]
    pub(crate) fn may_share_solution(&self, empties: u32) -> bool {
        empties >= SHARED_EMPTIES
            || empties >= SHARED_EMPTIES_MULTITHREADED && self.is_multithreaded()
    }

    /// Searches the moves that are left, best first, together with all threads that find the time;
    /// `best` is that of the moves searched before. Void once [`stopped`](Self::stopped).
    #[cold]
    #[inline(never)]
    pub(crate) fn share(
        &mut self,
        node: &Node,
        task: Task,
        moves: Vec<(Square, Position)>,
        best: Best,
    ) -> Best {
        let Some(team) = self.team else {
            unreachable!("only threads of a team share their moves")
        };
        let split = Arc::new(Split {
            search: Arc::clone(self.search),
            parent: self.split.clone(),
            node: *node,
            task,
            moves,
            taken: AtomicUsize::new(0),
            cut: AtomicBool::new(false),
            best: Mutex::new(best),
            helpers: AtomicUsize::new(0),
        });
        let outer = self.split.replace(Arc::clone(&split));
        team.open(&split);
        {
            let _opened = Opened(team, &split);
            self.take_moves(&split);
        }
        while let Order::Help(below) = team.wait(self.seat, Some(&split)) {
            self.help(&below);
        }
        self.split = outer;
        // It may have been stopped by a cut at this split, which ends no other search.
        self.stopped = false;
        self.poll_after_waiting();
        *locked(&split.best)
    }

    /// Takes moves of a split of another thread, and leaves it when there are no more.
    pub(super) fn help(&mut self, split: &Arc<Split>) {
        let outer = self.split.replace(Arc::clone(split));
        self.stopped = false;
        self.poll_after_waiting();
        let done = catch_unwind(AssertUnwindSafe(|| self.take_moves(split)));
        if let Err(panic) = done {
            self.control.fail(panic);
        }
        self.poll();
        self.split = outer;
        if let Some(team) = self.team {
            team.leave(split);
        }
    }

    fn take_moves(&mut self, split: &Split) {
        while !self.stopped
            && let Some((square, child)) = split.take()
        {
            let child = split.node.after(square, child);
            let value = match split.task {
                Task::Endgame {
                    alpha,
                    child: expected,
                } => -self.high(&child, -alpha, expected),
                Task::Midgame {
                    alpha,
                    child: effort,
                } => -self.test(&child, effort, -alpha - 1),
                #[cfg(test)]
                Task::Fail if self.seat > 0 => panic!("a helper fails, as it is told to"),
                #[cfg(test)]
                Task::Fail => {
                    while !self.stopped {
                        self.poll();
                    }
                    0
                }
            };
            if !self.stopped {
                split.record(value, square);
            }
        }
    }
}
