//! The endgame solver above [`SOLVER_EMPTIES`] empty squares: the shared table, and a more expensive move order.
//!
//! A node here is the root of some ten thousand others. Nearly every move cuts, so the order should prefer the move
//! that needs the fewest nodes to do so: moves are sorted by value and by the number of replies they leave, and the
//! best of them again by shallow searches. Where no move is expected to cut, all moves must be searched regardless of
//! their order, and static keys are enough.

use othello_core::{Backend, Bitboard, Position, Square};

use crate::{
    eval::Node,
    leaves::Counted,
    node_type::NodeType,
    ordering::{Candidate, Candidates},
    private::SOLVER_EMPTIES,
    score::{Discs, Units, final_discs},
    selectivity::Effort,
    stability::{stability_bound, stable_at_corners},
    table::Found,
    threads::Task,
    worker::Worker,
};

/// The number of moves of an expected cut node that are sorted by shallow searches.
const SEARCHED_MOVES: usize = 3;
/// The maximum number of empty squares at which these searches are one ply deep.
const ONE_PLY_EMPTIES: u32 = 15;
/// The maximum number of empty squares at which they are two plies deep; above it they are three plies deep.
const TWO_PLIES_EMPTIES: u32 = 19;
/// The distance below the bound within which the sorting searches distinguish moves.
const ORDER_SLACK: Discs = Discs::new(8);
/// The penalty per reply of the opponent: nearly every move of a cut node would cut, and fewer replies take fewer nodes
/// to refute.
const REPLY: Units = Units::new(Units::DISC.get() * 5 / 2);
/// The bonus for each own disc on a corner, or on an edge next to such a disc.
const STABLE_DISC: Units = Units::DISC;

impl<B: Backend> Worker<'_, B> {
    /// [`null_window`](Self::null_window) for any number of empties.
    pub(crate) fn high(&mut self, node: &Node, alpha: Discs, expected: NodeType) -> Discs {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || {
                if node.position().empties().count() <= SOLVER_EMPTIES {
                    self.null_window(node.position(), alpha)
                } else {
                    self.high_body(node, alpha, expected)
                }
            },
        )
    }

    #[inline(always)]
    fn high_body(&mut self, node: &Node, alpha: Discs, expected: NodeType) -> Discs {
        let position = node.position();
        let moves = self.backend.legal_moves(position);
        if moves.is_empty() {
            let passed = node.passed();
            self.generate(1);
            if !self.backend.legal_moves(passed.position()).is_empty() {
                return -self.high(&passed, -alpha, expected.of_child());
            }
            self.enter();
            return final_discs(position);
        }
        self.enter();
        let empties = position.empties().count();
        if let Some(bound) = stability_bound(self.backend, position, empties, alpha) {
            return bound;
        }
        let known = self.table.probe(position);
        if let Some(value) =
            known.and_then(|entry| entry.settles(Effort::full(empties), Units::from_discs(alpha)))
        {
            return value.to_discs_floor();
        }
        let mut candidates = Candidates::new(known.map_or([None; 2], |entry| entry.moves));
        if let Some(value) = self.look_ahead(&mut candidates, position, moves, alpha) {
            return value;
        }

        let (mut best, mut best_square) = (Discs::BELOW_ALL, None);
        while let Some(Candidate { square, child, .. }) =
            candidates.next(|list| self.order_for(list, node, alpha, expected))
        {
            let child = node.after(square, child);
            let value = -self.high(&child, -alpha, expected.of_child());
            if self.stopped {
                return alpha;
            }
            if value > best {
                (best, best_square) = (value, Some(square));
                if value > alpha {
                    break;
                }
            }
            if self.is_multithreaded()
                && let Some(moves) =
                    candidates.take_several(|list| self.order_for(list, node, alpha, expected))
            {
                let child = expected.of_child();
                let task = Task::Endgame { alpha, child };
                let before = (Units::from_discs(best), best_square);
                let (shared_best, square) = self.share(node, task, moves, before);
                (best, best_square) = (shared_best.to_discs_floor(), square);
                if self.stopped {
                    return alpha;
                }
            }
        }
        self.store_in_shared(position, empties, alpha, best, best_square);
        best
    }

    /// Stores in the shared table that the value, in discs, is at least `value` if `value` is above `alpha`, or
    /// otherwise at most `value`.
    #[inline]
    pub(super) fn store_in_shared(
        &self,
        position: Position,
        empties: u32,
        alpha: Discs,
        value: Discs,
        best: Option<Square>,
    ) {
        let found = Found {
            effort: Effort::full(empties),
            alpha: Units::from_discs(alpha),
            beta: Units::from_discs(alpha) + Units::ONE,
            score: Units::from_discs(value),
            best,
        };
        self.table.store(position, &found);
    }

    /// Lists the moves, or returns the value if a child is a wipe-out or its table entry causes a cutoff.
    #[inline(always)]
    fn look_ahead(
        &mut self,
        candidates: &mut Candidates,
        position: Position,
        moves: Bitboard,
        alpha: Discs,
    ) -> Option<Discs> {
        let left = Effort::full(position.empties().count() - 1);
        for square in moves {
            let child = self.backend.play(position, square);
            self.generate(1);
            if child.own().is_empty() {
                return Some(Discs::MAX);
            }
            self.table.prefetch(self.backend, child);
            candidates.push(square, child);
        }
        for child in candidates.children() {
            let known = self.table.probe(child);
            if let Some(value) =
                known.and_then(|entry| entry.settles(left, -Units::from_discs(alpha)))
                && -value > Units::from_discs(alpha)
            {
                return Some((-value).to_discs_floor());
            }
        }
        None
    }

    /// Sets the keys of the candidates: by the static evaluation, and for the best moves of an expected cut node by a
    /// search.
    fn order_for(
        &mut self,
        candidates: &mut Candidates,
        node: &Node,
        alpha: Discs,
        expected: NodeType,
    ) {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || {
                candidates.rank(|candidate| self.rank_for(candidate, node, alpha, 0));
                if expected == NodeType::Cut {
                    let empties = node.position().empties().count();
                    let plies = 1
                        + u32::from(empties > ONE_PLY_EMPTIES)
                        + u32::from(empties > TWO_PLIES_EMPTIES);
                    candidates.rank_best(SEARCHED_MOVES, |candidate| {
                        self.rank_for(candidate, node, alpha, plies);
                    });
                }
            },
        );
    }

    /// Sets the key of a candidate from its value `plies` plies deep, the number of replies and stable discs.
    #[inline(always)]
    fn rank_for(&mut self, candidate: &mut Candidate, node: &Node, alpha: Discs, plies: u32) {
        let Candidate { square, child, .. } = *candidate;
        let after = node.after(square, child);
        let replies = self.backend.legal_moves(child).count() as i32;
        let stable = stable_at_corners(child.opponent().0).count_ones() as i32;
        let beta = Units::from_discs(ORDER_SLACK - alpha);
        candidate.key = STABLE_DISC * stable
            - REPLY * replies
            - self.leaves(&after, plies, -Units::INFINITY, beta, Counted::No);
    }
}
