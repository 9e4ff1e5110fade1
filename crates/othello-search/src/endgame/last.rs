//! The last four empties, one function for each number.
//!
//! The squares are handed down in the order in which to try them, sorted once with four left:
//! lonely squares first, for whoever plays there moves last in that quadrant.

use othello_core::{Backend, Bitboard, Position, Square};

use crate::{bits::around, score::final_discs, stability::stability_bound, worker::Worker};

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
        last_square(self.backend, position.own(), square, alpha)
    }

    /// As [`null_window`](Self::null_window), with two empties.
    pub(super) fn last_2(&mut self, position: Position, alpha: i32) -> i32 {
        self.two(position, in_board_order(position), alpha)
    }

    /// As [`null_window`](Self::null_window), with three empties.
    pub(super) fn last_3(&mut self, position: Position, alpha: i32) -> i32 {
        self.three(position, in_board_order(position), alpha)
    }

    fn two(&mut self, position: Position, order: [Square; 2], alpha: i32) -> i32 {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || {
                self.nodes += 1;
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
    fn best_of_2(&mut self, position: Position, [a, b]: [Square; 2], alpha: i32) -> Option<i32> {
        let mut best = NONE;
        for (square, left) in [(a, b), (b, a)] {
            if let Some(flips) = legal_flips(self.backend, position, square) {
                self.nodes += 1;
                let own = position.opponent() ^ flips;
                best = best.max(-last_square(self.backend, own, left, -alpha));
                if best > alpha {
                    return Some(best);
                }
            }
        }
        (best != NONE).then_some(best)
    }

    fn three(&mut self, position: Position, order: [Square; 3], alpha: i32) -> i32 {
        let backend = self.backend;
        backend.vectorize(
            #[inline(always)]
            || {
                self.nodes += 1;
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
    fn best_of_3(&mut self, position: Position, [a, b, c]: [Square; 3], alpha: i32) -> Option<i32> {
        let mut best = NONE;
        for (square, left) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if let Some(flips) = legal_flips(self.backend, position, square) {
                best = best.max(-self.two(position.after(square, flips), left, -alpha));
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
                if let Some(bound) = stability_bound(backend, position, 4, alpha) {
                    return bound;
                }
                let order = in_parity_order(position);
                if let Some(value) = self.best_of_4(position, &order, alpha) {
                    return value;
                }
                match self.best_of_4(position.passed(), &order, -alpha) {
                    Some(value) => -value,
                    None => final_discs(position),
                }
            },
        )
    }

    #[inline(always)]
    fn best_of_4(&mut self, position: Position, order: &ParityOrder, alpha: i32) -> Option<i32> {
        let [a, b, c, d] = order.squares;
        let mut best = NONE;
        for (square, left) in [
            (a, [b, c, d]),
            (b, [a, c, d]),
            // Of two pairs, the one that is broken leaves a lonely square.
            (
                c,
                if order.two_pairs {
                    [d, a, b]
                } else {
                    [a, b, d]
                },
            ),
            (
                d,
                if order.two_pairs {
                    [c, a, b]
                } else {
                    [a, b, c]
                },
            ),
        ] {
            if let Some(flips) = legal_flips(self.backend, position, square) {
                best = best.max(-self.three(position.after(square, flips), left, -alpha));
                if best > alpha {
                    return Some(best);
                }
            }
        }
        (best != NONE).then_some(best)
    }
}

/// What a disc on `square` flips, or `None` when it flips nothing.
#[inline(always)]
fn legal_flips<B: Backend>(backend: B, position: Position, square: Square) -> Option<Bitboard> {
    if around(square) & position.opponent().0 == 0 {
        return None;
    }
    let flips = backend.flips(position, square);
    (!flips.is_empty()).then_some(flips)
}

/// The value to the owner of `own`, to move, when `square` alone is empty: exact, or where a side
/// must pass, an upper bound that does not exceed `alpha`.
#[inline(always)]
fn last_square<B: Backend>(backend: B, own: Bitboard, square: Square, alpha: i32) -> i32 {
    let count = own.count() as i32;
    let flipped = backend.last_flips(own, square) as i32;
    if flipped != 0 {
        return 2 * (count + flipped) - 62;
    }
    // The best that is left is an own disc on the square by being ahead.
    let ahead = count > 31;
    let most = if ahead {
        2 * count - 62
    } else {
        2 * count - 64
    };
    if most <= alpha {
        return most;
    }
    let opponent = !own.with(square);
    let flipped = backend.last_flips(opponent, square) as i32;
    if flipped != 0 {
        return 2 * (count - flipped) - 64;
    }
    most
}

/// The empty squares of a position that has `N` of them.
#[inline(always)]
fn in_board_order<const N: usize>(position: Position) -> [Square; N] {
    let mut order = [Square::A1; N];
    for (place, square) in order.iter_mut().zip(position.empties()) {
        *place = square;
    }
    order
}

/// Four empty squares, those that are alone in their quadrant first and pairs together.
struct ParityOrder {
    squares: [Square; 4],
    /// Whether they lie two and two in two quadrants.
    two_pairs: bool,
}

/// How to sort four squares, as bytes of a word, by the quadrants that they lie in.
#[derive(Clone, Copy)]
struct Shuffle {
    /// For each place the shift that brings its square to the low byte.
    shifts: [u8; 4],
    two_pairs: bool,
}

/// By how the quadrants of the first three squares differ from that of the last, two bits each.
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

/// The order of four squares in these quadrants.
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

/// Sorts the four empties of a position.
#[inline(always)]
fn in_parity_order(position: Position) -> ParityOrder {
    let [a, b, c, d] = in_board_order(position).map(|square: Square| u32::from(square.index()));
    let word = a | b << 8 | c << 16 | d << 24;
    // A square's quadrant is in bits 2 and 5 of its index.
    let differ = word ^ d.wrapping_mul(0x0101_0101);
    let columns = differ & 0x0004_0404;
    let rows = differ & 0x0020_2020;
    let pairs = columns >> 2 | rows >> 4;
    let index = (pairs | pairs >> 6 | pairs >> 12) & 0x3f;
    let shuffle = &SHUFFLES[index as usize];
    ParityOrder {
        squares: shuffle
            .shifts
            .map(|shift| square_of(word >> (shift & 0x18))),
        two_pairs: shuffle.two_pairs,
    }
}

/// The square whose index is the low byte of `word`.
#[inline(always)]
fn square_of(word: u32) -> Square {
    Square::ALL[(word & 63) as usize]
}
