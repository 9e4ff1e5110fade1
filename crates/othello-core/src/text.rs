//! Boards as lines of text.

use core::{fmt, fmt::Write as _};

use crate::{Board, Color, Square};

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
}
