//! The engine's scores. Search computes in *units*, of which [`DISC`], 128, are a disc.

use std::{fmt, ops::Neg};

use othello_core::{Empties, Position, Score};

/// The units of a disc.
pub(crate) const DISC: i32 = Evaluation::DISC;

/// Beyond every value and estimate.
pub(crate) const INFINITY: i32 = 100 * DISC;

/// The value of a finished game, in units.
pub(crate) fn final_value(position: Position) -> i32 {
    final_discs(position) * DISC
}

/// The value of a finished game, in discs.
#[inline]
pub(crate) fn final_discs(position: Position) -> i32 {
    position.score(Empties::ToWinner).discs()
}

/// A disc difference in units, which are 1/128 of a disc: −64 to 64 discs, empties to the winner, from the
/// point of view of the side to move.
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
    /// The units of one disc.
    pub const DISC: i32 = 128;
    /// A lost wipe-out.
    pub const MIN: Self = Self::from_units(-64 * Self::DISC);
    /// Even chances, or a draw.
    pub const DRAW: Self = Self(0);
    /// A won wipe-out.
    pub const MAX: Self = Self::from_units(64 * Self::DISC);

    /// The value of so many units, cut off at ±64 discs.
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

    /// The value in units, of which [`DISC`](Self::DISC) are a disc.
    pub const fn units(self) -> i32 {
        self.0 as i32
    }

    /// The value in discs.
    pub const fn discs(self) -> f32 {
        self.0 as f32 / Self::DISC as f32
    }

    /// The value rounded to whole discs, a half away from zero.
    pub const fn to_score(self) -> Score {
        let half = if self.0 < 0 { -Self::DISC } else { Self::DISC } / 2;
        match Score::new((self.units() + half) / Self::DISC) {
            Some(score) => score,
            None => unreachable!(),
        }
    }
}

impl From<Score> for Evaluation {
    fn from(score: Score) -> Self {
        Self::from_units(score.discs() * Self::DISC)
    }
}

impl Neg for Evaluation {
    type Output = Self;

    /// The same value seen from the other side.
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
    fn values_keep_to_the_board_and_round_to_discs() {
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
    fn values_print_with_a_sign() {
        assert_eq!(Evaluation::DRAW.to_string(), "+0.00");
        assert_eq!(Evaluation::MIN.to_string(), "-64.00");
    }
}
