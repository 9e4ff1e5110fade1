//! AVX2: legal moves of four positions, one in each lane.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_loadu_si256,
    _mm256_or_si256, _mm256_set1_epi64x, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_si256,
};

use crate::Bitboard;

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
pub(super) fn legal_moves_of_eight(own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
    let load = |discs: &[Bitboard; 8], from: usize| {
        let half = &discs[from..from + 4];
        // SAFETY: the slice is 32 bytes, and the load is unaligned.
        unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
    };
    let mut moves = [Bitboard::EMPTY; 8];
    for from in [0, 4] {
        let lanes = legal_moves(load(own, from), load(opponent, from));
        let half = &mut moves[from..from + 4];
        // SAFETY: the slice is 32 bytes, and the store is unaligned.
        unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), lanes) };
    }
    moves
}

/// The legal moves of each lane's position, by parallel prefix.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn legal_moves(own: __m256i, opponent: __m256i) -> __m256i {
    let inner = _mm256_and_si256(opponent, _mm256_set1_epi64x(0x7e7e_7e7e_7e7e_7e7e));
    let rows_and_columns = _mm256_or_si256(row(own, inner), axis::<8, 16>(own, opponent));
    let diagonals = _mm256_or_si256(axis::<7, 14>(own, inner), axis::<9, 18>(own, inner));
    let moves = _mm256_or_si256(rows_and_columns, diagonals);
    _mm256_andnot_si256(_mm256_or_si256(own, opponent), moves)
}

/// The squares just past the runs of `between` that start at `own` discs, in both directions of the
/// axis of `STEP`; `TWICE` is `2 * STEP`.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn axis<const STEP: i32, const TWICE: i32>(own: __m256i, between: __m256i) -> __m256i {
    let pairs = _mm256_and_si256(between, _mm256_slli_epi64::<STEP>(between));
    let runs = _mm256_and_si256(between, _mm256_slli_epi64::<STEP>(own));
    let runs = through(runs, between, _mm256_slli_epi64::<STEP>(runs));
    let runs = through(runs, pairs, _mm256_slli_epi64::<TWICE>(runs));
    let runs = through(runs, pairs, _mm256_slli_epi64::<TWICE>(runs));
    _mm256_or_si256(
        _mm256_slli_epi64::<STEP>(runs),
        back::<STEP, TWICE>(own, between, pairs),
    )
}

/// The half of [`axis`] towards lower squares.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn back<const STEP: i32, const TWICE: i32>(
    own: __m256i,
    between: __m256i,
    pairs: __m256i,
) -> __m256i {
    let pairs = _mm256_srli_epi64::<STEP>(pairs);
    let runs = _mm256_and_si256(between, _mm256_srli_epi64::<STEP>(own));
    let runs = through(runs, between, _mm256_srli_epi64::<STEP>(runs));
    let runs = through(runs, pairs, _mm256_srli_epi64::<TWICE>(runs));
    let runs = through(runs, pairs, _mm256_srli_epi64::<TWICE>(runs));
    _mm256_srli_epi64::<STEP>(runs)
}

/// Extends the runs by their shifted discs that are in `allowed`.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn through(runs: __m256i, allowed: __m256i, shifted: __m256i) -> __m256i {
    _mm256_or_si256(runs, _mm256_and_si256(allowed, shifted))
}

/// [`axis`] for rows: to the right, the carry of an addition runs through the discs. The result may
/// contain squares of `between`.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn row(own: __m256i, between: __m256i) -> __m256i {
    let starts = _mm256_and_si256(between, _mm256_slli_epi64::<1>(own));
    let carried = _mm256_add_epi64(between, starts);
    let pairs = _mm256_and_si256(between, _mm256_slli_epi64::<1>(between));
    _mm256_or_si256(carried, back::<1, 2>(own, between, pairs))
}
