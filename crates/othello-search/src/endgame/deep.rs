//! Seven or more empties: fastest-first move order, a private table, stability cutoffs.

use othello_core::{Backend, Bitboard, Position, Square};

use super::children::{Child, Children};
use crate::{
    bits::odd_quadrants,
    eval::Node,
    node_type::NodeType,
    score::{Discs, Units, final_discs},
    selectivity::Effort,
    stability::stability_bound,
    threads::Task,
    worker::Worker,
};

/// The minimum number of empty squares at which children are looked up before any is searched.
const ENHANCED_CUTOFF_EMPTIES: u32 = 10;
/// The minimum number of empty squares at which the shared table is used in addition to the private one.
const SHARED_EMPTIES: u32 = 12;

impl<B: Backend> Worker<'_, B> {
    /// [`null_window`](Self::null_window) for seven or more empties.
    pub(super) fn deep(&mut self, position: Position, alpha: Discs) -> Discs {
        let moves = self.backend.legal_moves(position);
        self.deep_with_moves(position, moves, alpha)
    }

    /// [`deep`](Self::deep) with known legal moves.
    fn deep_with_moves(&mut self, position: Position, moves: Bitboard, alpha: Discs) -> Discs {
        self.backend.call(
            #[inline(always)]
            |worker: &mut Self, position, moves, alpha| worker.deep_body(position, moves, alpha),
            self,
            position,
            moves,
            alpha,
        )
    }

    #[inline(always)]
    fn deep_body(&mut self, position: Position, moves: Bitboard, alpha: Discs) -> Discs {
        if moves.is_empty() {
            return self.deep_pass(position, alpha);
        }
        self.private.prefetch::<Discs, _>(self.backend, position);
        self.enter();
        let empties = position.empties().count();
        let shared = empties >= SHARED_EMPTIES;
        if shared {
            self.table.prefetch(self.backend, position);
        }
        if let Some(bound) = stability_bound(self.backend, position, empties, alpha) {
            return bound;
        }
        let known = self.private.probe::<Discs>(position);
        if let Some(bound) = known.settles(alpha) {
            return bound;
        }
        if shared
            && let Some(entry) = self.table.probe(position)
            && let Some(value) = entry.settles(Effort::full(empties), Units::from_discs(alpha))
        {
            return value.to_discs_floor();
        }
        let mut children = Children::new();
        if let Some(value) = self.fastest_first(&mut children, position, moves, known.best(), alpha)
        {
            return value;
        }

        let Some((best, best_square)) =
            self.best_of_children(&mut children, position, empties, alpha)
        else {
            return alpha;
        };
        self.private.store(position, alpha, best, best_square);
        if shared {
            self.store_in_shared(position, empties, alpha, best, best_square);
        }
        best
    }

    /// Returns the value of a position without a legal move.
    #[inline(always)]
    fn deep_pass(&mut self, position: Position, alpha: Discs) -> Discs {
        let passed = position.passed();
        self.generate(1);
        let replies = self.backend.legal_moves(passed);
        if replies.is_empty() {
            self.enter();
            final_discs(position)
        } else {
            -self.deep_with_moves(passed, replies, -alpha)
        }
    }

    /// Searches the children until one causes a cutoff. Returns the best value and its move, or `None` if the search is
    /// stopped.
    #[inline(always)]
    fn best_of_children(
        &mut self,
        children: &mut Children,
        position: Position,
        empties: u32,
        alpha: Discs,
    ) -> Option<(Discs, Option<Square>)> {
        let (mut best, mut best_square) = (Discs::BELOW_ALL, None);
        while let Some(Child {
            square,
            position: child,
            moves: replies,
        }) = children.next_best()
        {
            let value = -if empties == 7 {
                self.six(child, replies, -alpha)
            } else {
                self.deep_with_moves(child, replies, -alpha)
            };
            if self.stopped {
                return None;
            }
            if value > best {
                (best, best_square) = (value, Some(square));
                if value > alpha {
                    break;
                }
            }
            if self.may_share_deep(empties)
                && let Some(moves) = children.take_several()
            {
                let task = Task::Endgame {
                    alpha,
                    child: NodeType::Cut,
                };
                let node = Node::of(position);
                let before = (Units::from_discs(best), best_square);
                let (shared_best, square) = self.share(&node, task, moves, before);
                (best, best_square) = (shared_best.to_discs_floor(), square);
                if self.stopped {
                    return None;
                }
            }
        }
        Some((best, best_square))
    }

    /// Lists the moves with their keys, or returns the value if a child is a wipe-out or its table entry causes a
    /// cutoff.
    #[inline(always)]
    fn fastest_first(
        &mut self,
        children: &mut Children,
        position: Position,
        moves: Bitboard,
        known: Option<Square>,
        alpha: Discs,
    ) -> Option<Discs> {
        let look_up = position.empties().count() >= ENHANCED_CUTOFF_EMPTIES;
        let odd = odd_quadrants(position.empties().0);
        for (place, square) in moves.iter().enumerate() {
            let child = self.backend.play(position, square);
            self.generate(1);
            if child.own().is_empty() {
                return Some(Discs::MAX);
            }
            if look_up {
                self.private.prefetch::<Discs, _>(self.backend, child);
            }
            children.set(place, square, child, odd);
        }
        let count = moves.count() as usize;
        if look_up {
            for child in children.positions(count) {
                let value = -self.private.probe::<Discs>(child).upper();
                if value > alpha {
                    return Some(value);
                }
            }
        }
        children.rank(self.backend, count);
        if let Some(known) = known {
            let before = moves.0 & ((1 << known.index()) - 1);
            children.prefer(before.count_ones() as usize);
        }
        None
    }
}
