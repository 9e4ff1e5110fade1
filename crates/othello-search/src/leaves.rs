//! The last two plies before the evaluation, and the shallow searches that order moves in `endgame::high`. The last ply
//! uses no table and no sorting, which would cost more than they save; the one before uses the thread's private table.

use othello_core::{Backend, Bitboard, Position};

use crate::{
    bits::odd_quadrants,
    eval::Node,
    ordering::{Candidates, by_mobility},
    score::{Units, final_value},
    selectivity::Selectivity,
    worker::Worker,
};

/// The C- and X-squares, next to the corners.
const NEXT_TO_CORNERS: Bitboard = Bitboard(Bitboard::C_SQUARES.0 | Bitboard::X_SQUARES.0);

/// A choice: the positions of a shallow search are nodes, or not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// The search counts them as nodes.
    Yes,
    /// They only serve to order moves.
    No,
}

impl<B: Backend> Worker<'_, B> {
    /// The value of `node` by the evaluation `plies` plies deep: exact between `alpha` and `beta`, otherwise a bound at
    /// or beyond one of them.
    pub(crate) fn leaves(
        &mut self,
        node: &Node,
        plies: u32,
        alpha: Units,
        beta: Units,
        counted: Counted,
    ) -> Units {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || self.leaves_body(node, plies, alpha, beta, counted),
        )
    }

    /// A bound on the value of `node` by the evaluation two plies deep, showing whether it is above `alpha`. Uses the
    /// private table: most nodes that probe a table have this depth, and the shared table is slower.
    pub(crate) fn two_plies(
        &mut self,
        node: &Node,
        selectivity: Selectivity,
        alpha: Units,
    ) -> Units {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || self.two_plies_body(node, selectivity, alpha),
        )
    }

    #[inline(always)]
    fn two_plies_body(&mut self, node: &Node, selectivity: Selectivity, alpha: Units) -> Units {
        let backend = self.backend;
        let position = node.position();
        let moves = backend.legal_moves(position);
        if moves.is_empty() {
            let passed = node.passed();
            self.generate(1);
            if !backend.legal_moves(passed.position()).is_empty() {
                return -self.two_plies(&passed, selectivity, -alpha - Units::ONE);
            }
            self.enter();
            return final_value(position);
        }
        self.enter();
        let known = self.private.probe::<Units>(position);
        if let Some(bound) = known.settles(alpha) {
            return bound;
        }
        if let Some(bound) = self.probcut_static(node, moves, selectivity, alpha) {
            return bound;
        }
        let mut candidates = Candidates::new([known.best(), None]);
        for square in moves {
            candidates.push(square, backend.play(position, square));
        }
        self.generate(moves.count());
        let (mut best, mut best_square) = (-Units::INFINITY, None);
        while let Some(candidate) = candidates.next(|list| {
            list.rank(|mv| mv.key = by_mobility(mv.square, backend.legal_moves(mv.child)));
        }) {
            let child = node.after(candidate.square, candidate.child);
            let value = -self.leaves(&child, 1, -alpha - Units::ONE, -alpha, Counted::Yes);
            if self.stopped {
                return alpha;
            }
            if value > best {
                (best, best_square) = (value, Some(candidate.square));
                if value > alpha {
                    break;
                }
            }
        }
        self.private.store(position, alpha, best, best_square);
        best
    }

    #[inline(always)]
    fn leaves_body(
        &mut self,
        node: &Node,
        plies: u32,
        alpha: Units,
        beta: Units,
        counted: Counted,
    ) -> Units {
        let backend = self.backend;
        let position = node.position();
        if plies == 0 {
            self.count(counted);
            return self.evaluator.evaluate_leaf(backend, node);
        }
        let moves = backend.legal_moves(position);
        if moves.is_empty() {
            let passed = node.passed();
            self.generate(1);
            if !backend.legal_moves(passed.position()).is_empty() {
                return -self.leaves(&passed, plies, -beta, -alpha, counted);
            }
            self.count(counted);
            return final_value(position);
        }
        self.count(counted);
        let mut best = -Units::INFINITY;
        for set in self.leaf_order(position, moves) {
            for square in set {
                let child = node.after(square, backend.play(position, square));
                if counted == Counted::No {
                    self.generate(1);
                }
                let value = if plies == 1 {
                    self.count(counted);
                    -self.evaluator.evaluate_leaf(backend, &child)
                } else {
                    -self.leaves(&child, plies - 1, -beta, -alpha.max(best), counted)
                };
                best = best.max(value);
                if best >= beta {
                    self.killer = square.into();
                    return best;
                }
            }
        }
        best
    }

    /// The moves as sets in search order: the killer move, corners, odd quadrants, even quadrants, and squares next to
    /// corners last.
    #[inline(always)]
    fn leaf_order(&self, position: Position, moves: Bitboard) -> [Bitboard; 5] {
        let odd = Bitboard(odd_quadrants(position.empties().0));
        let first = moves & self.killer;
        let rest = moves & !first;
        let corners = rest & Bitboard::CORNERS;
        let last = rest & NEXT_TO_CORNERS;
        let others = rest & !(corners | last);
        [first, corners, others & odd, others & !odd, last]
    }

    #[inline(always)]
    fn count(&mut self, counted: Counted) {
        if counted == Counted::Yes {
            self.enter();
        }
    }
}
