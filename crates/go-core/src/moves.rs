//! Moves, and the error for illegal moves.

use core::{fmt, str::FromStr};

use crate::{ParseTextError, Point};

/// A move: a stone on a point, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Places a stone on a point.
    Place(Point),
    /// Passes; always legal while the game goes on.
    Pass,
}

impl Move {
    /// Returns the point of the stone, or `None` for a pass.
    #[inline]
    pub const fn point(self) -> Option<Point> {
        match self {
            Self::Place(point) => Some(point),
            Self::Pass => None,
        }
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Self {
        Self::Place(point)
    }
}

impl fmt::Display for Move {
    /// Prints the point in upper case, or `pass`; the alternate form `{:#}` is in lower case.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(point) => point.fmt(f),
            Self::Pass => f.write_str("pass"),
        }
    }
}

const EXPECTED: ParseTextError = ParseTextError("a move: a point such as Q16, or pass");

impl FromStr for Move {
    type Err = ParseTextError;

    /// Parses a point or `pass`, in either case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Self::Pass);
        }
        text.parse().map(Self::Place).map_err(|_| EXPECTED)
    }
}

/// The error of playing an illegal move. The position is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct IllegalMove {
    pub mv: Move,
    pub reason: IllegalReason,
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalReason {
    /// The point is not on a board of this size.
    OffBoard,
    /// The point has a stone.
    Occupied,
    /// The stone would retake a ko immediately.
    Ko,
    /// The stone would repeat an earlier position, which the superko rule forbids.
    Superko,
    /// The stone would leave its own chain without liberties, which the rules forbid.
    Suicide,
    /// The game is over: both sides have passed.
    GameOver,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            IllegalReason::OffBoard => "the point is off the board",
            IllegalReason::Occupied => "the point is occupied",
            IllegalReason::Ko => "it retakes a ko at once",
            IllegalReason::Superko => "it repeats an earlier position",
            IllegalReason::Suicide => "it is suicide",
            IllegalReason::GameOver => "the game is over",
        };
        write!(f, "illegal move {}: {reason}", self.mv)
    }
}

impl core::error::Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString};

    #[test]
    fn moves_round_trip_through_text() {
        let point: Point = "Q16".parse().unwrap();
        for mv in [Move::Place(point), Move::Pass] {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(mv.to_string().to_lowercase().parse(), Ok(mv));
        }
        assert_eq!("PASS".parse(), Ok(Move::Pass));
        assert_eq!(format!("{:#}", Move::from(point)), "q16");
        assert_eq!(
            (Move::Place(point).point(), Move::Pass.point()),
            (Some(point), None)
        );
        assert_eq!("passs".parse::<Move>(), Err(EXPECTED));
        let expected = "expected a move: a point such as Q16, or pass";
        assert_eq!(EXPECTED.to_string(), expected);
    }
}
