//! Move generation with WebAssembly's 128-bit vectors: the board in one lane and its vertical mirror image in the
//! other, so one shift of both lanes moves both up and down the board.

use core::arch::wasm32::{
    i8x16_shuffle, i64x2_add, i64x2_eq, i64x2_neg, i64x2_splat, u64x2, u64x2_extract_lane,
    u64x2_shl, u64x2_shr, u64x2_splat, v128, v128_and, v128_andnot, v128_or,
};

use super::{
    rays::{DOWN, UP},
    scalar::{flips_down, flips_up},
};

/// All columns except a and h.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The empty squares where the owner of `own` may place a disc.
#[inline(always)]
pub(super) fn legal_moves(own: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    let (players, runs, inner_runs) = (with_mirror(own), with_mirror(opponent), with_mirror(inner));
    let moves = v128_or(
        beyond_runs::<8>(players, runs),
        v128_or(
            beyond_runs::<7>(players, inner_runs),
            beyond_runs::<9>(players, inner_runs),
        ),
    );
    (union(moves) | beyond_runs_in_rows(own, inner)) & !(own | opponent)
}

/// The squares just past the runs of `between` that start next to a disc of `players`, towards higher squares. A run
/// has at most six squares.
#[inline(always)]
fn beyond_runs<const STEP: u32>(players: v128, between: v128) -> v128 {
    let pairs = v128_and(between, u64x2_shl(between, STEP));
    let mut ends = v128_and(between, u64x2_shl(players, STEP));
    ends = v128_or(ends, v128_and(between, u64x2_shl(ends, STEP)));
    ends = v128_or(ends, v128_and(pairs, u64x2_shl(ends, 2 * STEP)));
    ends = v128_or(ends, v128_and(pairs, u64x2_shl(ends, 2 * STEP)));
    u64x2_shl(ends, STEP)
}

/// The squares just past the runs within a row; the runs have no discs in columns a and h.
#[inline(always)]
fn beyond_runs_in_rows(own: u64, between: u64) -> u64 {
    // Adding a bit at the start of a run carries it to the square just past the end.
    let right = (between + (between & own << 1)) & !between;
    let pairs = between & between >> 1;
    let mut ends = between & own >> 1;
    ends |= between & ends >> 1;
    ends |= pairs & ends >> 2;
    ends |= pairs & ends >> 2;
    right | ends >> 1
}

/// The legal moves of two positions, one in each lane.
#[inline(always)]
pub(super) fn legal_moves_of_two(own: [u64; 2], opponent: [u64; 2]) -> [u64; 2] {
    let (own, opponent) = (u64x2(own[0], own[1]), u64x2(opponent[0], opponent[1]));
    let inner = v128_and(opponent, u64x2_splat(INNER));
    let moves = v128_or(
        v128_or(
            beyond_runs_both_ways::<1>(own, inner),
            beyond_runs_both_ways::<8>(own, opponent),
        ),
        v128_or(
            beyond_runs_both_ways::<7>(own, inner),
            beyond_runs_both_ways::<9>(own, inner),
        ),
    );
    let moves = v128_andnot(moves, v128_or(own, opponent));
    [
        u64x2_extract_lane::<0>(moves),
        u64x2_extract_lane::<1>(moves),
    ]
}

/// The squares just past the runs of `between` that start next to a disc of `players`, in both directions of an axis.
#[inline(always)]
fn beyond_runs_both_ways<const STEP: u32>(players: v128, between: v128) -> v128 {
    let pairs = u64x2_shr(v128_and(between, u64x2_shl(between, STEP)), STEP);
    let mut ends = v128_and(between, u64x2_shr(players, STEP));
    ends = v128_or(ends, v128_and(between, u64x2_shr(ends, STEP)));
    ends = v128_or(ends, v128_and(pairs, u64x2_shr(ends, 2 * STEP)));
    ends = v128_or(ends, v128_and(pairs, u64x2_shr(ends, 2 * STEP)));
    v128_or(beyond_runs::<STEP>(players, between), u64x2_shr(ends, STEP))
}

/// The opponent's discs that a disc on `square` (0 to 63) brackets, whether or not the square is empty.
#[inline(always)]
pub(super) fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    let (own_discs, opponent_discs) = (with_mirror(own), with_mirror(opponent));
    let flips = RAYS[square as usize].map(|[ray, mirrored]| {
        let ray = u64x2(ray, mirrored);
        let stops = v128_andnot(ray, opponent_discs);
        let end = v128_and(v128_and(stops, i64x2_neg(stops)), own_discs);
        let none = i64x2_eq(end, i64x2_splat(0));
        v128_andnot(v128_and(ray, i64x2_add(end, i64x2_splat(-1))), none)
    });
    union(v128_or(flips[0], v128_or(flips[1], flips[2])))
        | flips_up(UP[square as usize].0[0], own, opponent)
        | flips_down(DOWN[square as usize].0[0], own, opponent)
}

/// The rays of each square down, down-left and down-right, each paired with the ray of the mirrored square.
static RAYS: [[[u64; 2]; 3]; 64] = {
    let mut table = [[[0; 2]; 3]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 3 {
            table[square][direction] = [
                UP[square].0[direction + 1],
                UP[square ^ 0o70].0[direction + 1],
            ];
            direction += 1;
        }
        square += 1;
    }
    table
};

/// A board, and its vertical mirror image.
#[inline(always)]
fn with_mirror(board: u64) -> v128 {
    let both = u64x2(board, board);
    i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8>(both, both)
}

/// Merges a board with its mirror image.
#[inline(always)]
fn union(boards: v128) -> u64 {
    let mirrored =
        i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(boards, boards);
    u64x2_extract_lane::<0>(v128_or(boards, mirrored))
}
