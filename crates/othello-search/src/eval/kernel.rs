//! The two sums that take most of the time of an evaluation: the rows of a position, and the hidden layer.
//!
//! Integer sums are independent of their order, so every tier gives the same result to the last bit.

use othello_core::Backend;
#[cfg(target_arch = "x86_64")]
use othello_core::Tier;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use simd128::weigh;

use super::{
    INPUTS,
    indices::Indices,
    mobility::{MOBILITY_ROWS, TABLES},
    patterns::{ALL_INSTANCES, CELLS, INSTANCES},
    weights::{HIDDEN, Head, MAX_WEIGHT},
};

/// Half of the hidden layer.
const HALF: usize = HIDDEN / 2;

/// The contribution of one input to the hidden layer: one cache line.
///
/// Number k packs unit k and 256 times unit k + 32. Two rows can be added in this form, because the sum of two weights
/// stays below 128 in magnitude: dividing by 256 and rounding gives the upper unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Row([i16; HALF]);

impl Row {
    /// Packs weights from −63 to 63, given in the order of the units.
    pub(super) fn new(weights: &[u8; HIDDEN]) -> Self {
        let number = |unit: usize| i16::from(weights[unit].cast_signed());
        Self(std::array::from_fn(|at| {
            number(at) + (number(at + HALF) << 8)
        }))
    }
}

/// The number of guard rows before the first pattern cell and after the last, so that any 16-bit index stays within the
/// rows. Except for the mobility rows they cost no memory, since nothing touches them.
pub(super) const GUARD_ROWS: usize = 1 << 15;

/// The index in memory of the first mobility row. The mobility rows are the first guard rows after the last cell.
pub(super) const FIRST_MOBILITY_ROW: usize = GUARD_ROWS + CELLS;

/// The number of rows in memory, including guard rows.
pub(super) const ROWS_IN_MEMORY: usize = GUARD_ROWS + CELLS + GUARD_ROWS;

const _: () = assert!(
    MOBILITY_ROWS <= GUARD_ROWS,
    "the mobility rows fit into the guard rows"
);

const _: () = assert!(INPUTS.is_multiple_of(2), "rows are added in pairs");
const _: () = assert!(
    2 * (MAX_WEIGHT as i32) < 128,
    "the packed units of two rows do not overlap"
);

/// The row in memory of an instance's index 0.
const fn origin(instance: usize) -> usize {
    GUARD_ROWS + ALL_INSTANCES[instance].cell(0)
}

/// The sum of the rows of the pattern indices and of the given mobility rows.
///
/// # Panics
///
/// Panics if there are not [`ROWS_IN_MEMORY`] rows, or if a mobility row is not below [`MOBILITY_ROWS`].
#[inline(always)]
pub(super) fn sum<B: Backend>(
    _backend: B,
    rows: &[Row],
    indices: &Indices,
    mobility: [usize; TABLES],
) -> [i16; HIDDEN] {
    assert!(
        rows.len() == ROWS_IN_MEMORY,
        "a row for each cell, and guard rows"
    );
    #[cfg(target_arch = "x86_64")]
    match B::TIER {
        // SAFETY: the back end proves the features.
        Tier::Avx512 => return unsafe { avx512::sum(rows, indices, mobility) },
        // SAFETY: the back end proves the features.
        Tier::Avx2 => return unsafe { avx2::sum(rows, indices, mobility) },
        _ => {}
    }
    portable(rows, indices, mobility)
}

/// The byte offsets of the rows from the first one; the compiler computes those of the patterns eight at a time. Each
/// offset is valid in [`ROWS_IN_MEMORY`] rows: the guard rows cover every index, and the mobility rows are checked.
#[inline(always)]
fn distances(indices: &Indices, mobility: [usize; TABLES]) -> [u32; INPUTS] {
    const { assert!(ROWS_IN_MEMORY * size_of::<Row>() <= u32::MAX as usize) };
    let mut distances = [0; INPUTS];
    for ((distance, origin), index) in distances.iter_mut().zip(&ORIGINS).zip(indices.all()) {
        *distance = (origin + i32::from(*index)) as u32 * size_of::<Row>() as u32;
    }
    for (distance, row) in distances[INSTANCES..].iter_mut().zip(mobility) {
        assert!(row < MOBILITY_ROWS, "a valid mobility row");
        *distance = ((FIRST_MOBILITY_ROW + row) * size_of::<Row>()) as u32;
    }
    distances
}

/// Sums the rows in pairs: the packed numbers modulo 2^16, and the upper units alone. At the end, 256 times the upper
/// units is subtracted from the packed sums, which leaves the lower units.
#[inline(always)]
fn portable(rows: &[Row], indices: &Indices, mobility: [usize; TABLES]) -> [i16; HIDDEN] {
    let (mut lower, mut upper) = ([0i16; HALF], [0i16; HALF]);
    for pair in distances(indices, mobility).as_chunks::<2>().0 {
        // SAFETY: `sum` has checked the number of rows, and `distances` returns only offsets within them.
        let [one, other] =
            pair.map(|distance| unsafe { &*rows.as_ptr().byte_add(distance as usize) });
        for at in 0..HALF {
            let both = one.0[at].wrapping_add(other.0[at]);
            lower[at] = lower[at].wrapping_add(both);
            upper[at] = upper[at].wrapping_add(both.wrapping_add(128) >> 8);
        }
    }
    let mut sum = [0i16; HIDDEN];
    for at in 0..HALF {
        sum[at] = lower[at].wrapping_sub(upper[at] << 8);
        sum[at + HALF] = upper[at];
    }
    sum
}

/// The output: the hidden layer weighted by a head, which has weights for the units above zero and for the magnitudes
/// of the units below.
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

/// The row in memory of index 0 of each instance.
static ORIGINS: [i32; INSTANCES] = {
    let mut origins = [0; INSTANCES];
    let mut at = 0;
    while at < INSTANCES {
        origins[at] = origin(at) as i32;
        at += 1;
    }
    origins
};

/// Defines the sum of [`portable`] with the divide-by-256-and-round instruction, which the compiler does not find.
#[cfg(target_arch = "x86_64")]
macro_rules! sum_by_pairs {
    (
        $module:ident, $features:literal, $vector:ident,
        $load:ident, $set:ident, $add:ident, $subtract:ident, $scale:ident, $shift:ident
    ) => {
        mod $module {
            use std::arch::x86_64::{$add, $load, $scale, $set, $shift, $subtract, $vector};

            use super::{HIDDEN, Indices, Row, TABLES, distances};

            const VECTORS: usize = size_of::<Row>() / size_of::<$vector>();

            #[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
            #[target_feature(enable = $features)]
            #[inline]
            pub(super) fn sum(
                rows: &[Row],
                indices: &Indices,
                mobility: [usize; TABLES],
            ) -> [i16; HIDDEN] {
                let (mut lower, mut upper) = ([$set(0); VECTORS], [$set(0); VECTORS]);
                for pair in distances(indices, mobility).as_chunks::<2>().0 {
                    let [one, other]: [*const $vector; 2] = pair.map(|distance| {
                        // SAFETY: `sum` has checked the number of rows, and `distances` returns only offsets within
                        // them.
                        let row = unsafe { rows.as_ptr().byte_add(distance as usize) };
                        row.cast()
                    });
                    for vector in 0..VECTORS {
                        // SAFETY: a row is as long as the vectors and aligned like them.
                        let one = unsafe { $load(one.add(vector)) };
                        // SAFETY: likewise.
                        let other = unsafe { $load(other.add(vector)) };
                        let both = $add(one, other);
                        lower[vector] = $add(lower[vector], both);
                        upper[vector] = $add(upper[vector], $scale(both, $set(128)));
                    }
                }
                for (lower, upper) in lower.iter_mut().zip(upper) {
                    *lower = $subtract(*lower, $shift::<8>(upper));
                }
                // SAFETY: both are 64 16-bit integers.
                unsafe { std::mem::transmute([lower, upper]) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
sum_by_pairs!(
    avx2,
    "avx2",
    __m256i,
    _mm256_load_si256,
    _mm256_set1_epi16,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_mulhrs_epi16,
    _mm256_slli_epi16
);

#[cfg(target_arch = "x86_64")]
sum_by_pairs!(
    avx512,
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
    __m512i,
    _mm512_load_si512,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_mulhrs_epi16,
    _mm512_slli_epi16
);

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{
        i16x8_max, i16x8_neg, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
        i32x4_splat, v128, v128_load,
    };

    use super::{HIDDEN, Head};

    const VECTORS: usize = HIDDEN / 8;

    /// [`weigh`](super::weigh) with the multiply-add-pairs instruction, which the compiler does not find.
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

    /// The mobility rows of every test sum.
    const MOBILITY: [usize; TABLES] = [3, MOBILITY_ROWS - 1];

    struct Sum<'a>(&'a [Row], Indices);

    impl WithBackend for Sum<'_> {
        type Output = [i16; HIDDEN];

        fn run<B: Backend>(self, backend: B) -> Self::Output {
            sum(backend, self.0, &self.1, MOBILITY)
        }
    }

    /// The weight of a unit in a row: all values from −63 to 63, and all pairs of extremes in units that are packed
    /// together.
    fn number(place: usize, unit: usize) -> i8 {
        match unit {
            28 | 29 | 60 | 62 => -MAX_WEIGHT,
            30 | 31 | 61 | 63 => MAX_WEIGHT,
            _ => ((place * 31 + unit * 7) % 127) as i8 - MAX_WEIGHT,
        }
    }

    #[test]
    #[should_panic(expected = "a valid mobility row")]
    fn a_mobility_row_beyond_the_last_panics() {
        distances(&Indices::NONE, [0, MOBILITY_ROWS]);
    }

    #[test]
    fn invalid_indices_lead_into_the_guard_rows() {
        // SAFETY: a row of zero bits is valid.
        let rows = unsafe { Zeroed::<Row>::new(ROWS_IN_MEMORY) };
        let mut rows = rows.expect("the system has memory for the evaluation");
        for (at, row) in rows.iter_mut().enumerate() {
            *row = Row::new(&std::array::from_fn(|unit| {
                number(at, unit).cast_unsigned()
            }));
        }
        let mut indices = Indices::of(random_play(6, 30));
        let mut strayed = false;
        for _ in 0..50 {
            indices = indices.after(Square::A1, Bitboard(u64::MAX));
            let places: [usize; INSTANCES] =
                std::array::from_fn(|at| origin(at).wrapping_add_signed(indices.all()[at].into()));
            let is_guard = |place| !(GUARD_ROWS..GUARD_ROWS + CELLS).contains(place);
            strayed |= places.iter().any(is_guard);
            let sum_of = |unit| {
                let mobility = MOBILITY.map(|row| FIRST_MOBILITY_ROW + row);
                let places = places.into_iter().chain(mobility);
                places.map(|place| i16::from(number(place, unit))).sum()
            };
            let expected: [i16; HIDDEN] = std::array::from_fn(sum_of);
            for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
                let sum = tier.dispatch(Sum(&rows, indices));
                assert_eq!(sum, expected, "{tier}");
            }
        }
        assert!(strayed);
    }
}
