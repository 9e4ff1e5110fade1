//! Boards and positions as lines of text.

use core::{fmt, fmt::Write as _, str::FromStr};

use crate::{Board, Color, ParseBoardError, Position, Square};

impl fmt::Display for Board {
    /// Prints 64 squares as `X`, `O` or `-`, a space, and the side to move, `X` or `O`. The
    /// alternate form `{:#}` prints each row and the side to move on a line of its own.
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

impl fmt::Display for Position {
    /// Prints the position as a [`Board`] with Black to move: own discs as `X`, the opponent's as `O`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Board::new(*self, Color::Black).fmt(f)
    }
}

impl FromStr for Position {
    type Err = ParseBoardError;

    /// Parses a [`Board`] and takes the point of view of its side to move.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Board::position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alternate_form_has_one_line_per_row() {
        let lines = [
            "--------", "--------", "--------", "---OX---", "---XO---", "--------", "--------",
            "--------", "X",
        ];
        assert_eq!(std::format!("{:#}", Board::START), lines.join("\n"));
    }

    #[test]
    fn a_position_is_printed_with_black_to_move() {
        let mut board = Board::START;
        board.play(Square::F5).unwrap();
        let position = board.position();
        let text = std::format!("{position}");
        assert_eq!(text.parse(), Ok(Board::new(position, Color::Black)));
        assert_eq!(text.parse(), Ok(position));
        assert_eq!(std::format!("{board}").parse(), Ok(position));
    }
}
