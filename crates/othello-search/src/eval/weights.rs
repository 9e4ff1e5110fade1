//! The quantized weights of a network.
//!
//! Let *h*ₖ = Σᵢ *r*ᵢₖ be the sums of the rows *r* of a position's 48 inputs, *(v, w, b)* the head of its disc count,
//! and *s* a shift. The value in 1/128 disc is (*b* + Σₖ *v*ₖ max(0, *h*ₖ) + Σₖ *w*ₖ max(0, −*h*ₖ) + 2ˢ⁻¹) / 2ˢ,
//! rounded down. The total fits into 32 bits, and each *h*ₖ into 16.

use std::borrow::Cow;

use super::INPUTS;

/// The width of the hidden layer, and so of a row.
pub const HIDDEN: usize = 64;

/// The number of heads: one for each disc count from [`FIRST_HEAD`] to 63.
pub const HEADS: usize = 60;

/// The disc count of the first head, which also serves lower counts.
pub const FIRST_HEAD: u32 = 4;

/// The head for a number of discs.
///
/// # Examples
///
/// ```
/// use othello_search::eval::{HEADS, head_of};
///
/// assert_eq!([0, 4, 5, 63, 64].map(head_of), [0, 0, 1, HEADS - 1, HEADS - 1]);
/// ```
#[inline(always)]
pub const fn head_of(discs: u32) -> usize {
    let head = discs.saturating_sub(FIRST_HEAD) as usize;
    if head < HEADS { head } else { HEADS - 1 }
}

/// The output layer for one disc count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Head {
    /// The weights of units above 0.
    pub(super) above: [i16; HIDDEN],
    /// The weights of the magnitudes of units below 0.
    pub(super) below: [i16; HIDDEN],
    pub(super) bias: i32,
}

/// The quantized weights of a network, as stored in a file.
///
/// # Examples
///
/// ```
/// use othello_search::eval::{Model, Weights};
///
/// let weights = Weights::quantized(&Model::default())?;
/// let bytes = weights.to_bytes();
/// assert_eq!(Weights::read(&bytes)?, weights);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights<'a> {
    pub(super) shift: u32,
    pub(super) heads: Cow<'a, [Head]>,
    /// One bit per row: whether it is stored.
    pub(super) stored: Cow<'a, [u8]>,
    /// The stored rows as signed bytes.
    pub(super) rows: Cow<'a, [[u8; HIDDEN]]>,
}

/// The maximum shift.
pub(super) const MAX_SHIFT: u32 = 24;

/// The largest magnitude of a row's weight, so that the sum of two rows fits into 8 bits.
pub(super) const MAX_WEIGHT: i8 = i8::MAX / 2;

/// The largest magnitude of a hidden unit.
const MAX_HIDDEN: i64 = INPUTS as i64 * MAX_WEIGHT as i64;

impl Head {
    /// Returns whether the sum fits into 32 bits for every position.
    pub(super) fn fits(&self, shift: u32) -> bool {
        let size = |weight: &i16| i64::from(*weight).abs();
        let units = self.above.iter().zip(&self.below);
        // A unit is never on both sides of 0.
        let sum: i64 = units
            .map(|(above, below)| size(above).max(size(below)))
            .sum();
        let rounding = 1 << shift;
        sum * MAX_HIDDEN + i64::from(self.bias).abs() + rounding <= i64::from(i32::MAX)
    }
}

impl Weights<'_> {
    /// The rows in order; `None` for zero rows.
    pub(super) fn all_rows(&self) -> impl Iterator<Item = Option<&[u8; HIDDEN]>> {
        let mut rows = self.rows.iter();
        let bits = |byte: &u8| {
            let byte = *byte;
            (0..8).map(move |bit| byte >> bit & 1 != 0)
        };
        let stored = self.stored.iter().flat_map(bits);
        stored.map(move |stored| if stored { rows.next() } else { None })
    }

    /// The number of stored rows; the others are zero.
    pub fn stored_rows(&self) -> usize {
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_fits_if_neither_side_can_overflow() {
        let shift = 10;
        let room = i64::from(i32::MAX) - (1 << shift);
        let most = (room / MAX_HIDDEN / 32) as i16;
        let (mut above, mut below) = ([0; HIDDEN], [0; HIDDEN]);
        above[..32].fill(most);
        below[..32].fill(-most);
        let head = |above, below, bias| Head { above, below, bias };
        // A unit is either above 0 or below, so both sides share the range.
        assert!(head(above, below, 0).fits(shift));
        let left = room - 32 * i64::from(most) * MAX_HIDDEN;
        let left = i32::try_from(left).unwrap();
        assert!(head(above, below, -left).fits(shift));
        assert!(!head(above, below, -left - 1).fits(shift));
        for side in 0..2 {
            let mut sides = [above, below];
            sides[side][40] = most;
            let [above, below] = sides;
            assert!(!head(above, below, 0).fits(shift), "side {side}");
        }
    }
}
