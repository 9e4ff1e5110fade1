//! Positions: the discs from the point of view of the side to move.

use core::fmt;

use crate::{Bitboard, Empties, IllegalMove, IllegalReason, Move, Score, Square, arch::scalar};

/// The discs of the side to move and of its opponent, without colours, as a search uses them.
///
/// # Examples
///
/// ```
/// use othello_core::{Position, Square};
///
/// let mut position = Position::START;
/// assert_eq!(position.legal_moves().count(), 4);
/// position.play(Square::F5)?;
/// assert_eq!((position.own().count(), position.opponent().count()), (1, 4));
/// # Ok::<(), othello_core::IllegalMove>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    own: Bitboard,
    opponent: Bitboard,
}

/// The error of two overlapping sets of discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OverlapError {
    /// The squares in both sets.
    pub shared: Bitboard,
}

impl fmt::Display for OverlapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected each square to hold one disc, but both sides hold {:?}",
            self.shared
        )
    }
}

impl core::error::Error for OverlapError {}

impl Position {
    /// The standard start, Black to move.
    pub const START: Self = Self {
        own: Bitboard(0x0000_0008_1000_0000),
        opponent: Bitboard(0x0000_0010_0800_0000),
    };

    /// Creates a position from the discs of both sides.
    ///
    /// # Errors
    ///
    /// Fails if the sets have a square in common.
    #[inline]
    pub const fn new(own: Bitboard, opponent: Bitboard) -> Result<Self, OverlapError> {
        if own.is_disjoint(opponent) {
            Ok(Self { own, opponent })
        } else {
            Err(OverlapError {
                shared: Bitboard(own.0 & opponent.0),
            })
        }
    }

    /// Creates a position from the discs of both sides without checking that they are disjoint.
    ///
    /// # Panics
    ///
    /// With debug assertions, panics if the sets have a square in common.
    #[inline]
    pub const fn new_unchecked(own: Bitboard, opponent: Bitboard) -> Self {
        debug_assert!(own.is_disjoint(opponent));
        Self { own, opponent }
    }

    /// The discs of the side to move.
    #[inline]
    pub const fn own(self) -> Bitboard {
        self.own
    }

    /// The discs of the opponent.
    #[inline]
    pub const fn opponent(self) -> Bitboard {
        self.opponent
    }

    /// The empty squares.
    #[inline]
    pub const fn empties(self) -> Bitboard {
        Bitboard(!(self.own.0 | self.opponent.0))
    }

    /// The squares where the side to move may place a disc.
    #[inline]
    pub const fn legal_moves(self) -> Bitboard {
        Bitboard(scalar::legal_moves(self.own.0, self.opponent.0))
    }

    /// The discs that a disc on `square` would flip for the side to move, whether or not the square is empty.
    #[inline]
    pub const fn flips(self, square: Square) -> Bitboard {
        Bitboard(scalar::flips(square.index(), self.own.0, self.opponent.0))
    }

    /// Returns `true` if `mv` is legal.
    #[inline]
    pub const fn is_legal(self, mv: Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Returns `true` if the side to move has no legal move but its opponent has one.
    #[inline]
    pub const fn must_pass(self) -> bool {
        self.legal_moves().is_empty() && !self.passed().legal_moves().is_empty()
    }

    /// Returns `true` if neither side has a legal move.
    #[inline]
    pub const fn is_over(self) -> bool {
        self.legal_moves().is_empty() && self.passed().legal_moves().is_empty()
    }

    /// Plays a move for the side to move; the point of view is then the opponent's.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal, and leaves the position unchanged.
    #[inline]
    pub fn play(&mut self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        let mv = mv.into();
        self.check(mv)?;
        *self = match mv {
            Move::Place(square) => self.play_unchecked(square),
            Move::Pass => self.passed(),
        };
        Ok(())
    }

    /// The position after a disc on `square`, from the opponent's point of view. Does not check that the move is legal:
    /// a disc that flips nothing is placed all the same.
    ///
    /// # Panics
    ///
    /// With debug assertions, panics if the square holds a disc.
    #[must_use]
    #[inline]
    pub const fn play_unchecked(self, square: Square) -> Self {
        self.after(square, self.flips(square))
    }

    /// The position after a disc on `square` that flips `flipped`, from the opponent's point of view.
    ///
    /// # Panics
    ///
    /// With debug assertions, panics if the square holds a disc or a flipped disc is not the opponent's.
    #[inline]
    #[must_use]
    pub const fn after(self, square: Square, flipped: Bitboard) -> Self {
        debug_assert!(self.empties().contains(square));
        debug_assert!(flipped.is_subset(self.opponent));
        Self {
            own: Bitboard(self.opponent.0 & !flipped.0),
            opponent: Bitboard(self.own.0 | flipped.0 | 1 << square.index()),
        }
    }

    /// The same discs with the other side to move, whether or not a pass is legal.
    #[must_use]
    #[inline]
    pub const fn passed(self) -> Self {
        Self {
            own: self.opponent,
            opponent: self.own,
        }
    }

    /// The current disc difference, from the point of view of the side to move.
    #[inline]
    pub const fn score(self, empties: Empties) -> Score {
        Score::from_counts(self.own.count(), self.opponent.count(), empties)
    }

    const fn check(self, mv: Move) -> Result<(), IllegalMove> {
        let reason = match mv {
            Move::Place(square) if !self.empties().contains(square) => IllegalReason::Occupied,
            Move::Place(square) if self.flips(square).is_empty() => {
                if self.legal_moves().is_empty() && !self.is_over() {
                    IllegalReason::MustPass
                } else {
                    IllegalReason::FlipsNothing
                }
            }
            Move::Pass if !self.legal_moves().is_empty() => IllegalReason::PassWithMoves,
            Move::Pass if self.is_over() => IllegalReason::GameOver,
            Move::Place(_) | Move::Pass => return Ok(()),
        };
        Err(IllegalMove { mv, reason })
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::START
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("own", &self.own)
            .field("opponent", &self.opponent)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn the_start_has_four_legal_moves() {
        let moves: Bitboard = [Square::D3, Square::C4, Square::F5, Square::E6]
            .into_iter()
            .collect();
        assert_eq!(Position::START.legal_moves(), moves);
    }

    #[test]
    fn an_illegal_move_leaves_the_position_unchanged() {
        let reason = |mv| { Position::START }.play(mv).unwrap_err().reason;
        assert_eq!(reason(Move::Place(Square::D4)), IllegalReason::Occupied);
        assert_eq!(reason(Move::Place(Square::A1)), IllegalReason::FlipsNothing);
        assert_eq!(reason(Move::Pass), IllegalReason::PassWithMoves);
        let mut no_moves = Position::new(Bitboard(2), Bitboard(1)).unwrap();
        let illegal = no_moves.play(Square::C1).unwrap_err();
        assert_eq!(illegal.reason, IllegalReason::MustPass);
        let mut over = Position::new(Bitboard(1), Bitboard(0)).unwrap();
        assert_eq!(
            over.play(Move::Pass).unwrap_err().reason,
            IllegalReason::GameOver
        );
    }

    #[test]
    fn overlapping_discs_are_refused() {
        let error = Position::new(Bitboard(3), Bitboard(6)).unwrap_err();
        assert_eq!(error.shared, Bitboard(2));
        assert_eq!(
            error.to_string(),
            "expected each square to hold one disc, but both sides hold {b1}"
        );
    }

    #[test]
    fn is_legal_agrees_with_the_legal_moves() {
        let legal: Bitboard = Square::ALL
            .into_iter()
            .filter(|&square| Position::START.is_legal(Move::Place(square)))
            .collect();
        assert_eq!(legal, Position::START.legal_moves());
        assert!(!Position::START.is_legal(Move::Pass));
    }

    #[test]
    fn the_debug_form_names_the_squares() {
        assert_eq!(
            std::format!("{:?}", Position::START),
            "Position { own: {e4, d5}, opponent: {d4, e5} }"
        );
    }
}
