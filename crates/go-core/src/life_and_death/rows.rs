//! Rectangles of at most 64 points, whose neighbours are found by shifts.

use crate::Point;

/// The maximum number of points of a rectangle or part, which are the bits of a word.
pub(super) const MAX_POINTS: usize = u64::BITS as usize;

/// A rectangle of a board whose places are the bits of a word, row by row.
pub(super) struct Rows {
    first_column: u8,
    first_row: u8,
    width: u8,
    /// The places that are not in the first column.
    not_first: u64,
    /// The places that are not in the last column.
    not_last: u64,
}

impl Rows {
    /// Returns the smallest rectangle around points, or `None` if it is too large.
    pub(super) fn around_points(points: &[Point]) -> Option<Self> {
        let columns = points.iter().map(|point| point.column());
        let rows = points.iter().map(|point| point.row());
        let (first_column, first_row) = (columns.clone().min()?, rows.clone().min()?);
        let width = columns.max()? + 1 - first_column;
        let height = rows.max()? + 1 - first_row;
        if usize::from(width) * usize::from(height) > MAX_POINTS {
            return None;
        }
        let column = |at: u8| (0..height).fold(0, |set, row| set | 1 << (row * width + at));
        Some(Self {
            first_column,
            first_row,
            width,
            not_first: !column(0),
            not_last: !column(width - 1),
        })
    }

    /// Returns the place of a point in the rectangle.
    pub(super) const fn place(&self, point: Point) -> u8 {
        (point.row() - self.first_row) * self.width + point.column() - self.first_column
    }

    /// Returns the places next to a set, some of which may be in it or above the rectangle.
    pub(super) const fn around(&self, set: u64) -> u64 {
        let beside = (set << 1) & self.not_first | (set >> 1) & self.not_last;
        beside | set << self.width | set >> self.width
    }
}
