//! The points of the board and their names.

use core::{fmt, num::NonZeroU16, str::FromStr};

use crate::ParseTextError;

/// The distance between a cell and the one above it in a board's arrays. Each row has a border cell on its left, which
/// is also the right border of the row below.
pub(crate) const STRIDE: usize = 26;

/// The number of cells of a board of the maximum size, including its border.
pub(crate) const CELLS: usize = 27 * STRIDE + 1;

/// A point of a board of any size, by column from the left and row from the bottom.
///
/// Columns are `A` to `Z` without `I`, rows 1 to 25. Points are ordered `A1`, `B1`, … `A2`, `B2`, …
///
/// # Examples
///
/// ```
/// use go_core::Point;
///
/// let point: Point = "j9".parse()?;
/// assert_eq!((point.column(), point.row()), (8, 8));
/// assert_eq!(point.to_string(), "J9");
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(NonZeroU16);

impl Point {
    /// The exclusive upper bound of [`Point::index`]: the length of an array with an entry for every point.
    pub const INDEX_END: usize = CELLS;

    /// Returns the point at `column` and `row`, both counted from 0, or `None` unless both are below 25.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column >= 25 || row >= 25 {
            return None;
        }
        let index = (row as u16 + 1) * STRIDE as u16 + column as u16 + 1;
        match NonZeroU16::new(index) {
            Some(index) => Some(Self(index)),
            None => None,
        }
    }

    /// Returns the column, 0 (`A`) to 24 (`Z`).
    #[inline]
    pub const fn column(self) -> u8 {
        (self.0.get() % STRIDE as u16 - 1) as u8
    }

    /// Returns the row, 0 (row 1, at the bottom) to 24.
    #[inline]
    pub const fn row(self) -> u8 {
        (self.0.get() / STRIDE as u16 - 1) as u8
    }

    /// Returns the letter of the column in upper case, `'A'` to `'Z'` without `'I'`.
    pub const fn column_letter(self) -> char {
        column_letter(self.column())
    }

    /// Returns whether another point is orthogonally adjacent.
    #[inline]
    pub const fn is_adjacent_to(self, other: Self) -> bool {
        let cells = self.index().abs_diff(other.index());
        cells == 1 || cells == STRIDE
    }

    /// Returns whether another point is diagonally adjacent.
    #[inline]
    pub const fn is_diagonal_to(self, other: Self) -> bool {
        let cells = self.index().abs_diff(other.index());
        cells == STRIDE - 1 || cells == STRIDE + 1
    }

    /// Returns the index of the point in arrays of [`Point::INDEX_END`] entries, the same for boards of every size.
    /// Adjacent points have nearby indices.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// Returns the point at an index.
    ///
    /// # Panics
    ///
    /// Panics if the index is 0, which is a border cell.
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Self {
        Self(NonZeroU16::new(index as u16).expect("cell 0 is border"))
    }
}

/// Returns the letter of a column, 0 to 24.
pub(crate) const fn column_letter(column: u8) -> char {
    // The letter I is skipped.
    (b'A' + column + (column >= 8) as u8) as char
}

/// The offsets of the eight surrounding cells, clockwise from the left one.
pub(crate) const AROUND: [isize; 8] = {
    let row = STRIDE as isize;
    [-1, row - 1, row, row + 1, 1, 1 - row, -row, -row - 1]
};

/// Returns the eight surrounding cells, clockwise from the left one.
#[inline(always)]
pub(crate) fn around(index: usize) -> [usize; 8] {
    AROUND.map(|offset| index.wrapping_add_signed(offset))
}

/// Returns the orthogonally adjacent cells: left, right, below and above.
#[inline(always)]
pub(crate) const fn neighbours(index: usize) -> [usize; 4] {
    [index - 1, index + 1, index - STRIDE, index + STRIDE]
}

impl fmt::Display for Point {
    /// Prints the name in upper case, as in `Q16`; the alternate form `{:#}` is in lower case.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.column_letter();
        let letter = if f.alternate() {
            letter.to_ascii_lowercase()
        } else {
            letter
        };
        write!(f, "{letter}{}", self.row() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const EXPECTED: ParseTextError =
    ParseTextError("a point: a letter A-Z without I and a number 1-25");

impl FromStr for Point {
    type Err = ParseTextError;

    /// Parses a letter in either case and a number without leading zeros.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (letter, number) = text.split_at_checked(1).ok_or(EXPECTED)?;
        let column = match letter.as_bytes()[0].to_ascii_uppercase() {
            letter @ b'A'..=b'H' => letter - b'A',
            letter @ b'J'..=b'Z' => letter - b'A' - 1,
            _ => return Err(EXPECTED),
        };
        if !matches!(
            number.as_bytes(),
            [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']
        ) {
            return Err(EXPECTED);
        }
        let number: u8 = number.parse().map_err(|_| EXPECTED)?;
        Self::new(column, number - 1).ok_or(EXPECTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use std::{format, string::ToString, vec::Vec};

    #[test]
    fn every_point_round_trips_through_its_name_and_index() {
        for point in Size::MAX.points() {
            assert_eq!(Point::new(point.column(), point.row()), Some(point));
            assert_eq!(Point::from_index(point.index()), point);
            assert_eq!(point.to_string().parse(), Ok(point));
            assert_eq!(format!("{point:#}").parse(), Ok(point));
            assert_eq!(format!("{point:?}"), point.to_string());
        }
        assert!(Size::MAX.points().is_sorted());
    }

    #[test]
    fn columns_skip_the_letter_i() {
        let letters: Vec<_> = (0..25)
            .map(|column| Point::new(column, 0).unwrap().column_letter())
            .collect();
        assert_eq!(
            letters.into_iter().collect::<std::string::String>(),
            "ABCDEFGHJKLMNOPQRSTUVWXYZ"
        );
        let corner: Point = "T19".parse().unwrap();
        assert_eq!((corner.column(), corner.row()), (18, 18));
        assert_eq!(format!("{corner:#}"), "t19");
    }

    #[test]
    fn invalid_names_are_rejected() {
        for text in [
            "", "A", "A0", "A26", "I5", "i5", "5A", "A1 ", " A1", "A01", "A+1", "é1", "A100",
            "pass",
        ] {
            assert_eq!(text.parse::<Point>(), Err(EXPECTED), "{text:?}");
        }
        assert_eq!((Point::new(25, 0), Point::new(0, 25)), (None, None));
        let expected = "expected a point: a letter A-Z without I and a number 1-25";
        assert_eq!(EXPECTED.to_string(), expected);
    }

    #[test]
    fn neighbours_and_surrounding_cells_are_as_documented() {
        let point: Point = "C3".parse().unwrap();
        let names = |cells: [usize; 4]| cells.map(|index| Point::from_index(index).to_string());
        assert_eq!(names(neighbours(point.index())), ["B3", "D3", "C2", "C4"]);
        let names = around(point.index()).map(|index| Point::from_index(index).to_string());
        assert_eq!(names, ["B3", "B4", "C4", "D4", "D3", "D2", "C2", "B2"]);
        let all = (0..25).flat_map(|row| (0..25).filter_map(move |column| Point::new(column, row)));
        for other in all {
            let is_adjacent_to = neighbours(point.index()).contains(&other.index());
            assert_eq!(point.is_adjacent_to(other), is_adjacent_to, "{other}");
            let is_around = around(point.index()).contains(&other.index());
            assert_eq!(
                point.is_diagonal_to(other),
                is_around && !is_adjacent_to,
                "{other}"
            );
        }
        let last: Point = "Z25".parse().unwrap();
        assert!(around(last.index()).iter().all(|&index| index < CELLS));
    }
}
