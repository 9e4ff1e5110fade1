//! AVX-512: rows of 64 boards, one in each byte.

use core::{
    arch::x86_64::{
        __m512i, _mm_set_epi8, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512,
        _mm512_broadcast_i32x4, _mm512_load_si512, _mm512_loadu_si512, _mm512_movm_epi8,
        _mm512_or_si512, _mm512_sad_epu8, _mm512_set1_epi8, _mm512_setzero_si512,
        _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_store_si512, _mm512_storeu_si512,
        _mm512_subs_epu8, _mm512_ternarylogic_epi64, _mm512_test_epi8_mask, _mm512_unpackhi_epi8,
        _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi8,
        _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _mm512_xor_si512,
    },
    ops::{BitAnd, BitOr, Not},
};

use super::avx512::Avx512;
use crate::perft::{
    cascade::{Lanes, Totals},
    rows::Row,
};

/// A row of 64 boards; a value proves that the CPU has the features of the tier.
#[derive(Clone, Copy)]
pub(crate) struct Row64(__m512i);

impl BitAnd for Row64 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Row64 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

impl Not for Row64 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi8(-1)) })
    }
}

impl Row for Row64 {
    #[inline(always)]
    fn or_both(self, a: Self, b: Self) -> Self {
        /// The truth table of `a | (b & c)`.
        const A_OR_BC: i32 = 0xf8;
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_ternarylogic_epi64::<A_OR_BC>(self.0, a.0, b.0) })
    }

    #[inline(always)]
    fn same(self, byte: u8) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_subs_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn left(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_srli_epi16::<1>(self.0) })
    }

    #[inline(always)]
    fn left_by_two(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_srli_epi16::<2>(self.0) })
    }

    #[inline(always)]
    fn where_any(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm512_movm_epi8(_mm512_test_epi8_mask(self.0, self.0)) })
    }

    #[inline(always)]
    fn count(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { count(self.0) })
    }

    #[inline(always)]
    fn pair_bytes(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { pair_bytes(self.0) })
    }

    #[inline(always)]
    fn interleave<const BYTES: usize>(self, other: Self) -> [Self; 2] {
        // SAFETY: `self` is proof of the features.
        let [lower, upper] = unsafe { interleave::<BYTES>(self.0, other.0) };
        [Self(lower), Self(upper)]
    }

    #[inline(always)]
    fn store(self, boards: &mut [u64]) {
        let boards = &mut boards[..8];
        // SAFETY: `self` is proof of the features; the slice is 64 bytes, and the store unaligned.
        unsafe { _mm512_storeu_si512(boards.as_mut_ptr().cast(), self.0) };
    }
}

impl Lanes for Avx512 {
    type Row = Row64;

    const LANES: usize = 64;

    #[inline(always)]
    fn load(self, boards: &[u64]) -> Row64 {
        let boards = &boards[..8];
        // SAFETY: `self` is proof of the features; the slice is 64 bytes, and the load unaligned.
        Row64(unsafe { _mm512_loadu_si512(boards.as_ptr().cast()) })
    }

    #[inline(always)]
    fn add_to(self, totals: &mut Totals, bytes: Row64) {
        // SAFETY: `self` is proof of the features.
        unsafe { add_to(totals, bytes.0) }
    }
}

/// The number of one bits in each byte.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn count(bytes: __m512i) -> __m512i {
    let nibble = _mm512_set1_epi8(0x0f);
    let low = _mm512_and_si512(bytes, nibble);
    let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble);
    let ones = _mm512_broadcast_i32x4(_mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0));
    _mm512_add_epi8(
        _mm512_shuffle_epi8(ones, low),
        _mm512_shuffle_epi8(ones, high),
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn add_to(totals: &mut Totals, bytes: __m512i) {
    let totals: *mut __m512i = core::ptr::from_mut(totals).cast();
    let sums = _mm512_sad_epu8(bytes, _mm512_setzero_si512());
    // SAFETY: `Totals` is 64 bytes, aligned to 64.
    unsafe { _mm512_store_si512(totals, _mm512_add_epi64(_mm512_load_si512(totals), sums)) };
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn pair_bytes(boards: __m512i) -> __m512i {
    let order = _mm512_broadcast_i32x4(_mm_set_epi8(
        15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0,
    ));
    _mm512_shuffle_epi8(boards, order)
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn interleave<const BYTES: usize>(a: __m512i, b: __m512i) -> [__m512i; 2] {
    match BYTES {
        1 => [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)],
        2 => [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)],
        4 => [_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b)],
        8 => [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)],
        _ => unreachable!("elements of 1, 2, 4 or 8 bytes"),
    }
}
