//! AVX2: rows of 32 boards, one in each byte.

use core::{
    arch::x86_64::{
        __m256i, _mm_set_epi8, _mm256_add_epi8, _mm256_add_epi64, _mm256_and_si256,
        _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_load_si256, _mm256_loadu_si256,
        _mm256_or_si256, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_setzero_si256,
        _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_store_si256, _mm256_storeu_si256,
        _mm256_subs_epu8, _mm256_unpackhi_epi8, _mm256_unpackhi_epi16, _mm256_unpackhi_epi32,
        _mm256_unpackhi_epi64, _mm256_unpacklo_epi8, _mm256_unpacklo_epi16, _mm256_unpacklo_epi32,
        _mm256_unpacklo_epi64, _mm256_xor_si256,
    },
    ops::{BitAnd, BitOr, Not},
};

use super::avx2::Avx2;
use crate::perft::{
    cascade::{Lanes, Totals},
    rows::Row,
};

/// A row of 32 boards; a value proves that the CPU has the features of the tier.
#[derive(Clone, Copy)]
pub(crate) struct Row32(__m256i);

impl BitAnd for Row32 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }
}

impl BitOr for Row32 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
}

impl Not for Row32 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi8(-1)) })
    }
}

impl Row for Row32 {
    #[inline(always)]
    fn same(self, byte: u8) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm256_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm256_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm256_subs_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn left(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm256_srli_epi16::<1>(self.0) })
    }

    #[inline(always)]
    fn left_by_two(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { _mm256_srli_epi16::<2>(self.0) })
    }

    #[inline(always)]
    fn where_any(self) -> Self {
        // SAFETY: `self` is proof of the features.
        Self(unsafe { where_any(self.0) })
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
        let boards = &mut boards[..4];
        // SAFETY: `self` is proof of the features; the slice is 32 bytes, and the store unaligned.
        unsafe { _mm256_storeu_si256(boards.as_mut_ptr().cast(), self.0) };
    }
}

impl Lanes for Avx2 {
    type Row = Row32;

    const LANES: usize = 32;

    #[inline(always)]
    fn load(self, boards: &[u64]) -> Row32 {
        let boards = &boards[..4];
        // SAFETY: `self` is proof of the features; the slice is 32 bytes, and the load unaligned.
        Row32(unsafe { _mm256_loadu_si256(boards.as_ptr().cast()) })
    }

    #[inline(always)]
    fn add_to(self, totals: &mut Totals, bytes: Row32) {
        // SAFETY: `self` is proof of the features.
        unsafe { add_to(totals, bytes.0) }
    }
}

/// 0xff in each nonzero byte, 0 in the others.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn where_any(bytes: __m256i) -> __m256i {
    let none = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
    _mm256_xor_si256(none, _mm256_set1_epi8(-1))
}

/// The number of one bits in each byte.
#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn count(bytes: __m256i) -> __m256i {
    let nibble = _mm256_set1_epi8(0x0f);
    let low = _mm256_and_si256(bytes, nibble);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble);
    let ones =
        _mm256_broadcastsi128_si256(_mm_set_epi8(4, 3, 3, 2, 3, 2, 2, 1, 3, 2, 2, 1, 2, 1, 1, 0));
    _mm256_add_epi8(
        _mm256_shuffle_epi8(ones, low),
        _mm256_shuffle_epi8(ones, high),
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn add_to(totals: &mut Totals, bytes: __m256i) {
    let totals: *mut __m256i = core::ptr::from_mut(totals).cast();
    let sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    // SAFETY: `Totals` is more than 32 bytes, and aligned to 32.
    unsafe { _mm256_store_si256(totals, _mm256_add_epi64(_mm256_load_si256(totals), sums)) };
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn pair_bytes(boards: __m256i) -> __m256i {
    let order = _mm256_broadcastsi128_si256(_mm_set_epi8(
        15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0,
    ));
    _mm256_shuffle_epi8(boards, order)
}

#[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
#[inline]
fn interleave<const BYTES: usize>(a: __m256i, b: __m256i) -> [__m256i; 2] {
    match BYTES {
        1 => [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)],
        2 => [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)],
        4 => [_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)],
        8 => [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)],
        _ => unreachable!("elements of 1, 2, 4 or 8 bytes"),
    }
}
