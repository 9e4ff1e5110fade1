//! AVX-512: legal moves of eight positions, one in each lane.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_loadu_si512, _mm512_or_si512,
    _mm512_set1_epi64, _mm512_slli_epi64, _mm512_srli_epi64, _mm512_storeu_si512,
    _mm512_ternarylogic_epi64,
};

use crate::Bitboard;

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
pub(super) fn legal_moves_of_eight(own: &[Bitboard; 8], opponent: &[Bitboard; 8]) -> [Bitboard; 8] {
    let load = |discs: &[Bitboard; 8]| {
        // SAFETY: the array is 64 bytes, and the load is unaligned.
        unsafe { _mm512_loadu_si512(core::ptr::from_ref(discs).cast()) }
    };
    let mut moves = [Bitboard::EMPTY; 8];
    let lanes = legal_moves(load(own), load(opponent));
    // SAFETY: the array is 64 bytes, and the store is unaligned.
    unsafe { _mm512_storeu_si512(core::ptr::from_mut(&mut moves).cast(), lanes) };
    moves
}

/// The legal moves of each lane's position, by parallel prefix.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn legal_moves(own: __m512i, opponent: __m512i) -> __m512i {
    /// `a & !(b | c)`
    const EMPTY: i32 = 0x10;
    /// `a | b | c`
    const UNION: i32 = 0xfe;
    let inner = _mm512_and_si512(opponent, _mm512_set1_epi64(0x7e7e_7e7e_7e7e_7e7e));
    let [right, left] = row(own, inner);
    let [down, up] = axis::<8, 16>(own, opponent);
    let [down_left, up_right] = axis::<7, 14>(own, inner);
    let [down_right, up_left] = axis::<9, 18>(own, inner);
    let moves = _mm512_ternarylogic_epi64::<UNION>(right, left, down);
    let moves = _mm512_ternarylogic_epi64::<UNION>(moves, up, down_left);
    let moves = _mm512_ternarylogic_epi64::<UNION>(moves, up_right, down_right);
    let moves = _mm512_or_si512(moves, up_left);
    _mm512_ternarylogic_epi64::<EMPTY>(moves, own, opponent)
}

/// The truth table of `a | (b & c)`.
const A_OR_BC: i32 = 0xf8;

/// The squares just past the runs of `between` that start at `own` discs, in both directions of the
/// axis of `STEP`; `TWICE` is `2 * STEP`.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn axis<const STEP: u32, const TWICE: u32>(own: __m512i, between: __m512i) -> [__m512i; 2] {
    let forth = _mm512_and_si512(between, _mm512_slli_epi64::<STEP>(own));
    let forth =
        _mm512_ternarylogic_epi64::<A_OR_BC>(forth, between, _mm512_slli_epi64::<STEP>(forth));
    let pairs = _mm512_and_si512(between, _mm512_slli_epi64::<STEP>(between));
    let forth =
        _mm512_ternarylogic_epi64::<A_OR_BC>(forth, pairs, _mm512_slli_epi64::<TWICE>(forth));
    let forth =
        _mm512_ternarylogic_epi64::<A_OR_BC>(forth, pairs, _mm512_slli_epi64::<TWICE>(forth));
    [
        _mm512_slli_epi64::<STEP>(forth),
        back::<STEP, TWICE>(own, between, pairs),
    ]
}

/// The half of [`axis`] towards lower squares.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn back<const STEP: u32, const TWICE: u32>(
    own: __m512i,
    between: __m512i,
    pairs: __m512i,
) -> __m512i {
    let pairs = _mm512_srli_epi64::<STEP>(pairs);
    let runs = _mm512_and_si512(between, _mm512_srli_epi64::<STEP>(own));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, between, _mm512_srli_epi64::<STEP>(runs));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, pairs, _mm512_srli_epi64::<TWICE>(runs));
    let runs = _mm512_ternarylogic_epi64::<A_OR_BC>(runs, pairs, _mm512_srli_epi64::<TWICE>(runs));
    _mm512_srli_epi64::<STEP>(runs)
}

/// [`axis`] for rows: to the right, the carry of an addition runs through the discs. The result may
/// contain squares of `between`.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn row(own: __m512i, between: __m512i) -> [__m512i; 2] {
    let starts = _mm512_and_si512(between, _mm512_slli_epi64::<1>(own));
    let carried = _mm512_add_epi64(between, starts);
    let pairs = _mm512_and_si512(between, _mm512_slli_epi64::<1>(between));
    [carried, back::<1, 2>(own, between, pairs)]
}
