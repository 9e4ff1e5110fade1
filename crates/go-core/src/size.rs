//! Board sizes.

use core::{fmt, str::FromStr};

use crate::{ParseTextError, Point};

/// The size of a square board: 1 to 25 lines.
///
/// # Examples
///
/// ```
/// use go_core::Size;
///
/// let size: Size = "9".parse()?;
/// assert_eq!((size.lines(), size.point_count()), (9, 81));
/// assert_eq!(size.to_string(), "9x9");
/// assert_eq!(Size::default(), Size::NINETEEN);
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(u8);

impl Size {
    /// The minimum size, one point.
    pub const MIN: Self = Self(1);

    /// The size of short games, 9x9.
    pub const NINE: Self = Self(9);

    /// The standard size, 19x19.
    pub const NINETEEN: Self = Self(19);

    /// The maximum size, 25x25, whose columns use all letters except I.
    pub const MAX: Self = Self(25);

    /// Returns the size with this number of lines, or `None` unless it is from 1 to 25.
    pub const fn new(lines: u8) -> Option<Self> {
        if lines >= Self::MIN.0 && lines <= Self::MAX.0 {
            Some(Self(lines))
        } else {
            None
        }
    }

    /// Returns the number of lines, 1 to 25.
    #[inline]
    pub const fn lines(self) -> u8 {
        self.0
    }

    /// Returns the number of points, 1 to 625.
    #[inline]
    pub const fn point_count(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Returns whether a point is on a board of this size.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        point.column() < self.0 && point.row() < self.0
    }

    /// Iterates over the points in order: `A1`, `B1`, … `A2`, `B2`, …
    pub fn points(self) -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..self.0)
            .flat_map(move |row| (0..self.0).filter_map(move |column| Point::new(column, row)))
    }
}

impl Default for Size {
    /// The standard size, 19x19.
    fn default() -> Self {
        Self::NINETEEN
    }
}

impl fmt::Display for Size {
    /// Prints both dimensions, as in `19x19`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.0)
    }
}

const EXPECTED: ParseTextError = ParseTextError("the size of a square board, 1x1 to 25x25");

impl FromStr for Size {
    type Err = ParseTextError;

    /// Parses `19` or `19x19`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (columns, rows) = text.split_once(['x', 'X']).unwrap_or((text, text));
        let lines = |text: &str| {
            let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
            text.parse().ok().filter(|_| digits)
        };
        match (lines(columns), lines(rows)) {
            (Some(columns), Some(rows)) if columns == rows => Self::new(columns).ok_or(EXPECTED),
            _ => Err(EXPECTED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{string::ToString, vec::Vec};

    #[test]
    fn every_size_round_trips() {
        for lines in 1..=25 {
            let size = Size::new(lines).unwrap();
            assert_eq!(size.lines(), lines);
            assert_eq!(size.to_string().parse(), Ok(size));
            assert_eq!(lines.to_string().parse(), Ok(size));
            assert_eq!(size.points().count(), size.point_count());
        }
        assert_eq!((Size::new(0), Size::new(26)), (None, None));
        assert_eq!((Size::MIN.lines(), Size::MAX.lines()), (1, 25));
        assert_eq!(Size::NINE.point_count(), 81);
    }

    #[test]
    fn other_texts_are_not_sizes() {
        for text in ["", "0", "26", "9x", "x9", "9x8", "+9", "019", "9 x 9", "-1"] {
            assert_eq!(text.parse::<Size>(), Err(EXPECTED), "{text:?}");
        }
        assert_eq!("7X7".parse(), Ok(Size(7)));
        let expected = "expected the size of a square board, 1x1 to 25x25";
        assert_eq!(EXPECTED.to_string(), expected);
    }

    #[test]
    fn points_come_in_order_and_are_on_the_board() {
        let names: Vec<_> = Size(2).points().map(|point| point.to_string()).collect();
        assert_eq!(names, ["A1", "B1", "A2", "B2"]);
        assert!(Size(2).contains("B2".parse().unwrap()));
        assert!(!Size(2).contains("C1".parse().unwrap()));
        assert!(!Size(2).contains("A3".parse().unwrap()));
    }
}
