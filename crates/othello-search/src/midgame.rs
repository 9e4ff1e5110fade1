//! Principal variation search, in units; only the endgame solver uses whole discs.

use othello_core::{Backend, Bitboard, Move, Position, Square};

use crate::{
    eval::Node,
    leaves::Counted,
    node_type::NodeType,
    ordering::{Candidate, Candidates, by_mobility},
    private::SOLVER_EMPTIES,
    score::{Units, final_value},
    selectivity::{Effort, Selectivity},
    stability::stability_bound,
    table::Found,
    threads::{Best, SplitMove, Task},
    worker::Worker,
};

/// The minimum depth at which children are looked up in the table before any is searched.
const ENHANCED_CUTOFF_DEPTH: u32 = 5;

/// The minimum depth at which move ordering uses the evaluation.
const EVALUATED_ORDER_DEPTH: u32 = 4;

impl<B: Backend> Worker<'_, B> {
    /// The value of `node` searched with this effort: exact between `alpha` and `beta`, with the best line; otherwise a
    /// bound at or beyond one of them.
    ///
    /// A depth that reaches the last empty square gives the true value. The result is meaningless once
    /// [`stopped`](Self::stopped) is set.
    pub(crate) fn search(
        &mut self,
        node: &Node,
        effort: Effort,
        alpha: Units,
        beta: Units,
        pv: &mut Vec<Move>,
    ) -> Units {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || self.search_body(node, effort, alpha, beta, pv),
        )
    }

    /// A null-window search, for nodes off the principal variation.
    pub(crate) fn test(&mut self, node: &Node, effort: Effort, alpha: Units) -> Units {
        self.search(node, effort, alpha, alpha + Units::ONE, &mut Vec::new())
    }

    #[inline(always)]
    fn search_body(
        &mut self,
        node: &Node,
        effort: Effort,
        alpha: Units,
        beta: Units,
        pv: &mut Vec<Move>,
    ) -> Units {
        pv.clear();
        if let Some(value) = self.at_horizon(node, effort, alpha, beta) {
            return value;
        }
        let depth = effort.depth;
        let position = node.position();
        let empties = position.empties().count();
        let on_pv = beta - alpha > Units::ONE;
        let moves = self.backend.legal_moves(position);
        if moves.is_empty() {
            return self.search_pass(node, effort, alpha, beta, pv);
        }
        self.enter();

        if !on_pv
            && depth >= empties
            && let Some(bound) =
                stability_bound(self.backend, position, empties, alpha.to_discs_floor())
        {
            return Units::from_discs(bound);
        }
        let known = self.table.probe(position);
        if !on_pv && let Some(value) = known.and_then(|entry| entry.settles(effort, alpha)) {
            return value;
        }
        let mut candidates = Candidates::new(known.map_or([None; 2], |entry| entry.moves));
        if let Some(value) = self.list_moves(&mut candidates, position, moves, effort, alpha, beta)
        {
            return value;
        }
        if !on_pv && let Some(value) = self.probcut(node, moves, effort, alpha) {
            return value;
        }

        let (best, best_square) = self.search_moves(&mut candidates, node, effort, alpha, beta, pv);
        // If no value is above the bound, the values are bounds, and the best move is meaningless.
        let best_square = best_square.filter(|_| best > alpha);
        if !self.stopped {
            self.table.store(
                position,
                &Found {
                    effort,
                    alpha,
                    beta,
                    score: best,
                    best: best_square,
                },
            );
        }
        best
    }

    /// The value, or a bound on it, from the solver or from the search of the last two plies, if one of them applies.
    #[inline(always)]
    fn at_horizon(
        &mut self,
        node: &Node,
        effort: Effort,
        alpha: Units,
        beta: Units,
    ) -> Option<Units> {
        let Effort { depth, selectivity } = effort;
        let position = node.position();
        let empties = position.empties().count();
        debug_assert!(depth <= empties, "a search ends at the end of the game");
        if depth >= empties && empties <= SOLVER_EMPTIES {
            return Some(self.solve(position, alpha, beta));
        }
        let on_pv = beta - alpha > Units::ONE;
        if depth >= empties && !on_pv && selectivity == Selectivity::NONE {
            // Whole values are even, so a value above an even bound is also above the next odd bound.
            let bound = alpha.to_discs_floor().to_odd();
            return Some(Units::from_discs(self.high(node, bound, NodeType::Cut)));
        }
        if depth == 0 || (depth == 1 && !on_pv) {
            return Some(self.leaves(node, depth, alpha, beta, Counted::Yes));
        }
        (depth == 2 && !on_pv).then(|| self.two_plies(node, selectivity, alpha))
    }

    /// Lists the moves, or returns the value if the table entry of a child causes a cutoff.
    #[inline(always)]
    fn list_moves(
        &mut self,
        candidates: &mut Candidates,
        position: Position,
        moves: Bitboard,
        effort: Effort,
        alpha: Units,
        beta: Units,
    ) -> Option<Units> {
        let look_up = beta - alpha == Units::ONE && effort.depth >= ENHANCED_CUTOFF_DEPTH;
        for square in moves {
            let child = self.backend.play(position, square);
            candidates.push(square, child);
            if look_up {
                self.table.prefetch(self.backend, child);
            }
        }
        self.generate(moves.count());
        if look_up {
            for child in candidates.children() {
                let child = self.table.probe(child);
                if let Some(value) =
                    child.and_then(|entry| entry.settles(effort.after_move(), -beta))
                    && -value >= beta
                {
                    return Some(-value);
                }
            }
        }
        None
    }

    /// Searches the children in turn: the first with the full window, the others with a null window first.
    #[inline(always)]
    fn search_moves(
        &mut self,
        candidates: &mut Candidates,
        node: &Node,
        effort: Effort,
        alpha: Units,
        beta: Units,
        pv: &mut Vec<Move>,
    ) -> (Units, Option<Square>) {
        let (mut best, mut best_square) = (-Units::INFINITY, None);
        let mut line = Vec::new();
        while let Some(candidate) = candidates.next(|list| self.order(list, node, effort.depth)) {
            let square = candidate.square;
            let child = node.after(square, candidate.child);
            let child = child.estimated(candidate.estimate);
            let low = alpha.max(best);
            let mut value = if best_square.is_some() {
                -self.test(&child, effort.after_move(), -low - Units::ONE)
            } else {
                -Units::INFINITY
            };
            if best_square.is_none() || (low < value && value < beta) {
                value = -self.search(&child, effort.after_move(), -beta, -low, &mut line);
            }
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_square) = (value, Some(square));
                if value > alpha && beta - alpha > Units::ONE {
                    replace_line(pv, square, &mut line);
                }
                if value >= beta {
                    break;
                }
            }
            if self.may_share_midgame(effort.depth)
                && let Some(moves) =
                    candidates.take_several(|list| self.order(list, node, effort.depth))
            {
                let so_far = (best, best_square);
                return if beta - alpha == Units::ONE {
                    let child = effort.after_move();
                    self.share(node, Task::Midgame { alpha, child }, moves, so_far)
                } else {
                    self.share_on_pv(node, effort, (alpha, beta), moves, so_far, pv)
                };
            }
        }
        (best, best_square)
    }

    /// Searches the remaining moves of a node on the principal variation, best first: with null windows, which other
    /// threads may share, and a move above the bound again with the full window. Later moves are searched against the
    /// new value.
    #[cold]
    #[inline(never)]
    fn share_on_pv(
        &mut self,
        node: &Node,
        effort: Effort,
        (alpha, beta): (Units, Units),
        mut moves: Vec<SplitMove>,
        mut best: Best,
        pv: &mut Vec<Move>,
    ) -> Best {
        let child = effort.after_move();
        let mut line = Vec::new();
        while !moves.is_empty() {
            let low = alpha.max(best.0);
            let task = Task::Midgame { alpha: low, child };
            let shared = self.share(node, task, moves.clone(), best);
            if self.stopped {
                break;
            }
            let (mut value, square) = shared;
            let found = moves.iter().position(|mv| Some(mv.square) == square);
            let Some(at) = found.filter(|_| value > low) else {
                return shared;
            };
            let mv = moves.remove(at);
            if value < beta {
                let after = node.after(mv.square, mv.child).estimated(mv.estimate);
                value = -self.search(&after, child, -beta, -low, &mut line);
                if self.stopped {
                    break;
                }
            } else {
                line.clear();
            }
            if value > best.0 {
                best = (value, Some(mv.square));
                if value > alpha {
                    replace_line(pv, mv.square, &mut line);
                }
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    fn search_pass(
        &mut self,
        node: &Node,
        effort: Effort,
        alpha: Units,
        beta: Units,
        pv: &mut Vec<Move>,
    ) -> Units {
        let passed = node.passed();
        self.generate(1);
        if self.backend.legal_moves(passed.position()).is_empty() {
            self.enter();
            return final_value(node.position());
        }
        let value = -self.search(&passed, effort, -beta, -alpha, pv);
        if beta - alpha > Units::ONE {
            pv.insert(0, Move::Pass);
        }
        value
    }

    /// Prefetches the table entry that the search of `position` to this depth probes first, unless the parent's
    /// enhanced cutoff has done so.
    #[inline(always)]
    fn prefetch(&self, position: Position, depth: u32) {
        match depth {
            2 => self.private.prefetch::<Units, _>(self.backend, position),
            3 => self.table.prefetch(self.backend, position),
            _ => (),
        }
    }

    #[inline(always)]
    fn order(&self, candidates: &mut Candidates, node: &Node, depth: u32) {
        candidates.rank(|candidate| self.rank(candidate, node, depth));
    }

    /// Sets the key of a candidate: by mobility and square, and from [`EVALUATED_ORDER_DEPTH`] on by the evaluation.
    ///
    /// Sorting by searches of one or two plies, as in other engines, saves fewer nodes than it takes.
    #[inline(always)]
    fn rank(&self, candidate: &mut Candidate, node: &Node, depth: u32) {
        self.prefetch(candidate.child, depth - 1);
        let replies = self.backend.legal_moves(candidate.child);
        candidate.key = by_mobility(candidate.square, replies);
        if depth >= EVALUATED_ORDER_DEPTH {
            let child = node.after(candidate.square, candidate.child);
            let estimate = self.evaluator.estimate(self.backend, &child, replies);
            candidate.estimate = Some(estimate);
            candidate.key = candidate.key - estimate;
        }
    }
}

/// Replaces a line by a move and the line after it, and empties the latter.
fn replace_line(pv: &mut Vec<Move>, square: Square, line: &mut Vec<Move>) {
    pv.clear();
    pv.push(Move::Place(square));
    pv.append(line);
}

#[cfg(test)]
mod tests {
    use othello_core::{Tier, WithBackend};

    use super::*;
    use crate::{
        eval::{Evaluator, Network},
        testing::{bounds, evaluated, random_play, scattered, searched},
    };

    /// The value by plain minimax to `depth`.
    fn minimax(position: Position, depth: u32) -> Units {
        if depth == 0 {
            return evaluated(position);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return if position.is_over() {
                final_value(position)
            } else {
                -minimax(position.passed(), depth)
            };
        }
        let value = |square| -minimax(position.play_unchecked(square), depth - 1);
        moves.into_iter().map(value).max().expect("there is a move")
    }

    #[test]
    fn the_value_equals_plain_minimax() {
        for seed in 0..45 {
            let position = match seed % 3 {
                0 => scattered(seed, 30),
                _ => random_play(seed, 16 + seed as u32 % 40),
            };
            for depth in 1..=3 {
                let (value, _) = searched(position, depth, -Units::INFINITY, Units::INFINITY);
                assert_eq!(value, minimax(position, depth), "{position:?}, {depth}");
            }
        }
    }

    #[test]
    fn null_windows_bound_the_value() {
        let played = (0..40).map(|seed| random_play(seed, 16 + seed as u32 % 34));
        let set_up = (0..20).map(|seed| scattered(seed, 30));
        let after = |position: Position| {
            let moves = position.legal_moves().into_iter();
            moves.map(move |square| position.play_unchecked(square))
        };
        let passes = (0..1000).flat_map(|seed| after(random_play(seed, 9)));
        let passes: Vec<_> = passes
            .filter(|position| position.must_pass())
            .take(10)
            .collect();
        assert_eq!(passes.len(), 10);
        for position in played.chain(set_up).chain(passes) {
            for depth in 1..=3 {
                let expected = minimax(position, depth);
                // Each question twice, so that the tables answer too.
                let apart = [300, -300, 1, 0, -1, 300, -300, 1, 0, -1];
                let alphas = apart.map(|apart| expected - Units::new(apart));
                for (bound, alpha) in bounds(position, depth, &alphas).into_iter().zip(alphas) {
                    let holds = if expected > alpha {
                        alpha < bound && bound <= expected
                    } else {
                        expected <= bound && bound <= alpha
                    };
                    assert!(holds, "{position:?}, {depth}, {alpha}: {bound}, {expected}");
                }
            }
        }
    }

    #[test]
    fn an_inherited_estimate_counts_until_the_next_move() {
        struct Estimates(Position);

        impl WithBackend for Estimates {
            type Output = ();

            fn run<B: Backend>(self, backend: B) {
                let node = Node::of(self.0);
                let network = Network::built_in();
                let evaluator = Evaluator::new(&network);
                for square in self.0.legal_moves() {
                    let child = node.after(square, self.0.play_unchecked(square));
                    let grandchildren = child.position().legal_moves();
                    let estimate = evaluator.estimate(backend, &child, grandchildren);
                    let handed = child.estimated(Some(estimate + Units::ONE));
                    let found = evaluator.estimate(backend, &handed, grandchildren);
                    assert_eq!(found, estimate + Units::ONE);
                    for reply in grandchildren {
                        let position = child.position().play_unchecked(reply);
                        let moves = position.legal_moves();
                        let expected = evaluator.estimate(backend, &Node::of(position), moves);
                        let after = handed.after(reply, position);
                        let found = evaluator.estimate(backend, &after, moves);
                        assert_eq!(found, expected);
                    }
                }
            }
        }
        Tier::best().dispatch(Estimates(random_play(3, 30)));
    }

    #[test]
    fn the_line_leads_to_the_value() {
        for seed in 0..30 {
            let position = random_play(seed, 30);
            let (value, pv) = searched(position, 5, -Units::INFINITY, Units::INFINITY);
            let (mut end, mut side_to_move) = (position, true);
            for mv in &pv {
                side_to_move = !side_to_move;
                end.play(*mv).expect("a legal line");
            }
            assert!(pv.len() >= 5 || end.is_over(), "{position:?}");
            let at_end = if side_to_move {
                evaluated(end)
            } else {
                -evaluated(end)
            };
            assert_eq!(at_end, value, "{position:?}");
        }
    }
}
