//! The sum of the rows of a position: what an evaluation spends its time on.
//!
//! Sums of integers are the same in any order, so that every tier gives the same to the last bit.

use othello_core::Backend;

use super::{
    patterns::{ALL_INSTANCES, CELLS, INSTANCES, Indices},
    weights::HIDDEN,
};

/// The numbers that an instance adds to the hidden layer: one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [i16; HIDDEN]);

/// The sum of the rows that the indices lead to.
///
/// # Panics
///
/// When there are not [`CELLS`] cells.
#[inline(always)]
pub(super) fn sum<B: Backend>(_backend: B, cells: &[Row], indices: &Indices) -> [i16; HIDDEN] {
    assert!(cells.len() == CELLS, "a row for each cell");
    #[cfg(target_arch = "x86_64")]
    if B::TIER == othello_core::Tier::Avx512 {
        // SAFETY: the back end is proof of the features.
        return unsafe { avx512::sum(cells, indices) };
    }
    portable(cells, indices)
}

/// Inside [`Backend::vectorize`] the compiler makes of this what can be made by hand for AVX2.
#[inline(always)]
fn portable(cells: &[Row], indices: &Indices) -> [i16; HIDDEN] {
    // All cells first: the compiler finds them eight at a time.
    let mut places = [0; INSTANCES];
    for ((place, instance), index) in places.iter_mut().zip(&ORIGINS).zip(indices.all()) {
        *place = instance + i32::from(*index);
    }
    let mut sum = [0i16; HIDDEN];
    for place in places {
        // SAFETY: indices are in their ranges, so that `Instance::cell` gives a cell; there are so
        // many.
        let row = unsafe { cells.get_unchecked(place as usize) };
        for (unit, weight) in sum.iter_mut().zip(row.0) {
            *unit = unit.wrapping_add(weight);
        }
    }
    sum
}

/// The cell of index 0 of each instance.
static ORIGINS: [i32; INSTANCES] = {
    let mut origins = [0; INSTANCES];
    let mut at = 0;
    while at < INSTANCES {
        origins[at] = ALL_INSTANCES[at].cell(0) as i32;
        at += 1;
    }
    origins
};

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{_mm512_add_epi16, _mm512_load_si512, _mm512_setzero_si512};

    use super::{ALL_INSTANCES, HIDDEN, INSTANCES, Indices, Row};

    /// A register holds a row, and the loop is unrolled by hand, so that where each instance's rows
    /// begin is part of an address; the compiler makes a fifth more instructions of a loop.
    #[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    #[inline]
    pub(super) fn sum(cells: &[Row], indices: &Indices) -> [i16; HIDDEN] {
        const { assert!(INSTANCES == 46, "as many as below") };
        let mut sums = [_mm512_setzero_si512(); 2];
        macro_rules! add {
            ($($at:literal)*) => {$(
                let cell = const { ALL_INSTANCES[$at] }.cell(indices.all()[$at]);
                // SAFETY: indices are in their ranges, so that this is a cell; there are so many.
                let row = unsafe { cells.get_unchecked(cell) };
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
