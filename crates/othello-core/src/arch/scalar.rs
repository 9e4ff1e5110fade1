//! Move generation in plain 64-bit arithmetic, without tables or vectors.

use super::rays::{DOWN, UP};

/// The empty squares where the owner of `own` may place a disc.
#[inline]
pub(crate) const fn legal_moves(own: u64, opponent: u64) -> u64 {
    // Without columns a and h, no run of discs can wrap from one row to the next.
    let inner = opponent & 0x7e7e_7e7e_7e7e_7e7e;
    let moves = beyond_runs::<1>(own, inner)
        | beyond_runs::<8>(own, opponent)
        | beyond_runs::<7>(own, inner)
        | beyond_runs::<9>(own, inner);
    moves & !(own | opponent)
}

/// The squares just past the runs of `between` that start next to an own disc, in both directions
/// of an axis. A run has at most six squares.
#[inline(always)]
const fn beyond_runs<const STEP: u32>(own: u64, between: u64) -> u64 {
    let pairs_up = between & between << STEP;
    let pairs_down = between & between >> STEP;
    let mut up = between & own << STEP;
    let mut down = between & own >> STEP;
    up |= between & up << STEP;
    down |= between & down >> STEP;
    up |= pairs_up & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up |= pairs_up & up << (2 * STEP);
    down |= pairs_down & down >> (2 * STEP);
    up << STEP | down >> STEP
}

/// The opponent's discs that a disc on `square` (0 to 63) brackets, whether or not the square is
/// empty.
///
/// On each ray, finds the first square that is not an opponent's disc; if it holds an own disc, the
/// squares before it are flipped.
#[inline]
pub(crate) const fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    let up = &UP[square as usize].0;
    let down = &DOWN[square as usize].0;
    flips_up(up[0], own, opponent)
        | flips_up(up[1], own, opponent)
        | flips_up(up[2], own, opponent)
        | flips_up(up[3], own, opponent)
        | flips_down(down[0], own, opponent)
        | flips_down(down[1], own, opponent)
        | flips_down(down[2], own, opponent)
        | flips_down(down[3], own, opponent)
}

/// The final disc difference for the side to move, whose discs are `own`, if `square` is the only
/// empty square, by the flips of a back end.
#[inline(always)]
pub(super) fn last_score(square: u8, own: u64, flips: impl Fn(u8, u64, u64) -> u64) -> i32 {
    let opponent = !own & !(1 << square);
    let count = own.count_ones() as i32;
    let flipped = flips(square, own, opponent).count_ones() as i32;
    if flipped != 0 {
        return 2 * (count + flipped) - 62;
    }
    let flipped = flips(square, opponent, own).count_ones() as i32;
    // If neither side can move, the empty square counts for the side with more discs.
    let left_empty = flipped == 0 && count > 31;
    2 * (count - flipped) - 64 + 2 * i32::from(left_empty)
}

/// The flips on a ray to higher squares: the first square of the ray is the lowest bit.
#[inline(always)]
pub(super) const fn flips_up(ray: u64, own: u64, opponent: u64) -> u64 {
    let stops = ray & !opponent;
    let end = stops & stops.wrapping_neg() & own;
    ray & (end - (end != 0) as u64)
}

/// The flips on a ray to lower squares: the first square of the ray is the highest bit.
#[inline(always)]
pub(super) const fn flips_down(ray: u64, own: u64, opponent: u64) -> u64 {
    let stops = ray & !opponent;
    let end = 1 << 63 >> (stops | 1).leading_zeros() & stops & own;
    ray & (end << 1).wrapping_neg()
}
