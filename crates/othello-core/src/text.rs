//! Boards as text.

use core::{fmt, fmt::Write as _, str::FromStr};

use crate::{Bitboard, Board, ByColor, Color, Square};

/// Strips the byte order mark that some editors write at the start of a file.
pub fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// An error: the text is not a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseBoardError {
    /// The offset in bytes of the unexpected text.
    pub offset: usize,
    /// The part expected there.
    pub expected: BoardPart,
}

/// A part of a board's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardPart {
    /// One of 64 squares: black `X * #`, white `O`, empty `- . _`.
    Square,
    /// The side to move after the squares: `X` or `O`, or a colour's name.
    SideToMove,
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.expected {
            BoardPart::Square => "one of 64 squares (X, O or -)",
            BoardPart::SideToMove => "the side to move (X or O)",
        };
        write!(f, "expected {expected} at offset {}", self.offset)
    }
}

impl core::error::Error for ParseBoardError {}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Parses 64 squares in board order, then the side to move; white space is ignored.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut discs: ByColor<Bitboard> = ByColor::default();
        let mut squares = Square::ALL.into_iter();
        for (offset, symbol) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let Some(square) = squares.next() else {
                let side = text[offset..].trim_end().parse();
                let side = side.map_err(|_| ParseBoardError {
                    offset,
                    expected: BoardPart::SideToMove,
                })?;
                // A square has one symbol.
                return Ok(Self::from_discs_unchecked(discs, side));
            };
            match symbol {
                'X' | 'x' | '*' | '#' => discs.black |= square.into(),
                'O' | 'o' => discs.white |= square.into(),
                '-' | '.' | '_' => {}
                _ => {
                    return Err(ParseBoardError {
                        offset,
                        expected: BoardPart::Square,
                    });
                }
            }
        }
        let expected = match squares.next() {
            Some(_) => BoardPart::Square,
            None => BoardPart::SideToMove,
        };
        Err(ParseBoardError {
            offset: text.len(),
            expected,
        })
    }
}

impl fmt::Display for Board {
    /// Prints 64 squares as `X`, `O` or `-`, a space, and the side to move, `X` or `O`. The
    /// alternate form `{:#}` has a line for each row, and one for the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::ALL {
            f.write_char(self.disc(square).map_or('-', Color::disc))?;
            if f.alternate() && square.column() == 7 {
                f.write_char('\n')?;
            }
        }
        if !f.alternate() {
            f.write_char(' ')?;
        }
        f.write_char(self.side_to_move().disc())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn boards_round_trip_through_text() {
        let mut board = Board::START;
        board.play(Square::F5).unwrap();
        assert_eq!(board.to_string().parse(), Ok(board));
        assert_eq!(std::format!("{board:#}").parse(), Ok(board));
        assert_eq!(
            Board::START.to_string(),
            "---------------------------OX------XO--------------------------- X"
        );
    }

    #[test]
    fn the_alternate_form_has_a_line_for_each_row() {
        let lines = [
            "--------", "--------", "--------", "---OX---", "---XO---", "--------", "--------",
            "--------", "X",
        ];
        assert_eq!(std::format!("{:#}", Board::START), lines.join("\n"));
    }

    #[test]
    fn errors_give_the_offset() {
        let error = |text: &str| text.parse::<Board>().unwrap_err();
        let squares = "-".repeat(64);
        assert_eq!(
            error("--?"),
            ParseBoardError {
                offset: 2,
                expected: BoardPart::Square
            }
        );
        assert_eq!(
            error("--"),
            ParseBoardError {
                offset: 2,
                expected: BoardPart::Square
            }
        );
        assert_eq!(
            error(&squares),
            ParseBoardError {
                offset: 64,
                expected: BoardPart::SideToMove
            }
        );
        assert_eq!(
            error(&(squares + " Q")),
            ParseBoardError {
                offset: 65,
                expected: BoardPart::SideToMove
            }
        );
        assert_eq!(
            error("--?").to_string(),
            "expected one of 64 squares (X, O or -) at offset 2"
        );
        assert_eq!(
            error(&"-".repeat(64)).to_string(),
            "expected the side to move (X or O) at offset 64"
        );
    }
}
