//! The last four empties, with one function for each number.
//!
//! The squares are passed down in the order in which to try them, sorted once at four empties: squares that are alone
//! in their quadrant first, because whoever plays there moves last in that quadrant.

use othello_core::{Backend, Bitboard, Position, Square};

use crate::{
    bits::around,
    score::{Discs, final_discs},
    stability::stability_bound,
    worker::Worker,
};

/// A value below every score.
const NONE: Discs = Discs::BELOW_ALL;

/// Up to four squares in the order in which to try them, packed into a word so that they are passed in a register.
#[derive(Clone, Copy)]
struct Order(u32);

impl Order {
    /// The square at an index of the order.
    #[inline(always)]
    fn at(self, place: u32) -> Square {
        square_of(self.0 >> (8 * place))
    }

    /// The order without the square at an index.
    #[inline(always)]
    fn without(self, place: u32) -> Self {
        let before = (1 << (8 * place)) - 1;
        Self(self.0 & before | self.0 >> 8 & !before)
    }

    /// The empty squares of a position with exactly `N` of them, in board order.
    #[inline(always)]
    fn of<const N: usize>(position: Position) -> Self {
        let mut word = 0;
        for (place, square) in position.empties().into_iter().take(N).enumerate() {
            word |= u32::from(square.index()) << (8 * place);
        }
        Self(word)
    }
}

impl<B: Backend> Worker<'_, B> {
    /// The exact value with one empty square.
    pub(super) fn last_1(&mut self, position: Position) -> Discs {
        let Some(square) = position.empties().first() else {
            return final_discs(position);
        };
        self.nodes += 1;
        Discs::new(self.backend.last_score(position.own(), square))
    }

    /// [`null_window`](Self::null_window) for two empties.
    pub(super) fn last_2(&mut self, position: Position, alpha: Discs) -> Discs {
        self.two(position, Order::of::<2>(position), alpha)
    }

    /// [`null_window`](Self::null_window) for three empties.
    pub(super) fn last_3(&mut self, position: Position, alpha: Discs) -> Discs {
        self.three(position, Order::of::<3>(position), alpha)
    }

    fn two(&mut self, position: Position, order: Order, alpha: Discs) -> Discs {
        self.backend.call(
            #[inline(always)]
            |worker: &mut Self, position: Position, order, alpha| {
                worker.nodes += 1;
                if let Some(value) = worker.best_of_2(position, order, alpha) {
                    return value;
                }
                worker.generate(1);
                match worker.best_of_2(position.passed(), order, -alpha) {
                    Some(value) => -value,
                    None => final_discs(position),
                }
            },
            self,
            position,
            order,
            alpha,
        )
    }

    #[inline(always)]
    fn best_of_2(&mut self, position: Position, order: Order, alpha: Discs) -> Option<Discs> {
        let mut best = NONE;
        for place in 0..2 {
            if let Some(flips) = legal_flips(self.backend, position, order.at(place)) {
                self.nodes += 1;
                let own = position.opponent() ^ flips;
                best = best.max(Discs::new(
                    -self.backend.last_score(own, order.at(1 - place)),
                ));
                if best > alpha {
                    return Some(best);
                }
            }
        }
        (best != NONE).then_some(best)
    }

    fn three(&mut self, position: Position, order: Order, alpha: Discs) -> Discs {
        self.backend.call(
            #[inline(always)]
            |worker: &mut Self, position: Position, order, alpha| {
                worker.nodes += 1;
                if let Some(value) = worker.best_of_3(position, order, alpha) {
                    return value;
                }
                worker.generate(1);
                match worker.best_of_3(position.passed(), order, -alpha) {
                    Some(value) => -value,
                    None => final_discs(position),
                }
            },
            self,
            position,
            order,
            alpha,
        )
    }

    #[inline(always)]
    fn best_of_3(&mut self, position: Position, order: Order, alpha: Discs) -> Option<Discs> {
        let mut best = NONE;
        for place in 0..3 {
            let square = order.at(place);
            if let Some(flips) = legal_flips(self.backend, position, square) {
                let left = order.without(place);
                best = best.max(-self.two(position.after(square, flips), left, -alpha));
                if best > alpha {
                    return Some(best);
                }
            }
        }
        (best != NONE).then_some(best)
    }

    /// [`null_window`](Self::null_window) for four empties.
    pub(super) fn last_4(&mut self, position: Position, alpha: Discs) -> Discs {
        self.backend.call(
            #[inline(always)]
            |worker: &mut Self, position: Position, alpha, ()| {
                worker.nodes += 1;
                if let Some(bound) = stability_bound(worker.backend, position, 4, alpha) {
                    return bound;
                }
                let order = in_parity_order(position);
                if let Some(value) = worker.best_of_4(position, order, alpha) {
                    return value;
                }
                worker.generate(1);
                match worker.best_of_4(position.passed(), order, -alpha) {
                    Some(value) => -value,
                    None => final_discs(position),
                }
            },
            self,
            position,
            alpha,
            (),
        )
    }

    #[inline(always)]
    fn best_of_4(&mut self, position: Position, order: ParityOrder, alpha: Discs) -> Option<Discs> {
        let mut best = NONE;
        for place in 0..4 {
            let square = order.squares.at(place);
            if let Some(flips) = legal_flips(self.backend, position, square) {
                let left = order.without(place);
                best = best.max(-self.three(position.after(square, flips), left, -alpha));
                if best > alpha {
                    return Some(best);
                }
            }
        }
        (best != NONE).then_some(best)
    }
}

/// The discs that a move to `square` flips, or `None` if it flips nothing.
#[inline(always)]
fn legal_flips<B: Backend>(backend: B, position: Position, square: Square) -> Option<Bitboard> {
    if around(square) & position.opponent().0 == 0 {
        return None;
    }
    let flips = backend.flips(position, square);
    (!flips.is_empty()).then_some(flips)
}

/// Four empty squares: those alone in their quadrant first, and pairs together.
#[derive(Clone, Copy)]
struct ParityOrder {
    squares: Order,
    /// True if each of two quadrants holds two of the squares.
    two_pairs: bool,
}

impl ParityOrder {
    /// The order of the remaining three squares after the one at `place` is played.
    #[inline(always)]
    fn without(self, place: u32) -> Order {
        let Order(left) = self.squares.without(place);
        if self.two_pairs && place >= 2 {
            // Playing one square of two pairs leaves its partner alone.
            Order(left >> 16 | left << 8 & 0x00ff_ffff)
        } else {
            Order(left)
        }
    }
}

/// A permutation of four squares, packed in a word, by their quadrants: from a table, as in okuhara's fork of Edax
/// (`endgame_sse.c`).
#[derive(Clone, Copy)]
struct Shuffle {
    /// For each index, the shift that brings its square to the low byte.
    shifts: [u8; 4],
    two_pairs: bool,
}

/// The permutation for each difference of the first three squares' quadrants from the last square's, two bits each.
static SHUFFLES: [Shuffle; 64] = {
    let mut table = [Shuffle {
        shifts: [0; 4],
        two_pairs: false,
    }; 64];
    let mut quadrants = 0;
    while quadrants < 64 {
        table[quadrants] = shuffle([quadrants & 3, quadrants >> 2 & 3, quadrants >> 4, 0]);
        quadrants += 1;
    }
    table
};

/// The permutation of four squares in the given quadrants.
const fn shuffle(quadrants: [usize; 4]) -> Shuffle {
    let mut sizes = [0; 4];
    let mut at = 0;
    while at < 4 {
        sizes[quadrants[at]] += 1;
        at += 1;
    }
    let mut shifts = [0; 4];
    let mut placed = 0;
    let mut size = 1;
    while size <= 4 {
        let mut quadrant = 0;
        while quadrant < 4 {
            let mut at = 0;
            while at < 4 {
                if sizes[quadrants[at]] == size && quadrants[at] == quadrant {
                    shifts[placed] = 8 * at as u8;
                    placed += 1;
                }
                at += 1;
            }
            quadrant += 1;
        }
        size += 1;
    }
    Shuffle {
        shifts,
        two_pairs: sizes[quadrants[0]] == 2
            && sizes[quadrants[1]] == 2
            && sizes[quadrants[2]] == 2
            && sizes[quadrants[3]] == 2,
    }
}

#[inline(always)]
fn in_parity_order(position: Position) -> ParityOrder {
    let Order(word) = Order::of::<4>(position);
    // Bits 2 and 5 of a square's index give its quadrant.
    let differ = word ^ (word >> 24).wrapping_mul(0x0101_0101);
    let columns = differ & 0x0004_0404;
    let rows = differ & 0x0020_2020;
    let pairs = columns >> 2 | rows >> 4;
    let index = (pairs | pairs >> 6 | pairs >> 12) & 0x3f;
    let shuffle = &SHUFFLES[index as usize];
    let mut sorted = 0;
    for (place, shift) in shuffle.shifts.into_iter().enumerate() {
        sorted |= (word >> (shift & 0x18) & 0x3f) << (8 * place);
    }
    ParityOrder {
        squares: Order(sorted),
        two_pairs: shuffle.two_pairs,
    }
}

/// The square whose index is the low byte of `word`.
#[inline(always)]
fn square_of(word: u32) -> Square {
    Square::from_index((word & 63) as u8).unwrap_or(Square::A1)
}
