//! Results of games by points.

use core::{
    fmt,
    ops::{Add, Neg, Sub},
};

use crate::Color;

/// The result of a finished game for Black, in half points, so that a komi of 5.5 is exact. A disc
/// of Othello is a whole point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Margin(i32);

impl Margin {
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// Creates a margin from half points, positive if Black wins.
    pub const fn from_half_points(half_points: i32) -> Self {
        Self(half_points)
    }

    /// Creates a margin from whole points, positive if Black wins.
    ///
    /// # Panics
    ///
    /// With debug assertions, panics if twice the number overflows.
    pub const fn from_points(points: i32) -> Self {
        Self(2 * points)
    }

    /// Returns the margin in half points, positive if Black wins.
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// Returns the margin in points, positive if Black wins.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// Returns the winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self.0 {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }

    /// Returns the margin from a colour's point of view: positive if that colour wins.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => -self,
        }
    }
}

impl Neg for Margin {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Add for Margin {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Margin {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl fmt::Display for Margin {
    /// Prints the result in the notation of SGF's `RE` property: `B+1.5`, `W+12`, or `0` for a
    /// draw.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.winner() {
            None => return f.write_str("0"),
            Some(Color::Black) => "B",
            Some(Color::White) => "W",
        };
        let half_points = self.0.unsigned_abs();
        write!(f, "{side}+{}", half_points / 2)?;
        if half_points % 2 == 1 {
            f.write_str(".5")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn margins_are_written_as_in_sgf() {
        let written = |half_points| Margin::from_half_points(half_points).to_string();
        assert_eq!([3, 24, 1, 0].map(written), ["B+1.5", "B+12", "B+0.5", "0"]);
        assert_eq!([-1, -128].map(written), ["W+0.5", "W+64"]);
    }

    #[test]
    fn the_margin_gives_the_winner() {
        let komi = Margin::from_half_points(11);
        let margin = Margin::from_points(5) - komi;
        assert_eq!(
            (margin.half_points(), margin.winner()),
            (-1, Some(Color::White))
        );
        assert_eq!((margin + komi).winner(), Some(Color::Black));
        assert_eq!(Margin::DRAW.winner(), None);
        assert_eq!(margin.seen_by(Color::White), Margin::from_half_points(1));
        assert_eq!(margin.seen_by(Color::Black), margin);
    }

    #[test]
    fn points_may_be_halves() {
        let points = [-11, 0, 24].map(|half_points| Margin::from_half_points(half_points).points());
        assert!(points.into_iter().eq([-5.5, 0.0, 12.0]));
    }
}
