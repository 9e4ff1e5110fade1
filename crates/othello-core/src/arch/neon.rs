//! Move generation with NEON: the board in one lane of a vector and the board turned by 180 degrees in the other, so
//! one operation on both lanes works in two opposite directions.
//!
//! Legal moves stay scalar: 64-bit ARM shifts and combines in one instruction, NEON in two.

use core::arch::aarch64::{
    uint64x2_t, vandq_u64, vbicq_u64, vcombine_u64, vcreate_u64, vdupq_n_u64, vgetq_lane_u64,
    vld1q_u64, vnegq_s64, vorrq_u64, vqsubq_u64, vreinterpretq_s64_u64, vreinterpretq_u64_s64,
};

use super::rays::UP;
pub(super) use super::scalar::legal_moves;

/// The opponent's discs that a disc on `square` (0 to 63) brackets, whether or not the square is empty.
#[inline(always)]
pub(super) fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    let (own, opponent) = (with_turned(own), with_turned(opponent));
    // SAFETY: the target has NEON; a pair of rays is two 64-bit numbers.
    unsafe {
        let flips = RAYS[square as usize].each_ref().map(|rays| {
            let rays = vld1q_u64(rays.as_ptr());
            let stops = vbicq_u64(rays, opponent);
            let end = vandq_u64(vandq_u64(stops, negated(stops)), own);
            vandq_u64(rays, vqsubq_u64(end, vdupq_n_u64(1)))
        });
        let flips = vorrq_u64(vorrq_u64(flips[0], flips[1]), vorrq_u64(flips[2], flips[3]));
        vgetq_lane_u64::<0>(flips) | vgetq_lane_u64::<1>(flips).reverse_bits()
    }
}

/// The rays of each square to the right, down, down-left and down-right, each paired with the ray of the turned square.
static RAYS: [[[u64; 2]; 4]; 64] = {
    let mut table = [[[0; 2]; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            table[square][direction] = [UP[square].0[direction], UP[63 - square].0[direction]];
            direction += 1;
        }
        square += 1;
    }
    table
};

/// A board, and the board turned by 180 degrees.
#[inline(always)]
fn with_turned(board: u64) -> uint64x2_t {
    // SAFETY: the target has NEON.
    unsafe { vcombine_u64(vcreate_u64(board), vcreate_u64(board.reverse_bits())) }
}

#[inline(always)]
fn negated(boards: uint64x2_t) -> uint64x2_t {
    // SAFETY: the target has NEON.
    unsafe { vreinterpretq_u64_s64(vnegq_s64(vreinterpretq_s64_u64(boards))) }
}
