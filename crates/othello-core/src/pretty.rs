//! Board diagrams.

use core::fmt::{self, Write as _};

use crate::{Board, Color, Square};

/// A diagram of a board with coordinates, discs and legal moves, and with disc counts and the side
/// to move below.
///
/// Black is `X`, White `O`, an empty square `-` and a legal move `.`; the last move is in
/// parentheses.
///
/// # Examples
///
/// ```
/// use othello_core::{Board, Square};
///
/// let mut board = Board::START;
/// board.play(Square::F5)?;
/// let expected = "  \
///   a b c d e f g h
/// 1 - - - - - - - - 1
/// 2 - - - - - - - - 2
/// 3 - - - - - - - - 3
/// 4 - - - O X . - - 4
/// 5 - - - X X(X)- - 5
/// 6 - - - . - . - - 6
/// 7 - - - - - - - - 7
/// 8 - - - - - - - - 8
///   a b c d e f g h
/// Black X 4, White O 1; White to move";
/// assert_eq!(board.pretty().last_move(Some(Square::F5)).to_string(), expected);
/// # Ok::<(), othello_core::IllegalMove>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pretty {
    board: Board,
    last: Option<Square>,
}

impl Board {
    /// A printable diagram of the board.
    pub const fn pretty(self) -> Pretty {
        Pretty {
            board: self,
            last: None,
        }
    }
}

impl Pretty {
    /// Marks the square of the last move.
    #[must_use]
    pub const fn last_move(self, last: Option<Square>) -> Self {
        Self { last, ..self }
    }

    fn symbol(self, square: Square) -> char {
        match self.board.disc(square) {
            Some(color) => color.disc(),
            None if self.board.legal_moves().contains(square) => '.',
            None => '-',
        }
    }

    /// Writes a row with its digit at both ends and the last move in parentheses.
    fn write_row(self, f: &mut fmt::Formatter<'_>, row: &[Square]) -> fmt::Result {
        let digit = row[0].row_digit();
        f.write_char(digit)?;
        let mut before = None;
        for &square in row {
            f.write_char(self.gap(before, Some(square)))?;
            f.write_char(self.symbol(square))?;
            before = Some(square);
        }
        f.write_char(self.gap(before, None))?;
        writeln!(f, "{digit}")
    }

    const fn gap(self, before: Option<Square>, after: Option<Square>) -> char {
        match (self.last, before, after) {
            (Some(last), _, Some(square)) if last as u8 == square as u8 => '(',
            (Some(last), Some(square), _) if last as u8 == square as u8 => ')',
            _ => ' ',
        }
    }
}

impl fmt::Display for Pretty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COLUMNS: &str = "  a b c d e f g h";
        writeln!(f, "{COLUMNS}")?;
        for row in Square::ALL.chunks_exact(8) {
            self.write_row(f, row)?;
        }
        writeln!(f, "{COLUMNS}")?;
        let discs = |color| self.board.discs(color).count();
        write!(
            f,
            "Black X {}, White O {}; ",
            discs(Color::Black),
            discs(Color::White)
        )?;
        if self.board.is_over() {
            f.write_str("game over")
        } else {
            write!(f, "{} to move", self.board.side_to_move())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn check(board: Board, last: Option<Square>, expected: [&str; 11]) {
        assert_eq!(
            board.pretty().last_move(last).to_string(),
            expected.join("\n")
        );
    }

    #[test]
    fn the_last_move_is_in_parentheses() {
        let mut board = Board::START;
        board.play(Square::F5).unwrap();
        check(
            board,
            Some(Square::F5),
            [
                "  a b c d e f g h",
                "1 - - - - - - - - 1",
                "2 - - - - - - - - 2",
                "3 - - - - - - - - 3",
                "4 - - - O X . - - 4",
                "5 - - - X X(X)- - 5",
                "6 - - - . - . - - 6",
                "7 - - - - - - - - 7",
                "8 - - - - - - - - 8",
                "  a b c d e f g h",
                "Black X 4, White O 1; White to move",
            ],
        );
    }

    #[test]
    fn a_game_without_moves_is_over() {
        // The last move is at the end of a row.
        let board = "-".repeat(63) + "O X";
        check(
            board.parse().unwrap(),
            Some(Square::H8),
            [
                "  a b c d e f g h",
                "1 - - - - - - - - 1",
                "2 - - - - - - - - 2",
                "3 - - - - - - - - 3",
                "4 - - - - - - - - 4",
                "5 - - - - - - - - 5",
                "6 - - - - - - - - 6",
                "7 - - - - - - - - 7",
                "8 - - - - - - -(O)8",
                "  a b c d e f g h",
                "Black X 0, White O 1; game over",
            ],
        );
    }
}
