//! AVX-512: the eight directions of the board side by side.

use core::arch::x86_64::{
    _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_lzcnt_epi64,
    _mm256_maskz_and_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_test_epi64_mask, _mm512_and_si512,
    _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_rolv_epi64, _mm512_set_epi64,
    _mm512_set1_epi64, _mm512_ternarylogic_epi64,
};

use crate::{
    Backend, Bitboard, Position, Square, Tier,
    arch::{Kernels, rays},
    perft,
};

/// The AVX-512 back end; a value is proof that the CPU has the features of [`Tier::Avx512`].
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The back end, where the CPU has its features.
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
    fn flips(self, position: Position, square: Square) -> Bitboard {
        // SAFETY: `self` is proof of the features.
        Bitboard(unsafe { flips(square, position.own().0, position.opponent().0) })
    }

    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        // SAFETY: `self` is proof of the features.
        unsafe { vectorize(work) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn vectorize<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// The truth table of `a | (b & c)` for `vpternlogq`.
const A_OR_BC: i32 = 0xf8;

/// Parallel-prefix search in the eight directions, by rotation.
///
/// A rotation wraps from one end of the board to the other, but only onto squares at the rim in
/// that direction, and those are never between two discs.
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

/// On each ray, finds the first square without an opponent's disc and, where it holds an own
/// disc, takes the squares before it.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn flips(square: Square, own: u64, opponent: u64) -> u64 {
    let zero = _mm256_setzero_si256();
    let player = _mm256_set1_epi64x(own as i64);
    let between = _mm256_set1_epi64x(opponent as i64);

    // Upwards the first square is the lowest bit, and the squares before it are the bits below.
    let ray = super::avx2::load(&rays::UP[square.index() as usize]);
    let stops = _mm256_andnot_si256(between, ray);
    let first = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let end = _mm256_and_si256(first, player);
    let below = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
    let up = _mm256_maskz_and_epi64(_mm256_test_epi64_mask(end, end), ray, below);

    // Downwards it is the highest bit, and the squares before it are the bits above.
    let ray = super::avx2::load(&rays::DOWN[square.index() as usize]);
    let stops = _mm256_andnot_si256(between, ray);
    let first = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
    let end = _mm256_and_si256(first, player);
    let above = _mm256_sub_epi64(zero, _mm256_add_epi64(end, end));
    let down = _mm256_and_si256(ray, above);

    super::avx2::union(_mm256_or_si256(up, down))
}
