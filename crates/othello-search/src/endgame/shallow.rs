//! Five and six empties: parity order, no sorting.

use othello_core::{Backend, Position};

use crate::{
    bits::{around, odd_quadrants, squares},
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
                self.nodes += 1;
                if let Some(value) = self.best_in_parity_order(position, alpha) {
                    return value;
                }
                match self.best_in_parity_order(position.passed(), -alpha) {
                    Some(value) => -value,
                    None => final_discs(position),
                }
            },
        )
    }

    /// The odd quadrants first: whoever enters one can move last there.
    #[inline(always)]
    fn best_in_parity_order(&mut self, position: Position, alpha: i32) -> Option<i32> {
        let empties = position.empties().0;
        let odd = odd_quadrants(empties);
        let five = empties.count_ones() == 5;
        let mut best = None;
        for square in squares(empties & odd).chain(squares(empties & !odd)) {
            if around(square) & position.opponent().0 == 0 {
                continue;
            }
            let flips = self.backend.flips(position, square);
            if flips.is_empty() {
                continue;
            }
            let child = position.after(square, flips);
            let value = -if five {
                self.last_4(child, -alpha)
            } else {
                self.shallow(child, -alpha)
            };
            best = best.max(Some(value));
            if value > alpha {
                break;
            }
        }
        best
    }
}
