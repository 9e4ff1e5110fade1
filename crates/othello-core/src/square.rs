//! The 64 squares of the board and their names.

use core::{fmt, str::FromStr};

/// A square of the board, ordered a1, b1, … h1, a2, … h8.
///
/// Columns are lettered a to h from left to right, rows numbered 1 to 8 from top to bottom.
///
/// # Examples
///
/// ```
/// use othello_core::Square;
///
/// let square: Square = "f5".parse()?;
/// assert_eq!(square, Square::F5);
/// assert_eq!((square.column(), square.row()), (5, 4));
/// # Ok::<(), othello_core::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)] // Sixty-four names that say all there is to say.
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// Every square in board order.
    #[rustfmt::skip]
    #[allow(clippy::enum_glob_use)]
    pub const ALL: [Self; 64] = {
        use Square::*;
        [
            A1, B1, C1, D1, E1, F1, G1, H1,
            A2, B2, C2, D2, E2, F2, G2, H2,
            A3, B3, C3, D3, E3, F3, G3, H3,
            A4, B4, C4, D4, E4, F4, G4, H4,
            A5, B5, C5, D5, E5, F5, G5, H5,
            A6, B6, C6, D6, E6, F6, G6, H6,
            A7, B7, C7, D7, E7, F7, G7, H7,
            A8, B8, C8, D8, E8, F8, G8, H8,
        ]
    };

    /// The square at `column` and `row`, both counted from 0, or `None` off the board.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < 8 && row < 8 {
            Some(Self::ALL[(row * 8 + column) as usize])
        } else {
            None
        }
    }

    /// The square with this index in board order, or `None` from 64 on.
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 64 {
            Some(Self::ALL[index as usize])
        } else {
            None
        }
    }

    /// The index in board order, 0 (a1) to 63 (h8).
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The column, 0 (a) to 7 (h).
    pub const fn column(self) -> u8 {
        self as u8 % 8
    }

    /// The row, 0 (row 1, at the top) to 7 (row 8).
    pub const fn row(self) -> u8 {
        self as u8 / 8
    }

    /// The column's letter in lower case, `'a'` to `'h'`.
    pub const fn column_letter(self) -> char {
        (b'a' + self.column()) as char
    }

    /// The row's digit, `'1'` to `'8'`.
    pub const fn row_digit(self) -> char {
        (b'1' + self.row()) as char
    }
}

impl fmt::Display for Square {
    /// Lower case, as in `f5`; the alternate form `{:#}` is upper case, as in `F5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.column_letter();
        let letter = if f.alternate() {
            letter.to_ascii_uppercase()
        } else {
            letter
        };
        write!(f, "{letter}{}", self.row_digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square: a letter a to h (either case) and a digit 1 to 8 were expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square: a letter a-h and a digit 1-8")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads a letter of either case and a digit.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let [letter, digit] = text.as_bytes() else {
            return Err(ParseSquareError);
        };
        let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
        let row = digit.wrapping_sub(b'1');
        Self::new(column, row).ok_or(ParseSquareError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn every_square_round_trips_through_its_name_and_index() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(square.index()), index);
            assert_eq!(Square::from_index(square.index()), Some(square));
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(std::format!("{square:#}").parse(), Ok(square));
        }
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in ["", "a", "a0", "a9", "i1", "1a", "a1 ", " a1", "é1", "pass"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text:?}");
        }
    }
}
