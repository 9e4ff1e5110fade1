//! Scores and losses in hundredths of a disc.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, Neg, Sub},
};

use othello_core::Score;
use othello_records::Value;
use othello_search::Evaluation;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of discs in hundredths: a score from the point of view that the context names, or a loss.
///
/// It is serialized as a number of discs.
///
/// # Examples
///
/// ```
/// use othello_analysis::Discs;
///
/// let score = Discs::from_hundredths(150) - Discs::from_hundredths(400);
/// assert_eq!(score.to_string(), "-2.50");
/// assert_eq!(score.to_f64(), -2.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Discs(i32);

impl Discs {
    /// No difference.
    pub const ZERO: Self = Self(0);

    /// Returns a number of hundredths of a disc.
    pub const fn from_hundredths(hundredths: i32) -> Self {
        Self(hundredths)
    }

    /// Returns a whole number of discs.
    pub const fn whole(discs: i32) -> Self {
        Self(discs * 100)
    }

    /// The hundredths of a disc.
    pub const fn hundredths(self) -> i32 {
        self.0
    }

    /// Returns the text of a loss or a sum of losses: without a sign, and without decimals if they are zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_analysis::Discs;
    ///
    /// assert_eq!(Discs::whole(4).unsigned(), "4");
    /// assert_eq!(Discs::from_hundredths(172).unsigned(), "1.72");
    /// ```
    pub fn unsigned(self) -> String {
        let hundredths = self.0.unsigned_abs();
        match (hundredths / 100, hundredths % 100) {
            (discs, 0) => discs.to_string(),
            (discs, rest) => format!("{discs}.{rest:02}"),
        }
    }

    /// Returns the discs, rounded to the nearest `f64`.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl From<Score> for Discs {
    fn from(score: Score) -> Self {
        Self::whole(score.discs())
    }
}

impl From<Evaluation> for Discs {
    /// Rounds to the nearest hundredth, halves away from zero, so that rounding is symmetric for both sides.
    fn from(value: Evaluation) -> Self {
        let units = value.units();
        let half = units.signum() * Evaluation::DISC / 2;
        Self((units * 100 + half) / Evaluation::DISC)
    }
}

impl From<Discs> for Evaluation {
    /// Rounds down to the search's unit.
    fn from(discs: Discs) -> Self {
        Self::from_units((discs.0 * Self::DISC).div_euclid(100))
    }
}

impl From<Discs> for Value {
    fn from(discs: Discs) -> Self {
        Self::from_hundredths(discs.0)
    }
}

impl Neg for Discs {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Discs {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Discs {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Sum for Discs {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Discs {
    /// Prints discs with two decimals and a sign: `+0.50`, `-12.00`, `+0.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", Value::from(*self))
    }
}

impl Serialize for Discs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_f64())
    }
}

impl<'de> Deserialize<'de> for Discs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let discs = f64::deserialize(deserializer)?;
        Ok(Self((discs * 100.0).round() as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_the_same_for_both_sides() {
        for units in -64 * Evaluation::DISC..=64 * Evaluation::DISC {
            let value = Evaluation::from_units(units);
            assert_eq!(Discs::from(-value), -Discs::from(value));
        }
    }

    #[test]
    fn whole_discs_are_kept_exactly() {
        for discs in -64..=64 {
            let whole = Discs::whole(discs);
            assert_eq!(Discs::from(Evaluation::from(whole)), whole);
            let text = serde_json::to_string(&whole).unwrap();
            assert_eq!(serde_json::from_str::<Discs>(&text).unwrap(), whole);
        }
    }
}
