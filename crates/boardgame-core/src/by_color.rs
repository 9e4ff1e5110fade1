//! Pairs of values, one for each colour.

use core::ops::{Index, IndexMut};

use crate::Color;

/// A pair of values, one for Black and one for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct ByColor<T> {
    pub black: T,
    pub white: T,
}

impl<T> ByColor<T> {
    /// Creates a pair by calling `value` for Black, then for White.
    pub fn new_with(mut value: impl FnMut(Color) -> T) -> Self {
        Self {
            black: value(Color::Black),
            white: value(Color::White),
        }
    }

    /// Returns the value of a colour.
    pub const fn get(&self, color: Color) -> &T {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Mutably borrows the value of a colour.
    pub const fn get_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    /// Borrows both values.
    pub const fn as_ref(&self) -> ByColor<&T> {
        ByColor {
            black: &self.black,
            white: &self.white,
        }
    }

    /// Mutably borrows both values.
    pub const fn as_mut(&mut self) -> ByColor<&mut T> {
        ByColor {
            black: &mut self.black,
            white: &mut self.white,
        }
    }

    /// Converts both values, Black's first.
    pub fn map<U>(self, mut convert: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor {
            black: convert(self.black),
            white: convert(self.white),
        }
    }

    /// Joins two pairs into a pair of tuples.
    pub fn zip<U>(self, other: ByColor<U>) -> ByColor<(T, U)> {
        ByColor {
            black: (self.black, other.black),
            white: (self.white, other.white),
        }
    }

    /// Exchanges the values.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            black: self.white,
            white: self.black,
        }
    }

    /// Iterates over the values, Black's first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        [&self.black, &self.white].into_iter()
    }

    /// Iterates mutably over the values, Black's first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        [&mut self.black, &mut self.white].into_iter()
    }

    /// Returns the values as an array, Black's first.
    pub fn into_array(self) -> [T; 2] {
        [self.black, self.white]
    }
}

impl<T> From<[T; 2]> for ByColor<T> {
    /// Takes Black's value first.
    fn from([black, white]: [T; 2]) -> Self {
        Self { black, white }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        self.get(color)
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        self.get_mut(color)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_color_has_its_own_value() {
        let mut pair = ByColor::new_with(|color| color);
        assert_eq!(pair, ByColor::from(Color::ALL));
        assert_eq!(
            (pair[Color::Black], *pair.get(Color::White)),
            (Color::Black, Color::White)
        );
        assert_eq!(pair.swapped().into_array(), [Color::White, Color::Black]);
        pair[Color::White] = Color::Black;
        assert_eq!(pair.map(Color::index).into_array(), [0, 0]);
        pair.iter_mut().for_each(|color| *color = !*color);
        *pair.as_mut().black = Color::Black;
        assert!(pair.iter().eq(&Color::ALL));
        let zipped = pair.as_ref().zip(ByColor { black: 1, white: 2 });
        assert_eq!(zipped.white, (&Color::White, 2));
    }
}
