//! The sums of an evaluation, which take most of its time: of the rows of a position, and of the hidden layer.
//!
//! Sums of integers are the same in any order, so that every tier gives the same to the last bit.

use othello_core::Backend;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use simd128::weigh;

use super::{
    indices::Indices,
    patterns::{ALL_INSTANCES, CELLS, INSTANCES},
    weights::{HIDDEN, Head},
};

/// The numbers that an instance adds to the hidden layer: one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [i16; HIDDEN]);

/// The number of rows before the first cell and after the last, so that an index of 16 bits that is out
/// of range stays within the rows. They cost no memory, since nothing touches them.
pub(super) const MARGIN: usize = 1 << 15;

/// The number of all rows in memory.
pub(super) const ROWS_IN_MEMORY: usize = MARGIN + CELLS + MARGIN;

/// The place in memory of the row of index 0.
const fn origin(instance: usize) -> usize {
    MARGIN + ALL_INSTANCES[instance].cell(0)
}

/// The sum of the rows that the indices lead to.
///
/// # Panics
///
/// Panics if there are not [`ROWS_IN_MEMORY`] rows.
#[inline(always)]
pub(super) fn sum<B: Backend>(_backend: B, rows: &[Row], indices: &Indices) -> [i16; HIDDEN] {
    assert!(
        rows.len() == ROWS_IN_MEMORY,
        "a row for each cell, and margins"
    );
    #[cfg(target_arch = "x86_64")]
    if B::TIER == othello_core::Tier::Avx512 {
        // SAFETY: the back end is proof of the features.
        return unsafe { avx512::sum(rows, indices) };
    }
    portable(rows, indices)
}

/// Inside [`Backend::vectorize`] the compiler makes of this what can be made by hand for AVX2.
#[inline(always)]
fn portable(rows: &[Row], indices: &Indices) -> [i16; HIDDEN] {
    const { assert!(ROWS_IN_MEMORY * size_of::<Row>() <= u32::MAX as usize) };
    // The rows' distances in bytes first: the compiler finds them eight at a time.
    let mut distances = [0u32; INSTANCES];
    for ((distance, origin), index) in distances.iter_mut().zip(&ORIGINS).zip(indices.all()) {
        *distance = (origin + i32::from(*index)) as u32 * size_of::<Row>() as u32;
    }
    let mut sum = [0i16; HIDDEN];
    for distance in distances {
        // SAFETY: whatever the index, the margins hold the place, and the distance is one of whole rows.
        let row = unsafe { &*rows.as_ptr().byte_add(distance as usize) };
        for (unit, weight) in sum.iter_mut().zip(row.0) {
            *unit = unit.wrapping_add(weight);
        }
    }
    sum
}

/// The sum of the hidden layer by the weights of a head: those of the units above zero, and those of the sizes of the
/// units below.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
pub(super) fn weigh(hidden: &[i16; HIDDEN], head: &Head) -> i32 {
    let mut sum = 0;
    for (unit, weight) in hidden.iter().zip(head.above) {
        sum += i32::from((*unit).max(0)) * i32::from(weight);
    }
    for (unit, weight) in hidden.iter().zip(head.below) {
        sum += i32::from(unit.wrapping_neg().max(0)) * i32::from(weight);
    }
    sum
}

/// The sum of the numbers that the indices lead to, where there is but one for each cell.
///
/// # Panics
///
/// Panics if there are not [`ROWS_IN_MEMORY`] numbers.
#[cfg(feature = "linear")]
#[inline(always)]
pub(super) fn sum_numbers(numbers: &[i16], indices: &Indices) -> i32 {
    assert!(
        numbers.len() == ROWS_IN_MEMORY,
        "a number for each cell, and margins"
    );
    let places = ORIGINS.iter().zip(indices.all());
    let numbers = places.map(|(origin, index)| {
        let place = origin + i32::from(*index);
        // SAFETY: whatever the index, the margins hold the place.
        i32::from(unsafe { *numbers.get_unchecked(place as usize) })
    });
    numbers.sum()
}

/// The place of the row of index 0 for each instance.
static ORIGINS: [i32; INSTANCES] = {
    let mut origins = [0; INSTANCES];
    let mut at = 0;
    while at < INSTANCES {
        origins[at] = origin(at) as i32;
        at += 1;
    }
    origins
};

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{_mm512_add_epi16, _mm512_load_si512, _mm512_setzero_si512};

    use super::{HIDDEN, INSTANCES, Indices, Row, origin};

    /// A register holds a row, and the loop is unrolled by hand, so that where each instance's rows
    /// begin is part of an address; the compiler makes a fifth more instructions of a loop.
    #[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    #[inline]
    pub(super) fn sum(rows: &[Row], indices: &Indices) -> [i16; HIDDEN] {
        const { assert!(INSTANCES == 46, "as many as below") };
        let mut sums = [_mm512_setzero_si512(); 2];
        macro_rules! add {
            ($($at:literal)*) => {$(
                let place = const { origin($at) }.wrapping_add_signed(indices.all()[$at].into());
                // SAFETY: whatever the index, the margins hold the place.
                let row = unsafe { rows.get_unchecked(place) };
                // SAFETY: a row is as long as the register and aligned like it.
                let row = unsafe { _mm512_load_si512((&raw const row.0).cast()) };
                sums[$at % 2] = _mm512_add_epi16(sums[$at % 2], row);
            )*};
        }
        add! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 }
        add! { 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 }
        let sum = _mm512_add_epi16(sums[0], sums[1]);
        // SAFETY: both are 32 integers of 16 bits.
        unsafe { std::mem::transmute(sum) }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{
        i16x8_max, i16x8_neg, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
        i32x4_splat, v128, v128_load,
    };

    use super::{HIDDEN, Head};

    const VECTORS: usize = HIDDEN / 8;

    /// As above, by the instruction that multiplies and adds pairs, which the compiler does not find.
    #[inline(always)]
    pub(in crate::eval) fn weigh(hidden: &[i16; HIDDEN], head: &Head) -> i32 {
        let (above, below) = (vectors(&head.above), vectors(&head.below));
        let zero = i16x8_splat(0);
        let mut sums = i32x4_splat(0);
        for (at, units) in vectors(hidden).into_iter().enumerate() {
            let positive = i16x8_max(units, zero);
            let negative = i16x8_max(i16x8_neg(units), zero);
            sums = i32x4_add(sums, i32x4_dot_i16x8(positive, above[at]));
            sums = i32x4_add(sums, i32x4_dot_i16x8(negative, below[at]));
        }
        i32x4_extract_lane::<0>(sums)
            + i32x4_extract_lane::<1>(sums)
            + i32x4_extract_lane::<2>(sums)
            + i32x4_extract_lane::<3>(sums)
    }

    #[inline(always)]
    fn vectors(numbers: &[i16; HIDDEN]) -> [v128; VECTORS] {
        std::array::from_fn(|at| {
            // SAFETY: a vector is eight of the numbers.
            unsafe { v128_load(numbers[8 * at..8 * at + 8].as_ptr().cast()) }
        })
    }
}

#[cfg(test)]
mod tests {
    use othello_core::{Bitboard, Square, Tier, WithBackend};

    use super::*;
    use crate::{testing::random_play, zeroed::Zeroed};

    struct Sum<'a>(&'a [Row], Indices);

    impl WithBackend for Sum<'_> {
        type Output = [i16; HIDDEN];

        fn run<B: Backend>(self, backend: B) -> Self::Output {
            sum(backend, self.0, &self.1)
        }
    }

    #[test]
    fn numbers_that_are_no_indices_lead_into_the_margins() {
        // SAFETY: zero bits are a row.
        let rows = unsafe { Zeroed::<Row>::new(ROWS_IN_MEMORY) };
        let mut rows = rows.expect("the system has memory for the evaluation");
        for (at, row) in rows.iter_mut().enumerate() {
            row.0 = [at as i16; HIDDEN];
        }
        let mut indices = Indices::of(random_play(6, 30));
        let mut strayed = false;
        for _ in 0..50 {
            indices = indices.after(Square::A1, Bitboard(u64::MAX));
            let places = (0..INSTANCES).map(|at| {
                let place = origin(at).wrapping_add_signed(indices.all()[at].into());
                strayed |= !(MARGIN..MARGIN + CELLS).contains(&place);
                place as i16
            });
            let expected = places.fold(0i16, i16::wrapping_add);
            for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
                let sum = tier.dispatch(Sum(&rows, indices));
                assert_eq!(sum, [expected; HIDDEN], "{tier}");
            }
        }
        assert!(strayed);
    }
}
