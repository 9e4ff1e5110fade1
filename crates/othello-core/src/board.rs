//! Boards: the discs by colour and the side to move.

use crate::{
    Bitboard, ByColor, Color, Empties, IllegalMove, Move, OverlapError, Position, Score, Square,
};

/// The black and white discs and the side to move, as people and protocols describe a position.
///
/// # Examples
///
/// ```
/// use othello_core::{Board, Color, Square};
///
/// let mut board = Board::START;
/// board.play(Square::F5)?;
/// assert_eq!(board.side_to_move(), Color::White);
/// assert_eq!(board.discs(Color::Black).count(), 4);
/// assert_eq!(board.disc(Square::E5), Some(Color::Black));
/// # Ok::<(), othello_core::IllegalMove>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    position: Position,
    side: Color,
}

impl Board {
    /// The standard start: White on d4 and e5, Black on d5 and e4, Black to move.
    pub const START: Self = Self {
        position: Position::START,
        side: Color::Black,
    };

    /// Creates a board from a position whose side to move is `side`.
    #[inline]
    pub const fn new(position: Position, side: Color) -> Self {
        Self { position, side }
    }

    /// Creates a board from the discs of both colours.
    ///
    /// # Errors
    ///
    /// Fails if a square has discs of both colours.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::{Board, ByColor, Color, Square};
    ///
    /// let discs = ByColor { black: Square::D4.into(), white: Square::E4.into() };
    /// assert!(Board::from_discs(discs, Color::Black)?.legal_moves().contains(Square::F4));
    /// # Ok::<(), othello_core::OverlapError>(())
    /// ```
    pub const fn from_discs(discs: ByColor<Bitboard>, side: Color) -> Result<Self, OverlapError> {
        let (own, opponent) = match side {
            Color::Black => (discs.black, discs.white),
            Color::White => (discs.white, discs.black),
        };
        match Position::new(own, opponent) {
            Ok(position) => Ok(Self::new(position, side)),
            Err(error) => Err(error),
        }
    }

    /// Creates a board from the discs of both colours without checking that they are disjoint.
    ///
    /// # Panics
    ///
    /// With debug assertions, panics if a square has discs of both colours.
    #[inline]
    pub const fn from_discs_unchecked(discs: ByColor<Bitboard>, side: Color) -> Self {
        let (own, opponent) = match side {
            Color::Black => (discs.black, discs.white),
            Color::White => (discs.white, discs.black),
        };
        Self::new(Position::new_unchecked(own, opponent), side)
    }

    /// The position as the side to move sees it.
    #[inline]
    pub const fn position(self) -> Position {
        self.position
    }

    /// The side to move, even if it has no legal move.
    #[inline]
    pub const fn side_to_move(self) -> Color {
        self.side
    }

    /// The discs of one colour.
    #[inline]
    pub const fn discs(self, color: Color) -> Bitboard {
        match (self.side, color) {
            (Color::Black, Color::Black) | (Color::White, Color::White) => self.position.own(),
            _ => self.position.opponent(),
        }
    }

    /// The disc on `square`, or `None` if the square is empty.
    #[inline]
    pub const fn disc(self, square: Square) -> Option<Color> {
        if self.discs(Color::Black).contains(square) {
            Some(Color::Black)
        } else if self.discs(Color::White).contains(square) {
            Some(Color::White)
        } else {
            None
        }
    }

    /// The empty squares.
    #[inline]
    pub const fn empties(self) -> Bitboard {
        self.position.empties()
    }

    /// The squares where the side to move may place a disc.
    #[inline]
    pub const fn legal_moves(self) -> Bitboard {
        self.position.legal_moves()
    }

    /// The discs that a disc on `square` would flip for the side to move, whether or not the square is empty.
    #[inline]
    pub const fn flips(self, square: Square) -> Bitboard {
        self.position.flips(square)
    }

    /// Returns `true` if `mv` is legal.
    #[inline]
    pub const fn is_legal(self, mv: Move) -> bool {
        self.position.is_legal(mv)
    }

    /// Returns `true` if the side to move has no legal move but its opponent has one.
    #[inline]
    pub const fn must_pass(self) -> bool {
        self.position.must_pass()
    }

    /// Returns `true` if neither side has a legal move.
    #[inline]
    pub const fn is_over(self) -> bool {
        self.position.is_over()
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal, and leaves the board unchanged.
    pub fn play(&mut self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        self.position.play(mv)?;
        self.side = !self.side;
        Ok(())
    }

    /// The board after a disc on `square`. Does not check that the move is legal: a disc that flips nothing is placed
    /// all the same.
    ///
    /// # Panics
    ///
    /// With debug assertions, panics if the square holds a disc.
    #[must_use]
    #[inline]
    pub const fn play_unchecked(self, square: Square) -> Self {
        Self::new(self.position.play_unchecked(square), self.passed().side)
    }

    /// The same discs with the other side to move, whether or not a pass is legal.
    #[must_use]
    #[inline]
    pub const fn passed(self) -> Self {
        let side = match self.side {
            Color::Black => Color::White,
            Color::White => Color::Black,
        };
        Self {
            position: self.position.passed(),
            side,
        }
    }

    /// The current disc difference, from the point of view of `color`.
    #[inline]
    pub const fn score(self, color: Color, empties: Empties) -> Score {
        Score::from_counts(
            self.discs(color).count(),
            self.position.own().count() + self.position.opponent().count()
                - self.discs(color).count(),
            empties,
        )
    }

    /// The colour with more discs, or `None` if the counts are equal.
    pub fn leader(self) -> Option<Color> {
        match self.score(Color::Black, Empties::OnBoard).discs() {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::START
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_keep_their_colour_when_the_side_to_move_changes() {
        let mut board = Board::START;
        board.play(Square::D3).unwrap();
        assert_eq!(board, Board::START.play_unchecked(Square::D3));
        assert_eq!(board.side_to_move(), Color::White);
        board.play(Square::C3).unwrap();
        assert_eq!(board.side_to_move(), Color::Black);
        assert_eq!(board.disc(Square::C3), Some(Color::White));
        assert_eq!(board.disc(Square::D3), Some(Color::Black));
        assert_eq!(board.disc(Square::A1), None);
        assert_eq!(board.score(Color::Black, Empties::OnBoard).discs(), 0);
    }

    #[test]
    fn the_leader_has_more_discs() {
        let position = |own, opponent| Position::new(Bitboard(own), Bitboard(opponent)).unwrap();
        for (position, side, leader) in [
            (position(0b0011, 0b1100), Color::Black, None),
            (position(0b0111, 0b1000), Color::Black, Some(Color::Black)),
            (position(0b0001, 0b1110), Color::Black, Some(Color::White)),
            (position(0b0111, 0b1000), Color::White, Some(Color::White)),
        ] {
            assert_eq!(Board::new(position, side).leader(), leader, "{position:?}");
        }
    }

    #[test]
    fn an_illegal_move_leaves_the_board_unchanged() {
        let mut board = Board::START;
        board.play(Square::A1).unwrap_err();
        assert_eq!(board, Board::START);
    }
}
