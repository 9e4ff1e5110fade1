//! Five and six empties: parity order without sorting, and a private table at six.

use std::hint::select_unpredictable;

use othello_core::{Backend, Bitboard, Position};

use crate::{
    bits::{LINES_2_AND_7, odd_quadrants},
    score::{Discs, final_discs},
    stability::stability_bound,
    worker::Worker,
};

impl<B: Backend> Worker<'_, B> {
    /// [`null_window`](Self::null_window) for five empties.
    pub(super) fn five(&mut self, position: Position, alpha: Discs) -> Discs {
        self.backend.call(
            #[inline(always)]
            |worker: &mut Self, position, alpha, ()| {
                worker.nodes += 1;
                if let Some(bound) = stability_bound(worker.backend, position, 5, alpha) {
                    return bound;
                }
                let moves = worker.backend.legal_moves(position);
                worker.best_or_passed::<5>(position, moves, alpha)
            },
            self,
            position,
            alpha,
            (),
        )
    }

    /// [`null_window`](Self::null_window) for six empties, with known legal moves.
    pub(super) fn six(&mut self, position: Position, moves: Bitboard, alpha: Discs) -> Discs {
        self.backend.call(
            #[inline(always)]
            |worker: &mut Self, position, moves, alpha| {
                worker
                    .private
                    .prefetch::<Discs, _>(worker.backend, position);
                worker.nodes += 1;
                if let Some(bound) = stability_bound(worker.backend, position, 6, alpha) {
                    return bound;
                }
                if let Some(bound) = worker.private.probe::<Discs>(position).settles(alpha) {
                    return bound;
                }
                let value = worker.best_or_passed::<6>(position, moves, alpha);
                worker.private.store(position, alpha, value, None);
                value
            },
            self,
            position,
            moves,
            alpha,
        )
    }

    #[inline(always)]
    fn best_or_passed<const EMPTIES: u32>(
        &mut self,
        position: Position,
        moves: Bitboard,
        alpha: Discs,
    ) -> Discs {
        if !moves.is_empty() {
            return self.best_in_parity_order::<EMPTIES>(position, moves, alpha);
        }
        let passed = position.passed();
        self.generate(1);
        let replies = self.backend.legal_moves(passed);
        if replies.is_empty() {
            return final_discs(position);
        }
        -self.best_in_parity_order::<EMPTIES>(passed, replies, -alpha)
    }

    /// Searches the odd quadrants first: whoever enters one can move last in it.
    #[inline(always)]
    fn best_in_parity_order<const EMPTIES: u32>(
        &mut self,
        position: Position,
        moves: Bitboard,
        alpha: Discs,
    ) -> Discs {
        let odd = odd_quadrants(position.empties().0);
        let mut left = moves;
        let mut best = Discs::BELOW_ALL;
        while let Some(square) = most_promising(left, odd).first() {
            left = left.without(square);
            let child = self.backend.play(position, square);
            let value = -if EMPTIES == 5 {
                self.last_4(child, -alpha)
            } else {
                self.five(child, -alpha)
            };
            best = best.max(value);
            if value > alpha {
                break;
            }
        }
        best
    }
}

/// The moves to try first: moves in the `odd` quadrants, or all moves if there are none there; of these, the moves
/// outside rows 2 and 7 and columns b and g, if there are any.
#[inline(always)]
fn most_promising(moves: Bitboard, odd: u64) -> Bitboard {
    let narrowed = |moves: u64, to: u64| select_unpredictable(moves & to != 0, moves & to, moves);
    Bitboard(narrowed(narrowed(moves.0, odd), !LINES_2_AND_7))
}
