//! The AVX-512 back end: the eight directions of the board in the lanes of a vector.

use core::arch::x86_64::{
    _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpgt_epi64_mask,
    _mm256_lzcnt_epi64, _mm256_mask_ternarylogic_epi64, _mm256_maskz_andnot_epi64, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_srlv_epi64, _mm256_ternarylogic_epi64, _mm256_test_epi64_mask,
    _mm512_and_si512, _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_rolv_epi64,
    _mm512_set_epi64, _mm512_set1_epi64, _mm512_ternarylogic_epi64,
};

use crate::{Backend, Bitboard, Position, Square, Tier, arch::rays, backend::Kernels, perft};

/// The AVX-512 back end; a value proves that the CPU has the features of [`Tier::Avx512`].
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Returns the back end if the CPU has its features.
    pub(crate) fn detect() -> Option<Self> {
        super::has_features!(
            "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt"
            "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"
        )
        .then_some(Self(()))
    }
}

impl Kernels for Avx512 {
    fn perft(self, position: Position, depth: u32) -> u64 {
        perft::cascade::perft(self, position, depth)
    }
}

impl Backend for Avx512 {
    const TIER: Tier = Tier::Avx512;

    #[inline(always)]
    fn legal_moves(self, position: Position) -> Bitboard {
        // SAFETY: `self` is proof of the features.
        Bitboard(unsafe { legal_moves(position.own().0, position.opponent().0) })
    }

    #[inline(always)]
    fn legal_moves_of_eight(self, own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
        // SAFETY: `self` is proof of the features.
        unsafe { super::avx512_lanes::legal_moves_of_eight(own, opponent) }
    }

    #[inline(always)]
    fn flips(self, position: Position, square: Square) -> Bitboard {
        // SAFETY: `self` is proof of the features.
        Bitboard(unsafe { flips(square, position.own().0, position.opponent().0) })
    }

    #[inline(always)]
    fn last_score(self, own: Bitboard, square: Square) -> i32 {
        // SAFETY: `self` is proof of the features.
        unsafe { super::last::last_score(square, own.0) }
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        super::prefetch(value);
    }

    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        // SAFETY: `self` is proof of the features.
        unsafe { vectorize(work) }
    }

    #[inline(always)]
    fn call<A, B, C, D, R>(self, work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R {
        // SAFETY: `self` is proof of the features.
        unsafe { call(work, a, b, c, d) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn vectorize<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn call<A, B, C, D, R>(work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R {
    work(a, b, c, d)
}

/// The truth table of `a | (b & c)` for `vpternlogq`.
const A_OR_BC: i32 = 0xf8;

/// The legal moves, by parallel prefix in the eight directions, with rotations instead of shifts.
///
/// A rotation wraps around the board, but only onto squares at the edge of that direction, which
/// are never between two discs.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn legal_moves(own: u64, opponent: u64) -> u64 {
    const COLUMNS: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    const ROWS: i64 = 0x00ff_ffff_ffff_ff00;
    const BOTH: i64 = COLUMNS & ROWS;
    let step = _mm512_set_epi64(-9, -7, -8, -1, 9, 7, 8, 1);
    let step2 = _mm512_set_epi64(-18, -14, -16, -2, 18, 14, 16, 2);
    let between = _mm512_and_si512(
        _mm512_set1_epi64(opponent as i64),
        _mm512_set_epi64(BOTH, BOTH, ROWS, COLUMNS, BOTH, BOTH, ROWS, COLUMNS),
    );

    let player = _mm512_set1_epi64(own as i64);
    let runs = _mm512_and_si512(between, _mm512_rolv_epi64(player, step));
    let pairs = _mm512_and_si512(between, _mm512_rolv_epi64(between, step));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, between, _mm512_rolv_epi64(runs, step));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, pairs, _mm512_rolv_epi64(runs, step2));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, pairs, _mm512_rolv_epi64(runs, step2));
    let moves = _mm512_rolv_epi64(runs, step);

    let halves = _mm256_or_si256(
        _mm512_castsi512_si256(moves),
        _mm512_extracti64x4_epi64::<1>(moves),
    );
    super::avx2::union(halves) & !(own | opponent)
}

/// The truth table of `!a & !b & c`.
const NEITHER_BUT_C: i32 = 0x02;
/// The truth table of `a & (b ^ c)`.
const A_AND_B_XOR_C: i32 = 0x60;
/// The truth table of `a | (!b & c)`.
const A_OR_C_NOT_B: i32 = 0xf2;

/// The flips of a disc on `square`: on each ray, the discs before the nearest own disc, unless an
/// empty square lies between.
///
/// The nearest square is the highest bit of a ray towards lower squares, found by LZCNT, and the
/// lowest bit of a ray towards higher squares, found by a subtraction. Masks select the rays with
/// flips, as in okuhara's `flip_avx512cd.c`.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn flips(square: Square, own: u64, opponent: u64) -> u64 {
    let ones = _mm256_set1_epi64x(-1);
    let player = _mm256_set1_epi64x(own as i64);
    let between = _mm256_set1_epi64x(opponent as i64);

    // Towards lower squares: everything above the nearest own disc, if that disc is above all empty
    // squares. Bit 63 is on none of these rays, so a signed comparison is correct.
    let ray = super::avx2::load(&rays::DOWN[square.index() as usize]);
    let players = _mm256_and_si256(player, ray);
    let empties = _mm256_ternarylogic_epi64::<NEITHER_BUT_C>(between, player, ray);
    let not_above = _mm256_srlv_epi64(ones, _mm256_lzcnt_epi64(players));
    let bracketed = _mm256_cmpgt_epi64_mask(players, empties);
    let down = _mm256_maskz_andnot_epi64(bracketed, not_above, ray);

    // Towards higher squares: the ray up to the first square that is not an opponent's disc, if
    // that square holds an own disc.
    let ray = super::avx2::load(&rays::UP[square.index() as usize]);
    let stops = _mm256_andnot_si256(between, ray);
    let run = _mm256_ternarylogic_epi64::<A_AND_B_XOR_C>(ray, stops, _mm256_add_epi64(stops, ones));
    let bracketed = _mm256_test_epi64_mask(player, run);
    let both = _mm256_mask_ternarylogic_epi64::<A_OR_C_NOT_B>(down, bracketed, player, run);

    super::avx2::union(both)
}
