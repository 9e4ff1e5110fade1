//! A node whose moves several threads search.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{
        AtomicBool, AtomicU64, AtomicUsize,
        Ordering::{Acquire, Relaxed, Release},
    },
};

use othello_core::{Position, Square};

use crate::{
    control::Search,
    eval::Node,
    node_type::NodeType,
    score::{Discs, Units},
    selectivity::Effort,
};

/// A bound above any number of empties or depth.
const MAX_PLIES: u32 = 64;
/// Marks a move that no thread has taken yet.
const NOBODY: usize = usize::MAX;

/// The kind of search of a shared node's children.
#[derive(Clone, Copy)]
pub(crate) enum Task {
    /// Compares the exact value with an odd bound.
    Endgame { alpha: Discs, child: NodeType },
    /// Compares the value of a midgame search with a bound.
    Midgame { alpha: Units, child: Effort },
    /// Misbehaves as a test demands.
    #[cfg(test)]
    Test(super::tests::Misbehaviour),
}

impl Task {
    fn alpha(self) -> Units {
        match self {
            Self::Endgame { alpha, .. } => Units::from_discs(alpha),
            Self::Midgame { alpha, .. } => alpha,
            #[cfg(test)]
            Self::Test(_) => Units::ZERO,
        }
    }

    /// The priority for sharing the node's moves, highest first. Endgame nodes come before midgame nodes. Among endgame
    /// nodes, expected all-nodes come before cut nodes because all their moves will be needed, and then nodes with more
    /// empties, whose moves are more work. Among midgame nodes, deeper ones come first.
    pub(crate) fn weight(self, node: &Node) -> u32 {
        let empties = node.position().empties().count();
        match self {
            Self::Endgame {
                child: NodeType::Cut,
                ..
            } => 2 * MAX_PLIES + empties,
            Self::Endgame {
                child: NodeType::All,
                ..
            } => MAX_PLIES + empties,
            Self::Midgame { child, .. } => child.depth,
            #[cfg(test)]
            Self::Test(_) => 0,
        }
    }
}

/// The best value so far and its move.
pub(crate) type Best = (Units, Option<Square>);

/// A move of a split that a thread is searching.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) split: Arc<Split>,
    /// The index of the move.
    pub(crate) number: usize,
}

impl Place {
    /// Returns whether results found here are no longer needed.
    pub(crate) fn is_void(&self) -> bool {
        self.line()
            .any(|place| place.split.is_cut() || place.split.is_done(place.number))
    }

    /// Returns whether this is below a move of `split`.
    fn is_below(&self, split: &Arc<Split>) -> bool {
        self.line().any(|place| Arc::ptr_eq(&place.split, split))
    }

    /// An iterator over this place, the place above its split, and so on.
    fn line(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |place| place.split.parent.as_ref())
    }
}

/// A move that threads may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SplitMove {
    pub(crate) square: Square,
    /// The position after the move.
    pub(crate) child: Position,
    /// The evaluation of that position, if move ordering needed it.
    pub(crate) estimate: Option<Units>,
}

/// A node whose moves several threads take in turn.
pub(crate) struct Split {
    search: Arc<Search>,
    /// The move that this split is below, if any.
    pub(crate) parent: Option<Place>,
    pub(crate) node: Node,
    pub(crate) task: Task,
    /// The moves not yet searched, best first.
    pub(crate) moves: Vec<SplitMove>,
    /// The number of the thread that first took each move.
    takers: Vec<AtomicUsize>,
    /// The number of moves taken.
    taken: AtomicUsize,
    /// One bit for each completed move.
    done: AtomicU64,
    /// Set once a move is above the bound.
    cut: AtomicBool,
    best: Mutex<Best>,
}

impl Split {
    /// The best value so far and its move.
    pub(crate) fn best(&self) -> Best {
        *locked(&self.best)
    }

    pub(crate) fn search(&self) -> &Arc<Search> {
        &self.search
    }

    /// The priority for helping, highest first.
    pub(crate) fn weight(&self) -> u32 {
        self.task.weight(&self.node)
    }

    /// The approximate number of moves left to take.
    pub(crate) fn moves_left(&self) -> usize {
        if self.is_cut() {
            return 0;
        }
        self.moves.len().saturating_sub(self.taken.load(Relaxed))
    }

    /// Returns whether this is `other` or below it; always true if there is no `other`.
    pub(crate) fn is_below(&self, other: Option<&Arc<Self>>) -> bool {
        other.is_none_or(|other| {
            std::ptr::eq(self, Arc::as_ptr(other))
                || self.parent.as_ref().is_some_and(|at| at.is_below(other))
        })
    }

    /// Returns whether the owner may go on: the value is known or no longer needed.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_cut()
            || self.done.load(Acquire).count_ones() as usize == self.moves.len()
            || self.search.control.is_finished()
            || self.parent.as_ref().is_some_and(Place::is_void)
    }

    /// The moves being searched, by index, each with the thread that took it, or `None` if that thread has not recorded
    /// it yet.
    pub(crate) fn in_progress(&self) -> impl Iterator<Item = (usize, Option<usize>)> {
        let taken = self.taken.load(Relaxed).min(self.moves.len());
        let numbers = (0..taken).filter(|&number| !self.is_done(number));
        numbers.map(|number| {
            let thread = self.takers[number].load(Relaxed);
            (number, Some(thread).filter(|&thread| thread != NOBODY))
        })
    }

    fn is_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }

    fn is_done(&self, number: usize) -> bool {
        self.done.load(Relaxed) & 1 << number != 0
    }

    /// Takes the next move for a thread, and returns its index.
    pub(crate) fn take(&self, thread: usize) -> Option<usize> {
        if self.is_cut() {
            return None;
        }
        let number = self.taken.fetch_add(1, Relaxed);
        self.takers.get(number)?.store(thread, Relaxed);
        Some(number)
    }

    /// Records the value of a move. If two threads have searched it, both values are valid.
    pub(crate) fn record(&self, number: usize, value: Units) {
        {
            let mut best = locked(&self.best);
            if value > best.0 {
                *best = (value, Some(self.moves[number].square));
            }
        }
        if value > self.task.alpha() {
            self.cut.store(true, Relaxed);
        }
        self.done.fetch_or(1 << number, Release);
    }
}

/// A node whose thread searches the moves alone until another thread is idle.
pub(crate) struct Pending {
    pub(crate) node: Node,
    pub(crate) task: Task,
    /// The remaining moves; empty once a split has them.
    moves: Vec<SplitMove>,
    /// The index of the move being searched.
    current: usize,
    pub(crate) best: Best,
    /// The split, once it is open to other threads.
    pub(crate) split: Option<Arc<Split>>,
}

impl Pending {
    /// Creates a node whose thread starts with the first of `moves`; `best` is the result of the moves searched before.
    pub(crate) fn new(node: Node, task: Task, moves: Vec<SplitMove>, best: Best) -> Self {
        Self {
            node,
            task,
            moves,
            current: 0,
            best,
            split: None,
        }
    }

    /// Turns the node into a split below `parent`, whose current move `thread` searches. Returns the place of that
    /// move.
    pub(crate) fn open(
        &mut self,
        search: &Arc<Search>,
        parent: Option<Place>,
        thread: usize,
    ) -> Place {
        let (count, number) = (self.moves.len(), self.current);
        let taker = |at| if at == number { thread } else { NOBODY };
        let split = Arc::new(Split {
            search: Arc::clone(search),
            parent,
            node: self.node,
            task: self.task,
            moves: std::mem::take(&mut self.moves),
            takers: (0..count).map(|at| AtomicUsize::new(taker(at))).collect(),
            taken: AtomicUsize::new(number + 1),
            done: AtomicU64::new((1 << number) - 1),
            cut: AtomicBool::new(false),
            best: Mutex::new(self.best),
        });
        self.split = Some(Arc::clone(&split));
        Place { split, number }
    }

    /// The move to be searched next.
    pub(crate) fn next(&self) -> Option<SplitMove> {
        self.moves.get(self.current).copied()
    }

    /// Returns whether there are moves after the current one.
    pub(crate) fn has_more(&self) -> bool {
        self.current + 1 < self.moves.len()
    }

    /// Records the value of the move. Returns whether the owner stops searching the moves alone.
    pub(crate) fn record(&mut self, value: Units, square: Square) -> bool {
        if let Some(split) = &self.split {
            split.record(self.current, value);
            return true;
        }
        if value > self.best.0 {
            self.best = (value, Some(square));
        }
        self.current += 1;
        value > self.task.alpha()
    }
}

/// Locks a mutex even if it is poisoned, because no operation under a lock can fail halfway.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
