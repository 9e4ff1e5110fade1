//! The root of a search: iterative deepening over the moves to choose from.

use othello_core::{Backend, Bitboard, Move, Position, Square};

use crate::{
    Exactness, Goal, Limits, Line, Report,
    eval::Node,
    iteration_history::IterationHistory,
    plan::{Plan, Progress, Timer, preparation},
    score::{Discs, Units},
    selectivity::Effort,
    threads::{SplitMove, Task},
    worker::Worker,
};

/// Half of the first aspiration window.
const ASPIRATION: Units = Units::new(3 * Units::DISC.get());
/// Half of the first aspiration window of a search to the end; excludes the two scores next to the expected one.
const END_ASPIRATION: Units = Units::DISC;
/// With [`Goal::WinDrawLoss`], the limit of values in the last plies of the preparation, because the search to the end
/// probes the table for bounds near zero.
const DECIDED_MARGIN: Units = Units::new(4 * Units::DISC.get());
/// The number of these plies. Earlier plies use the full range of values, for the order of the moves.
const OUTCOME_PLIES: u32 = 6;

/// A root move, with the results so far.
#[derive(Clone)]
pub(crate) struct RootMove {
    square: Square,
    pub(crate) child: Node,
    pub(crate) value: Units,
    pub(crate) pv: Vec<Move>,
}

/// The search of one position, on the calling thread.
pub(crate) struct Root<'s, 'a, B> {
    pub(crate) worker: &'s mut Worker<'a, B>,
    timer: &'s Timer,
    position: Position,
    pub(crate) moves: Vec<RootMove>,
    lines: usize,
    goal: Goal,
    /// The score that searches to the end try to exceed.
    above: Option<Units>,
    /// For each line, its value at the last even and the last odd depth. They may differ, because the evaluation
    /// favours the side that moved last.
    expected: Vec<[Units; 2]>,
    /// The effort of the last completed iteration, if any.
    effort: Option<Effort>,
    history: IterationHistory,
    /// The proven bounds on the exact score.
    bounds: (Units, Units),
}

impl<'s, 'a, B: Backend> Root<'s, 'a, B> {
    /// Prepares the search of `position`; the side to move has a legal move.
    pub(crate) fn new(
        worker: &'s mut Worker<'a, B>,
        timer: &'s Timer,
        position: Position,
        limits: &Limits,
    ) -> Self {
        let (backend, evaluator) = (worker.backend, worker.evaluator);
        let node = Node::of(position);
        let mut moves: Vec<RootMove> = chosen_moves(position, limits)
            .into_iter()
            .map(|square| {
                let child = node.after(square, position.play_unchecked(square));
                RootMove {
                    square,
                    child,
                    value: -evaluator.evaluate(backend, &child),
                    pv: vec![Move::Place(square)],
                }
            })
            .collect();
        moves.sort_by_key(|mv| -mv.value);
        let lines = limits.multi_pv.clamp(1, moves.len());
        let expected = moves[..lines].iter().map(|mv| [mv.value; 2]).collect();
        Self {
            worker,
            timer,
            position,
            moves,
            lines,
            goal: limits.goal,
            above: limits.above.map(|above| Units::new(above.units())),
            expected,
            effort: None,
            history: IterationHistory::default(),
            bounds: (Units::from_discs(Discs::MIN), Units::from_discs(Discs::MAX)),
        }
    }

    /// Deepens until the limits are reached; calls `observer` after each completed iteration.
    pub(crate) fn deepen(&mut self, limits: &Limits, observer: &mut dyn FnMut(&Report)) -> Report {
        let empties = self.position.empties().count();
        let forced = self.moves.len() == 1 && limits.multi_pv <= 1;
        let plan = Plan::new(limits, empties, forced);
        let mut completed = self.moves[..self.lines].to_vec();
        while let Some(effort) = plan.next(&self.progress()) {
            for rank in 0..self.lines {
                self.search_line(rank, effort, observer);
                self.expected[rank][(effort.depth % 2) as usize] = self.moves[rank].value;
            }
            if self.worker.stopped {
                self.restore_completed(&completed);
                break;
            }
            self.moves[..self.lines].sort_by_key(|mv| -mv.value);
            self.effort = Some(effort);
            let (best, elapsed) = (&self.moves[0], self.timer.elapsed());
            self.history.record(best.square, best.value, elapsed);
            if effort == Effort::full(empties) && self.goal == Goal::Score {
                self.complete_lines();
            }
            completed = self.moves[..self.lines].to_vec();
            self.notify(observer);
        }
        self.report()
    }

    /// Restores the lines of the last completed iteration after an incomplete one, whose values may be bounds; a better
    /// move that it found stays first, with its value and line.
    fn restore_completed(&mut self, completed: &[RootMove]) {
        let best = self.moves[0].square;
        let found = (best != completed[0].square).then_some(best);
        for line in completed.iter().filter(|line| Some(line.square) != found) {
            let mut moves = self.moves.iter_mut();
            if let Some(mv) = moves.find(|mv| mv.square == line.square) {
                mv.clone_from(line);
            }
        }
        self.moves.sort_by_key(|mv| {
            let mut lines = completed.iter();
            let rank = lines.position(|line| line.square == mv.square);
            (Some(mv.square) != found, rank.unwrap_or(completed.len()))
        });
    }

    /// Calls the observer; its time does not count as a stall.
    fn notify(&mut self, observer: &mut dyn FnMut(&Report)) {
        observer(&self.report());
        self.worker.poll_after_waiting();
    }

    fn progress(&mut self) -> Progress {
        Progress {
            effort: self.effort,
            nodes: self.worker.total_nodes(),
            elapsed: self.timer.elapsed(),
            history: self.history,
        }
    }

    /// Finds the best of the moves from index `rank` on and moves it there, with a window around its previous value,
    /// widened until it contains the value.
    fn search_line(&mut self, rank: usize, effort: Effort, observer: &mut dyn FnMut(&Report)) {
        let empties = self.position.empties().count();
        if self.goal == Goal::WinDrawLoss && effort.depth >= empties {
            if effort == Effort::full(empties) {
                self.find_outcome(rank, observer);
            } else {
                self.search_moves(rank, effort, -Units::DISC, Units::DISC, observer);
            }
            return;
        }
        let parity = (effort.depth % 2) as usize;
        let expected = self.expected[rank][parity];
        let (expected, near) = if effort.depth >= empties {
            (nearest_score(expected), END_ASPIRATION)
        } else {
            (expected, ASPIRATION)
        };
        let edge = self.edge(effort.depth);
        let floor = self.floor(effort.depth).unwrap_or(-edge);
        let expected = expected.clamp(floor, edge);
        let (mut below, mut above) = (near, near);
        if effort.depth <= 2 {
            (below, above) = (Units::INFINITY * 2, Units::INFINITY * 2);
        }
        let proves = self.proves(rank, effort);
        loop {
            let alpha = (expected - below).max(floor);
            let beta = (expected + above).min(edge);
            let value = self.search_moves(rank, effort, alpha, beta, observer);
            if self.worker.stopped {
                return;
            }
            if proves && value < beta {
                self.prove(-Units::INFINITY, value, observer);
            }
            if value <= alpha && alpha > floor {
                below = below * 3;
            } else if value >= beta && beta < edge {
                above = above * 3;
            } else {
                if value <= alpha {
                    // A bound on all moves, not only on the first.
                    self.moves[rank].value = value;
                }
                return;
            }
        }
    }

    /// The largest distance from zero at which a search of this depth distinguishes values.
    fn edge(&self, depth: u32) -> Units {
        let is_near_outcome = depth + OUTCOME_PLIES > preparation(self.position.empties().count());
        match self.goal {
            Goal::WinDrawLoss if is_near_outcome => DECIDED_MARGIN,
            _ => Units::INFINITY,
        }
    }

    /// The value that a search of this depth tries to exceed, if there is one.
    fn floor(&self, depth: u32) -> Option<Units> {
        let to_the_end = depth >= self.position.empties().count();
        self.above
            .filter(|_| to_the_end && self.goal == Goal::Score)
    }

    /// The value of the best of the moves from index `rank` on, or a bound on it outside the window.
    fn search_moves(
        &mut self,
        rank: usize,
        effort: Effort,
        alpha: Units,
        beta: Units,
        observer: &mut dyn FnMut(&Report),
    ) -> Units {
        let proves = self.proves(rank, effort);
        let mut best = -Units::INFINITY;
        let mut line = Vec::new();
        let mut at = rank;
        while at < self.moves.len() {
            let low = alpha.max(best);
            let first = at == rank;
            let mut value = beta;
            if !first {
                (value, at) = self.test_from(at, effort, low, best, &mut line);
                if at == self.moves.len() {
                    best = best.max(value);
                    break;
                }
            }
            let child = self.moves[at].child;
            if first || (low < value && value < beta) {
                value = -self
                    .worker
                    .search(&child, effort.after_move(), -beta, -low, &mut line);
            }
            if self.worker.stopped {
                break;
            }
            if first || value > low {
                let mv = &mut self.moves[at];
                mv.value = value;
                mv.pv.truncate(1);
                mv.pv.append(&mut line);
                self.moves[rank..=at].rotate_right(1);
            }
            at += 1;
            if proves && value > low {
                self.prove(value, Units::INFINITY, observer);
            }
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// Searches the moves from index `from` on with null windows until one is above `low`. Returns its value and index;
    /// if there is none, the best value, including `best`, and the number of moves. Meaningless once stopped.
    fn test_from(
        &mut self,
        from: usize,
        effort: Effort,
        low: Units,
        mut best: Units,
        line: &mut Vec<Move>,
    ) -> (Units, usize) {
        let end = self.moves.len();
        if end - from > 1 && self.worker.may_share_midgame(effort.depth) {
            line.clear();
            return self.test_together(from, effort, low, best);
        }
        for at in from..end {
            let child = self.moves[at].child;
            let (alpha, beta) = (-low - Units::ONE, -low);
            let value = -self
                .worker
                .search(&child, effort.after_move(), alpha, beta, line);
            if self.worker.stopped {
                break;
            }
            if value > low {
                return (value, at);
            }
            best = best.max(value);
        }
        (best, end)
    }

    /// [`test_from`](Self::test_from) by several threads; moves the move found to index `from`, before those that must
    /// be searched again.
    fn test_together(
        &mut self,
        from: usize,
        effort: Effort,
        low: Units,
        best: Units,
    ) -> (Units, usize) {
        let moves = self.moves[from..].iter().map(|mv| SplitMove {
            square: mv.square,
            child: mv.child.position(),
            estimate: None,
        });
        let (node, moves) = (Node::of(self.position), moves.collect());
        let task = Task::Midgame {
            alpha: low,
            child: effort.after_move(),
        };
        let (value, square) = self.worker.share(&node, task, moves, (best, None));
        let found = self.moves.iter().position(|mv| Some(mv.square) == square);
        match found.filter(|_| value > low && !self.worker.stopped) {
            Some(at) => {
                self.moves[from..=at].rotate_right(1);
                (value, from)
            }
            None => (value, self.moves.len()),
        }
    }

    /// Returns whether the result of a line's search is a proven bound on the score.
    fn proves(&self, rank: usize, effort: Effort) -> bool {
        rank == 0 && effort == Effort::full(self.position.empties().count())
    }

    /// Narrows the proven bounds on the exact score, and reports a change.
    pub(crate) fn prove(&mut self, lower: Units, upper: Units, observer: &mut dyn FnMut(&Report)) {
        let known = self.bounds;
        self.bounds = (known.0.max(lower), known.1.min(upper));
        if self.bounds != known {
            self.notify(observer);
        }
    }

    /// Extends the lines of an exact solution to the end of the game, except where values are bounds.
    fn complete_lines(&mut self) {
        for rank in 0..self.lines {
            let value = self.moves[rank].value;
            if self.above.is_some_and(|above| value <= above) {
                continue;
            }
            let mut pv = std::mem::take(&mut self.moves[rank].pv);
            self.worker.complete(self.position, &mut pv, value);
            self.moves[rank].pv = pv;
        }
    }

    fn report(&mut self) -> Report {
        let empties = self.position.empties().count();
        let best = &self.moves[0];
        Report {
            best: Some(best.square),
            score: best.value.into(),
            depth: self.effort.map_or(0, |effort| effort.depth),
            exactness: match self.effort {
                Some(effort) if effort == Effort::full(empties) => match self.goal {
                    Goal::Score => Exactness::Exact,
                    Goal::WinDrawLoss => Exactness::WinDrawLoss,
                },
                Some(effort) if effort.depth >= empties => Exactness::Probable {
                    percent: effort.selectivity.percent(),
                },
                _ => Exactness::Midgame,
            },
            bounds: (self.bounds.0.into(), self.bounds.1.into()),
            pv: best.pv.clone(),
            others: self.moves[1..self.lines]
                .iter()
                .map(|mv| Line {
                    score: mv.value.into(),
                    pv: mv.pv.clone(),
                })
                .collect(),
            nodes: self.worker.total_nodes(),
            generated: self.worker.total_generated(),
            elapsed: self.timer.elapsed(),
            from_book: false,
        }
    }
}

impl<B: Backend> Worker<'_, B> {
    /// Extends a line to the end of the game with best moves on both sides; `value` is the exact value of `position`.
    /// The line stays short if the search is stopped.
    fn complete(&mut self, mut position: Position, pv: &mut Vec<Move>, mut value: Units) {
        for mv in pv.iter() {
            position = match mv {
                Move::Place(square) => position.play_unchecked(*square),
                Move::Pass => position.passed(),
            };
            value = -value;
        }
        while !position.is_over() {
            let mv = match self.move_worth(position, value) {
                Some(square) => Move::Place(square),
                None if position.must_pass() => Move::Pass,
                None => return,
            };
            pv.push(mv);
            position = match mv {
                Move::Place(square) => position.play_unchecked(square),
                Move::Pass => position.passed(),
            };
            value = -value;
        }
    }

    /// A move that achieves `value`, the exact value of `position`.
    fn move_worth(&mut self, position: Position, value: Units) -> Option<Square> {
        let effort = Effort::full(position.empties().count() - 1);
        let mut line = Vec::new();
        position.legal_moves().into_iter().find(|&square| {
            let child = Node::of(position.play_unchecked(square));
            let reply = self.search(&child, effort, -value, -value + Units::ONE, &mut line);
            reply <= -value && !self.stopped
        })
    }
}

/// The score (an even number of discs) nearest to a value.
fn nearest_score(value: Units) -> Units {
    let pairs = (value + Units::DISC)
        .get()
        .div_euclid(2 * Units::DISC.get());
    Units::from_discs(Discs::new(2 * pairs).clamp(Discs::MIN, Discs::MAX))
}

/// The moves to choose from.
fn chosen_moves(position: Position, limits: &Limits) -> Bitboard {
    let legal = position.legal_moves();
    match limits.moves.map(|moves| moves & legal) {
        Some(chosen) if !chosen.is_empty() => chosen,
        _ => legal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Evaluation, Options, Searcher,
        testing::{brute_force, random_play},
    };

    #[test]
    fn a_score_that_is_not_exceeded_bounds_all_moves() {
        let mut searcher = Searcher::new(Options::default());
        for seed in 0..300 {
            let position = random_play(seed, 8 + seed as u32 % 2);
            if position.legal_moves().is_empty() {
                continue;
            }
            let exact = brute_force(position);
            let limits = Limits {
                above: Some(Evaluation::from_units(exact.get() * Evaluation::DISC)),
                ..Limits::depth(60)
            };
            searcher.clear();
            let report = searcher.search(position, &limits);
            assert!(
                report.score.to_score().discs() >= exact.get(),
                "{position:?}"
            );
        }
    }

    #[test]
    fn the_nearest_score_is_even_and_within_the_board() {
        let nearest = |discs: f64| {
            let value = Units::new((discs * f64::from(Units::DISC.get())) as i32);
            nearest_score(value).to_discs_floor().get()
        };
        let values = [0.0, 0.9, 1.1, -0.9, -1.1, 2.9, -3.1, 63.5, 79.0, -79.0];
        let scores = [0, 0, 2, 0, -2, 2, -4, 64, 64, -64];
        assert_eq!(values.map(nearest), scores);
    }
}
