//! Which move to search first.

use othello_core::{Bitboard, Position, Square};

/// A legal move, where it leads, and how promising it is.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) square: Square,
    /// The position after the move.
    pub(crate) child: Position,
    /// The opponent's legal moves there.
    pub(crate) moves: Bitboard,
    /// The greater, the sooner.
    pub(crate) key: i32,
}

/// The most legal moves that any position has, reachable or not, is below this.
pub(crate) const MOST_MOVES: usize = 64;

/// The moves of a position, taken out best first.
pub(crate) struct Candidates<const N: usize> {
    list: [Candidate; N],
    taken: usize,
    len: usize,
}

impl<const N: usize> Candidates<N> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        const NONE: Candidate = Candidate {
            square: Square::A1,
            child: Position::START,
            moves: Bitboard::EMPTY,
            key: 0,
        };
        Self {
            list: [NONE; N],
            taken: 0,
            len: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, candidate: Candidate) {
        self.list[self.len] = candidate;
        self.len += 1;
    }

    /// The candidates not taken yet.
    #[inline]
    pub(crate) fn rest_mut(&mut self) -> &mut [Candidate] {
        &mut self.list[self.taken..self.len]
    }

    /// Takes the candidate with the greatest key.
    #[inline(always)]
    pub(crate) fn next_best(&mut self) -> Option<Candidate> {
        let rest = &mut self.list[self.taken..self.len];
        let mut best = rest.first()?.key;
        let mut place = 0;
        for (at, candidate) in rest.iter().enumerate().skip(1) {
            if candidate.key > best {
                (best, place) = (candidate.key, at);
            }
        }
        rest.swap(0, place);
        self.taken += 1;
        Some(rest[0])
    }
}

/// The number of moves, corners counted twice: a corner is hardly ever a bad move to have.
#[inline(always)]
pub(crate) fn weighted_mobility(moves: Bitboard) -> i32 {
    (moves.count() + (moves & Bitboard::CORNERS).count()) as i32
}

/// The worth of a square, all else equal, 0 to 18: corners most, X-squares least.
#[inline(always)]
pub(crate) fn square_worth(square: Square) -> i32 {
    i32::from(SQUARE_WORTH[usize::from(square.index())])
}

#[rustfmt::skip]
static SQUARE_WORTH: [u8; 64] = [
    18,  4, 16, 12, 12, 16,  4, 18,
     4,  2,  6,  8,  8,  6,  2,  4,
    16,  6, 14, 10, 10, 14,  6, 16,
    12,  8, 10,  0,  0, 10,  8, 12,
    12,  8, 10,  0,  0, 10,  8, 12,
    16,  6, 14, 10, 10, 14,  6, 16,
     4,  2,  6,  8,  8,  6,  2,  4,
    18,  4, 16, 12, 12, 16,  4, 18,
];
