//! Patterns of the eight points around a point.

use boardgame_core::Color;

use super::{Board, cell};
use crate::{Point, point::STRIDE};

/// The contents of the eight points around a point, as one side sees them: its own stones, the
/// opponent's, empty points and what is off the board.
///
/// # Examples
///
/// ```
/// use go_core::{Board, Color, Pattern, Size};
///
/// let mut board = Board::new(Size::NINE);
/// board.play(Color::Black, "D5".parse()?);
/// let seen = |color| board.pattern("E5".parse().unwrap(), color);
/// assert_ne!(seen(Color::Black), seen(Color::White));
/// assert_ne!(seen(Color::White), Pattern::EMPTY);
/// # Ok::<(), go_core::ParsePointError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(u16);

impl Pattern {
    /// Eight empty points.
    pub const EMPTY: Self = Self(u16::MAX);

    /// Returns the code: two bits for each point, from the left one clockwise, 0 off the board, 1 the
    /// side's own stone, 2 the opponent's, 3 empty.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// Returns the pattern of a code.
    #[inline]
    pub const fn from_code(code: u16) -> Self {
        Self(code)
    }

    /// Returns the pattern as the other side sees it.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Self {
        const LOW: u16 = 0x5555;
        Self((self.0 & LOW) << 1 | (self.0 >> 1) & LOW)
    }

    /// Returns the pattern turned clockwise by a quarter.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(self.0.rotate_left(4))
    }

    /// Returns the pattern with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        let (mut mirrored, mut place) = (0, 0);
        while place < 8 {
            // Clockwise from the left, place 2 is above and place 6 below.
            let other = (12 - place) % 8;
            mirrored |= (self.0 >> (2 * place) & 3) << (2 * other);
            place += 1;
        }
        Self(mirrored)
    }

    /// Returns the one of the eight turned and mirrored forms that has the lowest code.
    #[must_use]
    pub fn canonical(self) -> Self {
        let turns =
            |first: Self| core::iter::successors(Some(first), |it| Some(it.turned())).take(4);
        turns(self)
            .chain(turns(self.mirrored()))
            .min()
            .unwrap_or(self)
    }
}

impl Board {
    /// Returns the pattern around a point as a side sees it.
    #[inline]
    pub fn pattern(&self, point: Point, color: Color) -> Pattern {
        let index = point.index();
        let clockwise = [
            index - 1,
            index + STRIDE - 1,
            index + STRIDE,
            index + STRIDE + 1,
            index + 1,
            index - STRIDE + 1,
            index - STRIDE,
            index - STRIDE - 1,
        ];
        let mut code = 0;
        for (place, cell) in clockwise.into_iter().enumerate() {
            let contents = self.cells[cell];
            // An empty cell, 4, becomes 3.
            code |= u16::from(contents - (contents >> 2)) << (2 * place);
        }
        const { assert!(cell::EMPTY - (cell::EMPTY >> 2) == 3) };
        match color {
            Color::Black => Pattern(code),
            Color::White => Pattern(code).swapped(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Returns the pattern that rows of three points form in the middle of a board.
    fn seen(rows: [&str; 3], color: Color) -> Pattern {
        let rows = rows.map(|row| std::format!(".{row}.\n")).concat();
        let board: Board = std::format!(".....\n{rows}.....").parse().unwrap();
        board.pattern("C3".parse().unwrap(), color)
    }

    #[test]
    fn codes_are_read_clockwise_from_the_left() {
        let pattern = seen(["OX.", "X..", "..O"], Color::Black);
        // Left own, upper left the opponent's, above own, lower right the opponent's.
        let expected = 0b11_11_10_11_11_01_10_01;
        assert_eq!(pattern.code(), expected);
        assert_eq!(Pattern::from_code(expected), pattern);
        let corner = Board::new(Size::NINE).pattern("A1".parse().unwrap(), Color::White);
        assert_eq!(corner.code(), 0b00_00_00_11_11_11_00_00);
    }

    #[test]
    fn turns_and_mirrors_are_those_of_the_board() {
        let pattern = seen(["OX.", "X..", "..O"], Color::Black);
        assert_eq!(pattern.turned(), seen([".XO", "..X", "O.."], Color::Black));
        assert_eq!(
            pattern.mirrored(),
            seen([".XO", "..X", "O.."], Color::Black)
        );
        let pattern = seen(["OXX", "...", "..."], Color::Black);
        assert_eq!(pattern.turned(), seen(["..O", "..X", "..X"], Color::Black));
        assert_eq!(
            pattern.mirrored(),
            seen(["XXO", "...", "..."], Color::Black)
        );
    }

    #[test]
    fn patterns_fall_into_classes_of_symmetry() {
        // Three contents for eight points, by Burnside's lemma over the eight symmetries.
        let inner: BTreeSet<Pattern> = (0..=u16::MAX)
            .map(Pattern::from_code)
            .filter(|pattern| (0..8).all(|place| pattern.code() >> (2 * place) & 3 != 0))
            .map(Pattern::canonical)
            .collect();
        assert_eq!(inner.len(), 954);
    }

    proptest! {
        #[test]
        fn a_pattern_has_one_canonical_form(code: u16, turns in 0..4, mirrored: bool) {
            let pattern = Pattern::from_code(code);
            let mut other = if mirrored { pattern.mirrored() } else { pattern };
            for _ in 0..turns {
                other = other.turned();
            }
            prop_assert_eq!(other.canonical(), pattern.canonical());
            prop_assert_eq!(pattern.mirrored().mirrored(), pattern);
            prop_assert_eq!(pattern.swapped().swapped(), pattern);
            prop_assert_eq!(pattern.swapped().turned(), pattern.turned().swapped());
        }
    }
}
