//! The weights of a network as integers.
//!
//! With the sums *h*ₖ = Σᵢ *r*ᵢₖ of the rows *r* of a position's 48 inputs and the head *(v, w, b)* of its count of
//! discs, the value in 1/128 disc is (*b* + Σₖ *v*ₖ max(0, *h*ₖ) + Σₖ *w*ₖ max(0, −*h*ₖ) + 2ˢ⁻¹) / 2ˢ, rounded
//! down, with a shift *s*. No sum leaves 32 bits, nor the inner ones 16.

use std::borrow::Cow;

use super::INPUTS;

/// The numbers of a row: the width of the hidden layer.
pub const HIDDEN: usize = 64;

/// The number of heads: one for each count of discs from [`FIRST_HEAD`] to 63.
pub const HEADS: usize = 60;

/// The count of discs of the first head, which serves smaller counts too.
pub const FIRST_HEAD: u32 = 4;

/// Returns the head of a position with this number of discs.
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

/// The output layer for one number of discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Head {
    /// The weights of units above 0.
    pub(super) above: [i16; HIDDEN],
    /// The weights of the size of units below 0.
    pub(super) below: [i16; HIDDEN],
    pub(super) bias: i32,
}

/// The weights of a network, as they are stored.
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
    /// A bit for each row.
    pub(super) stored: Cow<'a, [u8]>,
    /// The stored rows, of signed bytes.
    pub(super) rows: Cow<'a, [[u8; HIDDEN]]>,
}

/// The greatest shift.
pub(super) const MAX_SHIFT: u32 = 24;

/// The largest number of a row, so that the sum of two rows fits into 8 bits.
pub(super) const MAX_WEIGHT: i8 = i8::MAX / 2;

/// The maximum size of a hidden unit.
const MAX_HIDDEN: i64 = INPUTS as i64 * MAX_WEIGHT as i64;

impl Head {
    /// Returns whether no position can make the sum leave 32 bits.
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
    /// The rows in order, `None` where one is zero.
    pub(super) fn all_rows(&self) -> impl Iterator<Item = Option<&[u8; HIDDEN]>> {
        let mut rows = self.rows.iter();
        let bits = |byte: &u8| {
            let byte = *byte;
            (0..8).map(move |bit| byte >> bit & 1 != 0)
        };
        let stored = self.stored.iter().flat_map(bits);
        stored.map(move |stored| if stored { rows.next() } else { None })
    }

    /// Returns the number of stored rows; the others are zero.
    pub fn stored_rows(&self) -> usize {
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_fits_if_no_units_on_either_side_can_overflow_its_sum() {
        let shift = 10;
        let room = i64::from(i32::MAX) - (1 << shift);
        let most = (room / MAX_HIDDEN / 32) as i16;
        let (mut above, mut below) = ([0; HIDDEN], [0; HIDDEN]);
        above[..32].fill(most);
        below[..32].fill(-most);
        let head = |above, below, bias| Head { above, below, bias };
        // A unit is above 0 or below, so that the sides share the room.
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
