//! Sets of points.

use core::{
    fmt,
    ops::{BitAnd, BitOr, Sub},
};

use crate::{Point, Size, point::CELLS};

const WORDS: usize = CELLS.div_ceil(64);

/// A set of points of a board of any size, without allocation.
///
/// # Examples
///
/// ```
/// use go_core::{Point, PointSet};
///
/// let mut set = PointSet::new();
/// let point: Point = "D4".parse()?;
/// assert!(set.insert(point) && !set.insert(point));
/// assert_eq!((set.contains(point), set.len(), set.to_string()), (true, 1, "D4".to_owned()));
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// Creates an empty set.
    pub const fn new() -> Self {
        Self([0; WORDS])
    }

    /// Returns the set of all points of a board.
    pub fn all(size: Size) -> Self {
        size.points().collect()
    }

    /// Adds a point. Returns `true` if it was not in the set.
    #[inline]
    pub const fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = Self::place(point);
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Removes a point. Returns `true` if it was in the set.
    #[inline]
    pub const fn remove(&mut self, point: Point) -> bool {
        let (word, bit) = Self::place(point);
        let was_in = self.0[word] & bit != 0;
        self.0[word] &= !bit;
        was_in
    }

    /// Returns whether a point is in the set.
    #[inline]
    pub const fn contains(&self, point: Point) -> bool {
        let (word, bit) = Self::place(point);
        self.0[word] & bit != 0
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Returns whether every point of this set is also in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        (*self - *other).is_empty()
    }

    /// Iterates over the points in order.
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        let words = self.0;
        words.into_iter().enumerate().flat_map(|(place, mut word)| {
            core::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(Point::from_index(64 * place + bit))
            })
        })
    }

    const fn place(point: Point) -> (usize, u64) {
        (point.index() / 64, 1 << (point.index() % 64))
    }

    fn combine(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|word| {
            combine(self.0[word], other.0[word])
        }))
    }
}

impl BitOr for PointSet {
    type Output = Self;

    /// The union.
    fn bitor(self, other: Self) -> Self {
        self.combine(other, |one, other| one | other)
    }
}

impl BitAnd for PointSet {
    type Output = Self;

    /// The intersection.
    fn bitand(self, other: Self) -> Self {
        self.combine(other, |one, other| one & other)
    }
}

impl Sub for PointSet {
    type Output = Self;

    /// The difference: the points of this set that are not in the other.
    fn sub(self, other: Self) -> Self {
        self.combine(other, |one, other| one & !other)
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::new();
        set.extend(points);
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl fmt::Display for PointSet {
    /// Prints the points in order, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, point) in self.iter().enumerate() {
            let gap = if place == 0 { "" } else { " " };
            write!(f, "{gap}{point}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString};

    fn set(names: &str) -> PointSet {
        names
            .split_whitespace()
            .map(|name| name.parse::<Point>().unwrap())
            .collect()
    }

    #[test]
    fn points_are_added_found_and_removed() {
        let mut points = PointSet::new();
        assert!(points.is_empty());
        let corner = "Z25".parse().unwrap();
        assert!(points.insert(corner) && !points.insert(corner));
        assert!(points.contains(corner) && !points.contains("A1".parse().unwrap()));
        assert_eq!((points.len(), points.is_empty()), (1, false));
        assert!(points.remove(corner) && !points.remove(corner));
        assert_eq!(points, PointSet::default());
    }

    #[test]
    fn sets_combine() {
        let (left, right) = (set("A1 B1 C3"), set("C3 B1 D9"));
        assert_eq!(left | right, set("A1 B1 C3 D9"));
        assert_eq!(left & right, set("B1 C3"));
        assert_eq!(left - right, set("A1"));
        assert!(set("B1").is_subset(&left) && !right.is_subset(&left));
        assert!(left.is_subset(&left));
    }

    #[test]
    fn points_come_in_order() {
        let points = set("Q16 A1 C3 Z25");
        assert_eq!(points.to_string(), "A1 C3 Q16 Z25");
        assert_eq!(format!("{points:?}"), "{A1, C3, Q16, Z25}");
        assert_eq!(PointSet::all(Size::MAX).len(), 625);
        assert!(PointSet::all(Size::MAX).iter().eq(Size::MAX.points()));
    }
}
