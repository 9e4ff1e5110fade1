//! Scores: [`Units`] of 1/128 disc for the search, and whole [`Discs`] for the endgame solver.

use std::{
    cmp::Ordering,
    fmt,
    ops::{Add, Mul, Neg, Sub},
};

use othello_core::{Empties, Position, Score};

/// Implements ordering and the arithmetic of differences for a newtype.
macro_rules! difference {
    ($($name:ident),*) => {$(
        impl PartialOrd for $name {
            #[inline(always)]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }

            #[inline(always)]
            fn lt(&self, other: &Self) -> bool {
                self.0 < other.0
            }

            #[inline(always)]
            fn le(&self, other: &Self) -> bool {
                self.0 <= other.0
            }

            #[inline(always)]
            fn gt(&self, other: &Self) -> bool {
                self.0 > other.0
            }

            #[inline(always)]
            fn ge(&self, other: &Self) -> bool {
                self.0 >= other.0
            }
        }

        impl Ord for $name {
            #[inline(always)]
            fn cmp(&self, other: &Self) -> Ordering {
                self.0.cmp(&other.0)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }

            #[inline(always)]
            fn clamp(self, min: Self, max: Self) -> Self {
                Self(self.0.clamp(min.0, max.0))
            }
        }

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }

        impl Add for $name {
            type Output = Self;

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = Self;

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<i32> for $name {
            type Output = Self;

            #[inline(always)]
            fn mul(self, factor: i32) -> Self {
                Self(self.0 * factor)
            }
        }
    )*};
}

/// A value, bound or estimate in units of 1/128 disc, from the side to move. Estimates lie within ±80 discs; only
/// [`Evaluation`] is limited to ±64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Units(i32);

/// A value or bound in whole discs, from the side to move, with empties to the winner. Values are even; the bounds that
/// the endgame solver compares them with are odd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Discs(i32);

difference!(Units, Discs);

impl Units {
    /// No difference.
    pub(crate) const ZERO: Self = Self(0);
    /// The smallest positive difference, the width of a null window.
    pub(crate) const ONE: Self = Self(1);
    /// One disc.
    pub(crate) const DISC: Self = Self(Evaluation::DISC);
    /// A value above all others.
    pub(crate) const INFINITY: Self = Self::from_discs(Discs(100));

    /// Creates a value from a number of units.
    #[inline(always)]
    pub const fn new(units: i32) -> Self {
        Self(units)
    }

    /// Returns the number of units.
    #[inline(always)]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// Converts whole discs, exactly.
    #[inline(always)]
    pub(crate) const fn from_discs(discs: Discs) -> Self {
        Self(discs.0 * Evaluation::DISC)
    }

    /// Converts to whole discs, rounding down.
    #[inline(always)]
    pub(crate) const fn to_discs_floor(self) -> Discs {
        Discs(self.0.div_euclid(Evaluation::DISC))
    }

    /// Converts to whole discs, rounding up.
    #[inline(always)]
    pub(crate) const fn to_discs_ceil(self) -> Discs {
        Discs(-(-self.0).div_euclid(Evaluation::DISC))
    }
}

impl Discs {
    /// The value of a draw.
    pub(crate) const ZERO: Self = Self(0);
    /// The value of a lost wipe-out.
    pub(crate) const MIN: Self = Self(-64);
    /// The value of a won wipe-out.
    pub(crate) const MAX: Self = Self(64);
    /// A value below all others.
    pub(crate) const BELOW_ALL: Self = Self(-128);

    /// Creates a value from a number of discs.
    #[inline(always)]
    pub(crate) const fn new(discs: i32) -> Self {
        Self(discs)
    }

    /// Returns the number of discs.
    #[inline(always)]
    pub(crate) const fn get(self) -> i32 {
        self.0
    }

    /// The next odd bound above, or the number itself if it is odd. An even value is above one if and only if it is
    /// above the other.
    #[inline(always)]
    pub(crate) const fn to_odd(self) -> Self {
        Self(self.0 | 1)
    }

    /// The odd bound halfway between two numbers of discs.
    #[inline(always)]
    pub(crate) const fn odd_midpoint(low: Self, high: Self) -> Self {
        Self(((low.0 + high.0) >> 1) | 1)
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Discs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returns the value of a finished game in units.
pub(crate) fn final_value(position: Position) -> Units {
    Units::from_discs(final_discs(position))
}

/// Returns the value of a finished game in discs.
#[inline]
pub(crate) fn final_discs(position: Position) -> Discs {
    Discs(position.score(Empties::ToWinner).discs())
}

/// A disc difference from −64 to 64 discs in units of 1/128 disc, with empties to the winner, from the point of view of
/// the side to move.
///
/// # Examples
///
/// ```
/// use othello_search::Evaluation;
///
/// let value = Evaluation::from_units(Evaluation::DISC * 5 / 4);
/// assert_eq!(value.to_string(), "+1.25");
/// assert_eq!((-value).to_score().discs(), -1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Evaluation(i16);

impl Evaluation {
    /// The number of units in one disc.
    pub const DISC: i32 = 128;
    /// The value of a lost wipe-out.
    pub const MIN: Self = Self::from_units(-64 * Self::DISC);
    /// The value of a draw.
    pub const DRAW: Self = Self(0);
    /// The value of a won wipe-out.
    pub const MAX: Self = Self::from_units(64 * Self::DISC);

    /// Creates a value from a number of units, limited to ±64 discs.
    pub const fn from_units(units: i32) -> Self {
        let limit = 64 * Self::DISC;
        Self(if units > limit {
            limit as i16
        } else if units < -limit {
            -limit as i16
        } else {
            units as i16
        })
    }

    /// The value in units of 1/128 disc.
    pub const fn units(self) -> i32 {
        self.0 as i32
    }

    /// Returns the value in discs.
    pub const fn discs(self) -> f32 {
        self.0 as f32 / Self::DISC as f32
    }

    /// The value rounded to whole discs, half away from zero.
    pub const fn to_score(self) -> Score {
        let half = if self.0 < 0 { -Self::DISC } else { Self::DISC } / 2;
        match Score::new((self.units() + half) / Self::DISC) {
            Some(score) => score,
            None => unreachable!(),
        }
    }
}

impl From<Units> for Evaluation {
    /// Limits a value to ±64 discs.
    fn from(units: Units) -> Self {
        Self::from_units(units.0)
    }
}

impl From<Score> for Evaluation {
    fn from(score: Score) -> Self {
        Self::from_units(score.discs() * Self::DISC)
    }
}

impl Neg for Evaluation {
    type Output = Self;

    /// Returns the value from the opponent's point of view.
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Evaluation {
    /// Discs with a sign and two decimals: `+1.25`, `-12.00`, `+0.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", self.discs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_limited_and_round_to_discs() {
        assert_eq!(Evaluation::from_units(i32::MAX), Evaluation::MAX);
        assert_eq!(Evaluation::from_units(i32::MIN), Evaluation::MIN);
        assert_eq!(-Evaluation::MIN, Evaluation::MAX);
        let rounded = |units| Evaluation::from_units(units).to_score().discs();
        assert_eq!([63, 64, -63, -64].map(rounded), [0, 1, 0, -1]);
        for discs in -64..=64 {
            let score = Score::new(discs).unwrap();
            assert_eq!(Evaluation::from(score).to_score(), score);
        }
    }

    #[test]
    fn units_convert_to_discs() {
        let floor = |units| Units::new(units).to_discs_floor().get();
        let ceil = |units| Units::new(units).to_discs_ceil().get();
        assert_eq!(
            [-129, -128, -1, 0, 1, 128, 129].map(floor),
            [-2, -1, -1, 0, 0, 1, 1]
        );
        assert_eq!(
            [-129, -128, -1, 0, 1, 128, 129].map(ceil),
            [-1, -1, 0, 0, 1, 1, 2]
        );
        for discs in -64..=64 {
            let units = Units::from_discs(Discs::new(discs));
            assert_eq!(units.get(), 128 * discs);
            assert_eq!((floor(units.get()), ceil(units.get())), (discs, discs));
        }
    }

    #[test]
    fn odd_bounds_lie_between_two_even_values() {
        for discs in -66..=66 {
            let odd = Discs::new(discs).to_odd().get();
            assert!(odd % 2 != 0 && (odd == discs || odd == discs + 1));
        }
        let midpoint = |low, high| Discs::odd_midpoint(Discs::new(low), Discs::new(high)).get();
        assert_eq!(midpoint(-64, 64), 1);
        assert_eq!(midpoint(2, 4), 3);
        assert_eq!(midpoint(-4, -2), -3);
    }

    #[test]
    fn values_print_with_a_sign() {
        assert_eq!(Evaluation::DRAW.to_string(), "+0.00");
        assert_eq!(Evaluation::MIN.to_string(), "-64.00");
    }
}
