//! Disc differences and the two conventions for empty squares.

use core::{fmt, ops::Neg};

/// A disc difference, −64 to 64. The functions that return one name the point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i8);

/// The convention for squares that are empty at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empties {
    /// They count for neither side: the score is the difference of the discs on the board.
    OnBoard,
    /// They count for the winner, and for neither side in a draw, as in tournaments of the World
    /// Othello Federation and in exact endgame scores. The score is then always even.
    ToWinner,
}

impl Score {
    /// A lost wipe-out, −64 discs.
    pub const MIN: Self = Self(-64);
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// A won wipe-out, 64 discs.
    pub const MAX: Self = Self(64);

    /// Creates a score, or returns `None` if `discs` is outside −64 to 64.
    #[inline]
    pub const fn new(discs: i32) -> Option<Self> {
        if -64 <= discs && discs <= 64 {
            Some(Self(discs as i8))
        } else {
            None
        }
    }

    /// The difference `own − opponent` of two disc counts, under a convention for empty squares.
    ///
    /// # Panics
    ///
    /// Panics if the counts add up to more than 64.
    #[inline]
    pub const fn from_counts(own: u32, opponent: u32, empties: Empties) -> Self {
        assert!(own <= 64 && opponent <= 64 && own + opponent <= 64);
        let difference = own as i8 - opponent as i8;
        let empty = (64 - own - opponent) as i8;
        Self(match empties {
            Empties::OnBoard => difference,
            Empties::ToWinner => difference + difference.signum() * empty,
        })
    }

    /// The disc difference, −64 to 64.
    #[inline]
    pub const fn discs(self) -> i32 {
        self.0 as i32
    }
}

impl Neg for Score {
    type Output = Self;

    /// The same score from the other side's point of view.
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    /// Prints the score with a sign: `+4`, `-12`, `+0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_squares_count_for_neither_side_or_for_the_winner() {
        let score = |own, opponent, empties| Score::from_counts(own, opponent, empties).discs();
        assert_eq!(score(30, 20, Empties::OnBoard), 10);
        assert_eq!(score(30, 20, Empties::ToWinner), 24);
        assert_eq!(score(20, 30, Empties::ToWinner), -24);
        assert_eq!(score(20, 20, Empties::ToWinner), 0);
        assert_eq!(score(13, 0, Empties::ToWinner), 64);
        assert_eq!(score(0, 0, Empties::ToWinner), 0);
    }

    #[test]
    fn scores_stay_in_range() {
        assert_eq!(Score::new(65), None);
        assert_eq!(Score::new(-64), Some(Score::MIN));
        assert_eq!(-Score::MIN, Score::MAX);
    }
}
