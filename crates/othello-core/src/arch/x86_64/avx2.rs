//! The AVX2 back end: the four axes of the board in the lanes of a vector.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64,
    _mm256_extracti128_si256, _mm256_load_si256, _mm256_or_si256, _mm256_set_epi64x,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_sub_epi64,
};

use crate::{
    Backend, Bitboard, Position, Square, Tier,
    arch::rays::{self, Rays},
    backend::Kernels,
    perft,
};

/// The AVX2 back end; a value proves that the CPU has the features of [`Tier::Avx2`].
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Returns the back end if the CPU has its features.
    pub(crate) fn detect() -> Option<Self> {
        super::has_features!("avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt")
            .then_some(Self(()))
    }
}

impl Kernels for Avx2 {
    fn perft(self, position: Position, depth: u32) -> u64 {
        perft::cascade::perft(self, position, depth)
    }
}

impl Backend for Avx2 {
    const TIER: Tier = Tier::Avx2;

    #[inline(always)]
    fn legal_moves(self, position: Position) -> Bitboard {
        // SAFETY: `self` is proof of the features.
        Bitboard(unsafe { legal_moves(position.own().0, position.opponent().0) })
    }

    #[inline(always)]
    fn legal_moves_of_eight(self, own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
        // SAFETY: `self` is proof of the features.
        unsafe { super::avx2_lanes::legal_moves_of_eight(own, opponent) }
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
#[inline]
fn vectorize<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn call<A, B, C, D, R>(work: impl FnOnce(A, B, C, D) -> R, a: A, b: B, c: C, d: D) -> R {
    work(a, b, c, d)
}

/// The legal moves, by parallel prefix along the four axes in both directions.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn legal_moves(own: u64, opponent: u64) -> u64 {
    const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    let shift = _mm256_set_epi64x(9, 7, 8, 1);
    let shift2 = _mm256_set_epi64x(18, 14, 16, 2);
    let player = _mm256_set1_epi64x(own as i64);
    let between = _mm256_and_si256(
        _mm256_set1_epi64x(opponent as i64),
        _mm256_set_epi64x(INNER, INNER, !0, INNER),
    );

    let mut up = _mm256_and_si256(between, _mm256_sllv_epi64(player, shift));
    let mut down = _mm256_and_si256(between, _mm256_srlv_epi64(player, shift));
    up = extend_up(up, between, shift);
    down = extend_down(down, between, shift);
    // Pairs of adjacent discs, at the bit of the disc that a run reaches last.
    let pairs_up = _mm256_and_si256(between, _mm256_sllv_epi64(between, shift));
    let pairs_down = _mm256_srlv_epi64(pairs_up, shift);
    up = extend_up(up, pairs_up, shift2);
    down = extend_down(down, pairs_down, shift2);
    up = extend_up(up, pairs_up, shift2);
    down = extend_down(down, pairs_down, shift2);

    let moves = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    union(moves) & !(own | opponent)
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn extend_up(runs: __m256i, through: __m256i, shift: __m256i) -> __m256i {
    _mm256_or_si256(
        runs,
        _mm256_and_si256(through, _mm256_sllv_epi64(runs, shift)),
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn extend_down(runs: __m256i, through: __m256i, shift: __m256i) -> __m256i {
    _mm256_or_si256(
        runs,
        _mm256_and_si256(through, _mm256_srlv_epi64(runs, shift)),
    )
}

/// The flips of a disc on `square`.
///
/// On each ray, finds the first square that is not an opponent's disc; if it holds an own disc, the
/// squares before it are flipped.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn flips(square: Square, own: u64, opponent: u64) -> u64 {
    let zero = _mm256_setzero_si256();
    let player = _mm256_set1_epi64x(own as i64);
    let between = _mm256_set1_epi64x(opponent as i64);

    // Towards higher squares, the first square is the lowest bit, and the squares before it are
    // below it.
    let ray = load(&rays::UP[square.index() as usize]);
    let stops = _mm256_andnot_si256(between, ray);
    let first = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let end = _mm256_and_si256(first, player);
    let below = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
    let up = _mm256_and_si256(
        ray,
        _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), below),
    );

    // Towards lower squares, it is the highest bit, found by spreading the stops along the ray.
    let ray = load(&rays::DOWN[square.index() as usize]);
    let stops = _mm256_andnot_si256(between, ray);
    let shift = _mm256_set_epi64x(9, 7, 8, 1);
    let shift2 = _mm256_set_epi64x(18, 14, 16, 2);
    let shift4 = _mm256_set_epi64x(36, 28, 32, 4);
    let spread = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, shift));
    let spread = _mm256_or_si256(spread, _mm256_srlv_epi64(spread, shift2));
    let spread = _mm256_or_si256(spread, _mm256_srlv_epi64(spread, shift4));
    let end = _mm256_and_si256(
        player,
        _mm256_andnot_si256(_mm256_srlv_epi64(spread, shift), stops),
    );
    let down = _mm256_andnot_si256(
        _mm256_cmpeq_epi64(end, zero),
        _mm256_andnot_si256(spread, ray),
    );

    union(_mm256_or_si256(up, down))
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
pub(super) fn load(rays: &Rays) -> __m256i {
    // SAFETY: `Rays` is 32 bytes, aligned to 32.
    unsafe { _mm256_load_si256(core::ptr::from_ref(rays).cast()) }
}

/// The bitwise OR of the four lanes.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
pub(super) fn union(lanes: __m256i) -> u64 {
    let pair = _mm_or_si128(
        _mm256_castsi256_si128(lanes),
        _mm256_extracti128_si256::<1>(lanes),
    );
    _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
}
