//! Plain 64-bit arithmetic: runs everywhere, and is what the other back ends must equal.

use crate::{Backend, Bitboard, Position, Square, Tier};

/// The back end that runs everywhere.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl super::Kernels for Portable {}

impl Backend for Portable {
    const TIER: Tier = Tier::Portable;

    #[inline(always)]
    fn legal_moves(self, position: Position) -> Bitboard {
        position.legal_moves()
    }

    #[inline(always)]
    fn flips(self, position: Position, square: Square) -> Bitboard {
        position.flips(square)
    }

    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// Every column but a and h, so that a run of discs never wraps from one row to the next.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The four axes as shift distances, each with the squares where its runs may pass.
const AXES: [(u32, u64); 4] = [
    (1, INNER_COLUMNS),
    (8, !0),
    (7, INNER_COLUMNS),
    (9, INNER_COLUMNS),
];

/// The empty squares where the owner of `own` may place a disc.
pub(crate) const fn legal_moves(own: u64, opponent: u64) -> u64 {
    let mut moves = 0;
    let mut axis = 0;
    while axis < AXES.len() {
        let (shift, columns) = AXES[axis];
        let between = opponent & columns;
        let mut up = between & (own << shift);
        let mut down = between & (own >> shift);
        let mut step = 0;
        while step < 5 {
            up |= between & (up << shift);
            down |= between & (down >> shift);
            step += 1;
        }
        moves |= up << shift | down >> shift;
        axis += 1;
    }
    moves & !(own | opponent)
}

/// The opponent's discs that a disc on `square` (0 to 63) brackets, whatever lies on it.
pub(crate) const fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    let placed = 1u64 << square;
    let mut flipped = 0;
    let mut axis = 0;
    while axis < AXES.len() {
        let (shift, columns) = AXES[axis];
        let between = opponent & columns;
        let mut up = between & (placed << shift);
        let mut down = between & (placed >> shift);
        let mut step = 0;
        while step < 5 {
            up |= between & (up << shift);
            down |= between & (down >> shift);
            step += 1;
        }
        if own & (up << shift) != 0 {
            flipped |= up;
        }
        if own & (down >> shift) != 0 {
            flipped |= down;
        }
        axis += 1;
    }
    flipped
}
