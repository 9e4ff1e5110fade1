//! Moves, and the error for illegal moves.

use core::{fmt, str::FromStr};

use crate::{ParseTextError, Square};

/// A move: a disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Places a disc on a square and flips the discs that it brackets.
    Place(Square),
    /// Passes; legal only if the player has no other move and the opponent has one.
    Pass,
}

impl Move {
    /// The square of the disc, or `None` for a pass.
    #[inline]
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Place(square) => Some(square),
            Self::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Self {
        Self::Place(square)
    }
}

impl fmt::Display for Move {
    /// Prints the square in lower case, or `pass`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => square.fmt(f),
            Self::Pass => f.write_str("pass"),
        }
    }
}

const EXPECTED: ParseTextError = ParseTextError("a move: a square a1-h8, or pass");

impl FromStr for Move {
    type Err = ParseTextError;

    /// Parses a square or, in any case, `pass`, `pa`, `ps` or `--`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if ["pass", "pa", "ps", "--"]
            .iter()
            .any(|name| text.eq_ignore_ascii_case(name))
        {
            return Ok(Self::Pass);
        }
        text.parse().map(Self::Place).map_err(|_| EXPECTED)
    }
}

/// The error of playing an illegal move. The position is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct IllegalMove {
    pub mv: Move,
    pub reason: IllegalReason,
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IllegalReason {
    /// The square holds a disc.
    Occupied,
    /// The disc would flip nothing.
    FlipsNothing,
    /// A disc on an empty square, but the side has no legal move and must pass.
    MustPass,
    /// A pass, but there is a legal move.
    PassWithMoves,
    /// A pass after the end of the game: neither side has a legal move.
    GameOver,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            IllegalReason::Occupied => "the square is occupied",
            IllegalReason::FlipsNothing => "it flips nothing",
            IllegalReason::MustPass => "there is no legal move, so the side to move must pass",
            IllegalReason::PassWithMoves => "there is a legal move",
            IllegalReason::GameOver => "the game is over",
        };
        write!(f, "illegal move {}: {reason}", self.mv)
    }
}

impl core::error::Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn moves_round_trip_through_text() {
        for mv in [Move::Place(Square::A1), Move::Place(Square::H8), Move::Pass] {
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        assert_eq!("PA".parse(), Ok(Move::Pass));
        assert_eq!("F5".parse(), Ok(Move::Place(Square::F5)));
        assert_eq!("passs".parse::<Move>(), Err(EXPECTED));
        assert_eq!(
            EXPECTED.to_string(),
            "expected a move: a square a1-h8, or pass"
        );
    }
}
