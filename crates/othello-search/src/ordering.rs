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
const MOST_MOVES: usize = 64;

/// The moves of a position, taken out best first.
pub(crate) struct Candidates {
    list: [Candidate; MOST_MOVES],
    len: usize,
}

/// All zero bits, so that a list is cheap to begin.
const NONE: Candidate = Candidate {
    square: Square::A1,
    child: Position::new_unchecked(Bitboard::EMPTY, Bitboard::EMPTY),
    moves: Bitboard::EMPTY,
    key: 0,
};

/// Below every key.
const TAKEN: i32 = i32::MIN;

impl Candidates {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            list: [NONE; MOST_MOVES],
            len: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, candidate: Candidate) {
        self.list[self.len] = candidate;
        self.len += 1;
    }

    /// The candidates, for their keys to be set before any is taken.
    #[inline]
    pub(crate) fn all_mut(&mut self) -> &mut [Candidate] {
        &mut self.list[..self.len]
    }

    /// Takes all that are left, best first, if there are at least two.
    pub(crate) fn take_several(&mut self) -> Option<Vec<(Square, Position)>> {
        let list = self.list[..self.len].iter();
        let left = list.filter(|candidate| candidate.key != TAKEN).count();
        let next = || self.next_best().map(|best| (best.square, best.child));
        (left > 1).then(|| std::iter::from_fn(next).collect())
    }

    /// Takes the candidate with the greatest key, of several the first.
    #[inline(always)]
    pub(crate) fn next_best(&mut self) -> Option<Candidate> {
        // Key and place in one number: the greatest is found without a branch.
        let packed = |(at, candidate): (usize, &Candidate)| {
            i64::from(candidate.key) << 8 | (MOST_MOVES - at) as i64
        };
        let candidates = self.list[..self.len].iter().enumerate();
        let best = candidates.map(packed).fold(i64::MIN, i64::max);
        if best >> 8 <= i64::from(TAKEN) {
            return None;
        }
        let chosen = &mut self.list[MOST_MOVES - (best & 0xff) as usize];
        chosen.key = TAKEN;
        Some(*chosen)
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
