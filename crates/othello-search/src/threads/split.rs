//! A node whose moves several threads search.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{
            AtomicBool, AtomicU64, AtomicUsize,
            Ordering::{Acquire, Relaxed, Release},
        },
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

/// The least depth at which a midgame node is shared; endgame nodes are from 14 empties on.
const MIDGAME_DEPTH: u32 = 4;
/// From this many empties on, up to 13, the solver's nodes are small, and shared only with an idle thread.
const DEEP_EMPTIES: u32 = 12;
/// Greater than any number of empties or depth.
const MAX_PLIES: u32 = 64;
/// The taker of a move that none has taken yet.
const NOBODY: usize = usize::MAX;

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
    /// To get stuck in a helper until the search is over.
    #[cfg(test)]
    Stall,
}

impl Task {
    fn alpha(self) -> i32 {
        match self {
            Self::Endgame { alpha, .. } | Self::Midgame { alpha, .. } => alpha,
            #[cfg(test)]
            Self::Fail | Self::Stall => 0,
        }
    }

    /// The greater, the better to share the node's moves: all moves of an expected all-node will be
    /// needed, and the more empties, the more work a move is.
    fn weight(self, node: &Node) -> u32 {
        let empties = node.position().empties().count();
        match self {
            Self::Endgame {
                child: Expected::Cut,
                ..
            } => 2 * MAX_PLIES + empties,
            Self::Endgame {
                child: Expected::All,
                ..
            } => MAX_PLIES + empties,
            Self::Midgame { child, .. } => child.depth,
            #[cfg(test)]
            Self::Fail | Self::Stall => 0,
        }
    }
}

/// The best value so far and the move that has it.
pub(crate) type Best = (i32, Option<Square>);

/// A move of a split, which a thread is at.
#[derive(Clone)]
pub(crate) struct Place {
    split: Arc<Split>,
    /// The move's number.
    number: usize,
}

impl Place {
    /// Whether nothing that is found here is of use any more.
    pub(crate) fn is_void(&self) -> bool {
        self.line()
            .any(|place| place.split.is_cut() || place.split.is_done(place.number))
    }

    /// Whether this is below a move of `split`.
    fn is_below(&self, split: &Arc<Split>) -> bool {
        self.line().any(|place| Arc::ptr_eq(&place.split, split))
    }

    /// This place, the one above its split, and so on.
    fn line(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |place| place.split.parent.as_ref())
    }
}

/// A node with moves that several threads take, each one in turn.
pub(crate) struct Split {
    search: Arc<Search>,
    /// The move below which this split is, if any.
    parent: Option<Place>,
    node: Node,
    task: Task,
    /// The moves not yet searched, best first.
    moves: Vec<(Square, Position)>,
    /// The seat that took each move first.
    takers: Vec<AtomicUsize>,
    /// How many moves are taken.
    taken: AtomicUsize,
    /// One bit for each move that was searched to its end.
    done: AtomicU64,
    /// Set once a move is worth more than the bound.
    cut: AtomicBool,
    best: Mutex<Best>,
}

impl Split {
    pub(super) fn search(&self) -> &Arc<Search> {
        &self.search
    }

    /// The greater, the better to help at.
    pub(super) fn weight(&self) -> u32 {
        self.task.weight(&self.node)
    }

    /// How many moves there are to take, as it seems at the moment.
    pub(super) fn moves_left(&self) -> usize {
        if self.is_cut() {
            return 0;
        }
        self.moves.len().saturating_sub(self.taken.load(Relaxed))
    }

    /// Whether this is `other` or below it, as everything is when there is none.
    pub(super) fn is_below(&self, other: Option<&Arc<Self>>) -> bool {
        other.is_none_or(|other| {
            std::ptr::eq(self, Arc::as_ptr(other))
                || self.parent.as_ref().is_some_and(|at| at.is_below(other))
        })
    }

    /// Whether its master may go on: its value is known, or of no use any more.
    pub(super) fn is_settled(&self) -> bool {
        self.is_cut()
            || self.done.load(Acquire).count_ones() as usize == self.moves.len()
            || self.search.control.is_finished()
            || self.parent.as_ref().is_some_and(Place::is_void)
    }

    /// The moves that are being searched, by number, each with the seat that took it: none yet, if
    /// its thread was interrupted right after taking it.
    pub(super) fn in_progress(&self) -> impl Iterator<Item = (usize, Option<usize>)> {
        let taken = self.taken.load(Relaxed).min(self.moves.len());
        let numbers = (0..taken).filter(|&number| !self.is_done(number));
        numbers.map(|number| {
            let seat = self.takers[number].load(Relaxed);
            (number, Some(seat).filter(|&seat| seat != NOBODY))
        })
    }

    fn is_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }

    fn is_done(&self, number: usize) -> bool {
        self.done.load(Relaxed) & 1 << number != 0
    }

    /// Takes the next move for a seat, and returns its number.
    fn take(&self, seat: usize) -> Option<usize> {
        if self.is_cut() {
            return None;
        }
        let number = self.taken.fetch_add(1, Relaxed);
        self.takers.get(number)?.store(seat, Relaxed);
        Some(number)
    }

    /// Keeps what a move is worth. Two threads may have searched it: both values are right.
    fn record(&self, number: usize, value: i32) {
        {
            let mut best = locked(&self.best);
            if value > best.0 {
                *best = (value, Some(self.moves[number].0));
            }
        }
        if value > self.task.alpha() {
            self.cut.store(true, Relaxed);
        }
        self.done.fetch_or(1 << number, Release);
    }
}

/// A node whose moves its thread searches, alone until another thread is idle.
pub(crate) struct Pending {
    node: Node,
    task: Task,
    /// Those that were left at first; none once they are a split's.
    moves: Vec<(Square, Position)>,
    /// The number of the move that is being searched.
    current: usize,
    best: Best,
    /// What other threads take moves of.
    split: Option<Arc<Split>>,
}

impl Pending {
    /// The move to be searched now.
    fn next(&self) -> Option<(Square, Position)> {
        self.moves.get(self.current).copied()
    }

    /// Whether there are moves after the one that is being searched.
    fn has_more(&self) -> bool {
        self.current + 1 < self.moves.len()
    }

    /// Keeps what the move is worth. Whether the thread need not go on alone.
    fn record(&mut self, value: i32, square: Square) -> bool {
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

    /// Searches the moves that are left, best first; other threads may take some once they are idle.
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
        self.pending.push(Pending {
            node: *node,
            task,
            moves,
            current: 0,
            best,
            split: None,
        });
        let at = self.pending.len() - 1;
        while let Some((square, child)) = self.pending[at].next() {
            let value = self.value(node, task, square, child);
            if self.stopped || self.pending[at].record(value, square) {
                break;
            }
        }
        // It stays where it is, for nothing above may become a split before this one is finished.
        let best = match self.pending[at].split.clone() {
            Some(split) => self.finish_together(&split),
            None => self.pending[at].best,
        };
        self.pending.truncate(at);
        best
    }

    /// Opens the moves of one of the nodes above for idle threads to take: of all-nodes before cut
    /// nodes, and of high ones before low ones. What is above a split is opened before it or not at all,
    /// so that each split knows all those above it.
    pub(crate) fn publish(&mut self, team: &Team) {
        let is_split = |pending: &Pending| pending.split.is_some();
        let last = self.pending.iter().rposition(is_split);
        let below = &mut self.pending[last.map_or(0, |last| last + 1)..];
        let with_moves = below.iter_mut().filter(|pending| pending.has_more());
        let best = with_moves
            .rev()
            .max_by_key(|pending| pending.task.weight(&pending.node));
        let Some(pending) = best else {
            return;
        };
        let (count, current) = (pending.moves.len(), pending.current);
        let taker = |number| if number == current { self.seat } else { NOBODY };
        let split = Arc::new(Split {
            search: Arc::clone(self.search),
            parent: self.place.take(),
            node: pending.node,
            task: pending.task,
            moves: std::mem::take(&mut pending.moves),
            takers: (0..count)
                .map(|number| AtomicUsize::new(taker(number)))
                .collect(),
            taken: AtomicUsize::new(current + 1),
            done: AtomicU64::new((1 << current) - 1),
            cut: AtomicBool::new(false),
            best: Mutex::new(pending.best),
        });
        pending.split = Some(Arc::clone(&split));
        team.open(&split);
        let number = current;
        self.place = Some(Place { split, number });
    }

    /// Searches what is left of a split's moves as its master.
    fn finish_together(&mut self, split: &Arc<Split>) -> Best {
        let Some(team) = self.team else {
            unreachable!("only threads of a team share their moves")
        };
        self.take_moves(split);
        team.close(split);
        loop {
            match team.wait(self.seat, Some(split)) {
                Order::Help(below) => self.help(&below),
                Order::TakeOver(number) => {
                    self.place.clone_from(&split.parent);
                    self.stopped = false;
                    self.poll_after_waiting();
                    self.search_move(split, number);
                }
                Order::Resume | Order::ShutDown => break,
            }
        }
        self.place.clone_from(&split.parent);
        // It may have been stopped by a cut at this split, which ends no other search.
        self.stopped = false;
        self.poll_after_waiting();
        *locked(&split.best)
    }

    /// Takes moves of a split of another thread, and leaves it when there are no more.
    pub(super) fn help(&mut self, split: &Arc<Split>) {
        let (outer, pending) = (self.place.take(), self.pending.len());
        self.stopped = false;
        self.poll_after_waiting();
        let done = catch_unwind(AssertUnwindSafe(|| self.take_moves(split)));
        if let Err(panic) = done {
            self.pending.truncate(pending);
            self.control.fail(panic);
        }
        self.poll();
        self.place = outer;
        if let Some(team) = self.team {
            team.leave(split);
        }
    }

    fn take_moves(&mut self, split: &Arc<Split>) {
        while !self.stopped
            && let Some(number) = split.take(self.seat)
        {
            self.search_move(split, number);
        }
    }

    /// Searches a move of a split, unless another thread has done so first.
    fn search_move(&mut self, split: &Arc<Split>, number: usize) {
        let place = Place {
            split: Arc::clone(split),
            number,
        };
        self.stopped |= place.is_void();
        self.place = Some(place);
        if self.stopped {
            return;
        }
        let (square, child) = split.moves[number];
        let value = self.value(&split.node, split.task, square, child);
        if !self.stopped {
            split.record(number, value);
        }
    }

    /// The value of a node's move as a task asks for it.
    fn value(&mut self, node: &Node, task: Task, square: Square, child: Position) -> i32 {
        let child = node.after(square, child);
        match task {
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
            #[cfg(test)]
            Task::Stall if self.seat > 0 => {
                let seconds = std::time::Duration::from_secs;
                let begun = std::time::Instant::now();
                while !self.control.is_finished() {
                    assert!(begun.elapsed() < seconds(60), "nobody takes the move over");
                    std::thread::yield_now();
                }
                0
            }
            #[cfg(test)]
            Task::Stall => {
                let is_helped = |pending: &Pending| {
                    let split = pending.split.as_ref();
                    split.is_some_and(|split| split.in_progress().any(|(_, seat)| seat > Some(0)))
                };
                while !self.stopped && self.pending.last().is_some_and(|node| !is_helped(node)) {
                    self.poll();
                }
                0
            }
        }
    }
}
