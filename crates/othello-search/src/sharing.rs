//! The work of a thread at shared nodes: offering its own nodes to idle threads, and helping at others' nodes.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use othello_core::Backend;

use crate::{
    eval::Node,
    score::Units,
    threads::{Best, Order, Pending, Place, Split, SplitMove, Task, Team},
    worker::Worker,
};

/// The minimum depth at which a midgame node is shared; endgame nodes are shared from 14 empties on.
const MIDGAME_DEPTH: u32 = 4;
/// The minimum number of empties at which the solver's smaller nodes (up to 13 empties) are shared, and only with an
/// idle thread.
const DEEP_EMPTIES: u32 = 12;

impl<B: Backend> Worker<'_, B> {
    /// Returns whether the search has several threads.
    #[inline(always)]
    pub(crate) fn is_multithreaded(&self) -> bool {
        self.team.is_some()
    }

    /// Returns whether a midgame node of this depth may be shared.
    #[inline(always)]
    pub(crate) fn may_share_midgame(&self, depth: u32) -> bool {
        depth >= MIDGAME_DEPTH && self.is_multithreaded()
    }

    /// Returns whether an endgame node with this number of empty squares may be shared: if a thread is idle.
    #[inline(always)]
    pub(crate) fn may_share_deep(&self, empties: u32) -> bool {
        empties >= DEEP_EMPTIES && self.team.is_some_and(Team::has_idle_thread)
    }

    /// Searches the remaining moves, best first; other threads may take some once they are idle. `best` is the best
    /// result of the moves searched before. Meaningless once [`stopped`](Self::stopped) is set.
    #[cold]
    #[inline(never)]
    pub(crate) fn share(
        &mut self,
        node: &Node,
        task: Task,
        moves: Vec<SplitMove>,
        best: Best,
    ) -> Best {
        self.pending.push(Pending::new(*node, task, moves, best));
        let at = self.pending.len() - 1;
        while let Some(mv) = self.pending[at].next() {
            let value = self.value(node, task, mv);
            if self.stopped || self.pending[at].record(value, mv.square) {
                break;
            }
        }
        // The entry stays in place, because no node above may become a split before this one is finished.
        let best = match self.pending[at].split.clone() {
            Some(split) => self.finish_together(&split),
            None => self.pending[at].best,
        };
        self.pending.truncate(at);
        best
    }

    /// Offers idle threads the moves of the pending node with the greatest [weight](Task::weight). Nodes above a split
    /// are opened before it or not at all, so each split knows all splits above it.
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
        let place = pending.open(self.search, self.place.take(), self.thread);
        team.open(&place.split);
        self.place = Some(place);
    }

    /// Searches the remaining moves of a split as its owner.
    fn finish_together(&mut self, split: &Arc<Split>) -> Best {
        let Some(team) = self.team else {
            unreachable!("only threads of a team share their moves")
        };
        self.take_moves(split);
        team.close(split);
        loop {
            match team.wait(self.thread, Some(split)) {
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
        // A cut at this split may have stopped this thread; it ends no other search.
        self.stopped = false;
        self.poll_after_waiting();
        split.best()
    }

    /// Searches moves of another thread's split until there are none left.
    pub(crate) fn help(&mut self, split: &Arc<Split>) {
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
            && let Some(number) = split.take(self.thread)
        {
            self.search_move(split, number);
        }
    }

    /// Searches a move of a split, unless another thread has finished it first.
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
        let value = self.value(&split.node, split.task, split.moves[number]);
        if !self.stopped {
            split.record(number, value);
        }
    }

    /// The value of a move, as the task requires.
    fn value(&mut self, node: &Node, task: Task, mv: SplitMove) -> Units {
        let child = node.after(mv.square, mv.child).estimated(mv.estimate);
        match task {
            Task::Endgame {
                alpha,
                child: expected,
            } => Units::from_discs(-self.high(&child, -alpha, expected)),
            Task::Midgame {
                alpha,
                child: effort,
            } => -self.test(&child, effort, -alpha - Units::ONE),
            #[cfg(test)]
            Task::Test(misbehaviour) => misbehaviour.act(self),
        }
    }
}
