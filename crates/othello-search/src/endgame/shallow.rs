//! Five and six empties: parity order, no sorting.

use othello_core::{Backend, Bitboard, Position};

use crate::{
    bits::{odd_quadrants, squares},
    score::final_discs,
    worker::Worker,
};

impl<B: Backend> Worker<'_, B> {
    /// As [`null_window`](Self::null_window), with five or six empties.
    pub(super) fn shallow(&mut self, position: Position, alpha: i32) -> i32 {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || {
                let moves = backend.legal_moves(position);
                if position.empties().count() == 5 {
                    self.shallow_body::<5>(position, moves, alpha)
                } else {
                    self.shallow_body::<6>(position, moves, alpha)
                }
            },
        )
    }

    /// The same with five empties.
    fn five(&mut self, position: Position, alpha: i32) -> i32 {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || self.shallow_body::<5>(position, backend.legal_moves(position), alpha),
        )
    }

    /// The same with six empties and the legal moves known.
    pub(super) fn six(&mut self, position: Position, moves: Bitboard, alpha: i32) -> i32 {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || self.shallow_body::<6>(position, moves, alpha),
        )
    }

    #[inline(always)]
    fn shallow_body<const EMPTIES: u32>(
        &mut self,
        position: Position,
        moves: Bitboard,
        alpha: i32,
    ) -> i32 {
        self.nodes += 1;
        if !moves.is_empty() {
            return self.best_in_parity_order::<EMPTIES>(position, moves, alpha);
        }
        let passed = position.passed();
        let replies = self.backend.legal_moves(passed);
        if replies.is_empty() {
            return final_discs(position);
        }
        -self.best_in_parity_order::<EMPTIES>(passed, replies, -alpha)
    }

    /// The odd quadrants first: whoever enters one can move last there.
    #[inline(always)]
    fn best_in_parity_order<const EMPTIES: u32>(
        &mut self,
        position: Position,
        moves: Bitboard,
        alpha: i32,
    ) -> i32 {
        let odd = odd_quadrants(position.empties().0);
        let mut best = -128;
        for set in [moves.0 & odd, moves.0 & !odd] {
            for square in squares(set) {
                let child = self.backend.play(position, square);
                let value = -if EMPTIES == 5 {
                    self.last_4(child, -alpha)
                } else {
                    self.five(child, -alpha)
                };
                best = best.max(value);
                if value > alpha {
                    return best;
                }
            }
        }
        best
    }
}
