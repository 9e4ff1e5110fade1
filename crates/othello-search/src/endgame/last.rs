//! The last four empties, one function for each number.

use othello_core::{Backend, Position, Square};

use crate::{
    bits::{around, odd_quadrants, squares},
    score::final_discs,
    worker::Worker,
};

/// Worse than every score.
const NONE: i32 = -128;

impl<B: Backend> Worker<'_, B> {
    /// The value with one empty square, which is exact whatever `alpha`.
    #[inline(always)]
    pub(super) fn last_1(&mut self, position: Position, alpha: i32) -> i32 {
        let Some(square) = position.empties().first() else {
            return final_discs(position);
        };
        self.nodes += 1;
        last_square(self.backend, position, square, alpha)
    }

    /// As [`null_window`](Self::null_window), with two empties.
    #[inline(always)]
    pub(super) fn last_2(&mut self, position: Position, alpha: i32) -> i32 {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || {
                self.nodes += 1;
                let order = in_order(position.empties().0, 0);
                if let Some(value) = self.best_of_2(position, order, alpha) {
                    return value;
                }
                match self.best_of_2(position.passed(), order, -alpha) {
                    Some(value) => -value,
                    None => final_discs(position),
                }
            },
        )
    }

    #[inline(always)]
    fn best_of_2(&mut self, position: Position, empties: [Square; 2], alpha: i32) -> Option<i32> {
        let mut best = NONE;
        for (square, left) in [(empties[0], empties[1]), (empties[1], empties[0])] {
            if let Some(child) = child(self.backend, position, square) {
                self.nodes += 1;
                best = best.max(-last_square(self.backend, child, left, -alpha));
                if best > alpha {
                    return Some(best);
                }
            }
        }
        (best != NONE).then_some(best)
    }

    /// As [`null_window`](Self::null_window), with three empties.
    #[inline(always)]
    pub(super) fn last_3(&mut self, position: Position, alpha: i32) -> i32 {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || {
                self.nodes += 1;
                let empties = position.empties().0;
                let order = in_order(empties, odd_quadrants(empties));
                if let Some(value) = self.best_of_3(position, order, alpha) {
                    return value;
                }
                match self.best_of_3(position.passed(), order, -alpha) {
                    Some(value) => -value,
                    None => final_discs(position),
                }
            },
        )
    }

    #[inline(always)]
    fn best_of_3(&mut self, position: Position, empties: [Square; 3], alpha: i32) -> Option<i32> {
        let mut best = NONE;
        for square in empties {
            if let Some(child) = child(self.backend, position, square) {
                best = best.max(-self.last_2(child, -alpha));
                if best > alpha {
                    return Some(best);
                }
            }
        }
        (best != NONE).then_some(best)
    }

    /// As [`null_window`](Self::null_window), with four empties.
    pub(super) fn last_4(&mut self, position: Position, alpha: i32) -> i32 {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || {
                self.nodes += 1;
                let empties = position.empties().0;
                let order = in_order(empties, odd_quadrants(empties));
                if let Some(value) = self.best_of_4(position, order, alpha) {
                    return value;
                }
                match self.best_of_4(position.passed(), order, -alpha) {
                    Some(value) => -value,
                    None => final_discs(position),
                }
            },
        )
    }

    #[inline(always)]
    fn best_of_4(&mut self, position: Position, empties: [Square; 4], alpha: i32) -> Option<i32> {
        let mut best = NONE;
        for square in empties {
            if let Some(child) = child(self.backend, position, square) {
                best = best.max(-self.last_3(child, -alpha));
                if best > alpha {
                    return Some(best);
                }
            }
        }
        (best != NONE).then_some(best)
    }
}

/// The position after a disc on `square`, or `None` when it flips nothing.
#[inline(always)]
fn child<B: Backend>(backend: B, position: Position, square: Square) -> Option<Position> {
    if around(square) & position.opponent().0 == 0 {
        return None;
    }
    let flips = backend.flips(position, square);
    (!flips.is_empty()).then(|| position.after(square, flips))
}

/// The exact value when `square` alone is empty.
#[inline(always)]
fn last_square<B: Backend>(backend: B, position: Position, square: Square, alpha: i32) -> i32 {
    let own = position.own().count() as i32;
    let flipped = backend.flips(position, square).count() as i32;
    if flipped != 0 {
        return 2 * (own + flipped) - 62;
    }
    // The best that is left is an own disc on the square by being ahead.
    let ahead = own > 31;
    let most = if ahead { 2 * own - 62 } else { 2 * own - 64 };
    if most <= alpha {
        return most;
    }
    let flipped = backend.flips(position.passed(), square).count() as i32;
    if flipped != 0 {
        return 2 * (own - flipped) - 64;
    }
    most
}

/// The squares of a set of `N`, those in `first` before the others.
#[inline(always)]
fn in_order<const N: usize>(set: u64, first: u64) -> [Square; N] {
    let mut order = [Square::A1; N];
    let listed = squares(set & first).chain(squares(set & !first));
    for (place, square) in order.iter_mut().zip(listed) {
        *place = square;
    }
    order
}
