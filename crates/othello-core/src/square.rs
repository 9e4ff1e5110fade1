//! The 64 squares of the board and their names.

use core::{fmt, str::FromStr};

use crate::ParseTextError;

macro_rules! squares {
    ($($name:ident = $index:literal,)*) => {
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
        /// # Ok::<(), othello_core::ParseTextError>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)] // The 64 names need no explanation.
        pub enum Square {
            $($name = $index,)*
        }

        impl Square {
            /// Every square in board order.
            pub const ALL: [Self; 64] = [$(Self::$name,)*];

            /// The square with this index in board order, or `None` if the index is 64 or more.
            #[inline]
            pub const fn from_index(index: u8) -> Option<Self> {
                // The compiler turns this into a range check; indexing `ALL` would be a load.
                match index {
                    $($index => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

#[rustfmt::skip]
squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// The square at `column` and `row`, both counted from 0, or `None` if it is off the board.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < 8 && row < 8 {
            Some(Self::ALL[(row * 8 + column) as usize])
        } else {
            None
        }
    }

    /// The index in board order, 0 (a1) to 63 (h8).
    #[inline]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The column, 0 (a) to 7 (h).
    #[inline]
    pub const fn column(self) -> u8 {
        self as u8 % 8
    }

    /// The row, 0 (row 1, at the top) to 7 (row 8).
    #[inline]
    pub const fn row(self) -> u8 {
        self as u8 / 8
    }

    /// The column's letter in lower case, `'a'` to `'h'`.
    #[inline]
    pub const fn column_letter(self) -> char {
        (b'a' + self.column()) as char
    }

    /// The row's digit, `'1'` to `'8'`.
    #[inline]
    pub const fn row_digit(self) -> char {
        (b'1' + self.row()) as char
    }
}

impl TryFrom<u8> for Square {
    type Error = ParseTextError;

    /// Converts an index in board order.
    #[inline]
    fn try_from(index: u8) -> Result<Self, Self::Error> {
        Self::from_index(index).ok_or(EXPECTED_INDEX)
    }
}

impl fmt::Display for Square {
    /// Prints the name in lower case (`f5`), or in upper case in the alternate form `{:#}` (`F5`).
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

const EXPECTED: ParseTextError = ParseTextError("a square: a letter a-h and a digit 1-8");
const EXPECTED_INDEX: ParseTextError = ParseTextError("the index of a square: 0-63");

impl FromStr for Square {
    type Err = ParseTextError;

    /// Parses a letter in either case and a digit.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let [letter, digit] = text.as_bytes() else {
            return Err(EXPECTED);
        };
        let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
        let row = digit.wrapping_sub(b'1');
        Self::new(column, row).ok_or(EXPECTED)
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
            assert_eq!(Square::try_from(square.index()), Ok(square));
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(std::format!("{square:#}").parse(), Ok(square));
            assert_eq!(std::format!("{square:?}"), square.to_string());
        }
    }

    #[test]
    fn invalid_names_are_rejected() {
        for text in ["", "a", "a0", "a9", "i1", "1a", "a1 ", " a1", "é1", "pass"] {
            assert_eq!(text.parse::<Square>(), Err(EXPECTED), "{text:?}");
        }
        assert_eq!(
            EXPECTED.to_string(),
            "expected a square: a letter a-h and a digit 1-8"
        );
        assert_eq!(Square::try_from(64), Err(EXPECTED_INDEX));
    }
}
