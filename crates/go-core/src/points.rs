//! Short lists of points.

use core::ops::Deref;

use crate::Point;

/// A list of at most `N` different points, for searches that must not allocate.
///
/// # Examples
///
/// ```
/// use go_core::{Point, Points};
///
/// let mut points: Points<2> = Points::NONE;
/// let corner: Point = "A1".parse()?;
/// assert!(points.insert(corner) && !points.insert(corner));
/// assert_eq!(*points, [corner]);
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Points<const N: usize> {
    points: [Point; N],
    len: usize,
}

impl<const N: usize> Points<N> {
    /// An empty list.
    pub const NONE: Self = Self {
        points: [Point::from_index(1); N],
        len: 0,
    };

    /// Adds a point. Returns `true` if it was not in the list.
    ///
    /// # Panics
    ///
    /// Panics if the list is full and does not contain the point.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        if self.contains(&point) {
            return false;
        }
        self.points[self.len] = point;
        self.len += 1;
        true
    }
}

impl<const N: usize> Deref for Points<N> {
    type Target = [Point];

    #[inline]
    fn deref(&self) -> &[Point] {
        &self.points[..self.len]
    }
}
