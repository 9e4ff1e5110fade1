//! Patterns of the eight points around a point.

use boardgame_core::Color;

use super::{Board, cell};
use crate::{
    Point,
    point::{AROUND, around},
};

/// The contents of an empty point in a pattern. Those of a stone are its cell's.
pub(super) const EMPTY: u16 = 3;

/// The bits of the points beside the point in the middle: for each one, the bit of Black's stones.
const BESIDE: u16 = 0x1111;

/// The bits of the points across, likewise.
const ACROSS: u16 = 0x4444;

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

impl Pattern {
    /// Eight points off the board.
    pub(super) const OFF_BOARD: Self = Self(0);

    /// Returns whether one of the points beside the middle is empty.
    #[inline]
    pub(super) const fn has_empty_beside(self) -> bool {
        self.0 & self.0 >> 1 & BESIDE != 0
    }

    /// Returns the low bits of the places that are empty.
    #[inline]
    const fn empty_places(self) -> u16 {
        self.0 & self.0 >> 1 & 0x5555
    }

    /// Returns the number of points beside the middle that are empty.
    #[inline]
    pub const fn empty_beside(self) -> u32 {
        count_beside(self.empty_places() & BESIDE)
    }

    /// Returns whether all points beside the middle that are on the board have own stones.
    #[inline]
    pub(super) const fn is_surrounded(self) -> bool {
        self.0 & BESIDE << 1 == 0
    }

    /// Returns whether the opponent has at most one stone across, none at the edge.
    #[inline]
    pub(super) const fn has_eye_corners(self) -> bool {
        let opponents = self.0 >> 1 & !self.0 & ACROSS;
        let off_board = !(self.0 >> 1 | self.0) & ACROSS;
        count_beside(opponents >> 2) + (off_board != 0) as u32 <= 1
    }

    /// Returns the low bits of the places across that are beside an empty place beside the middle.
    #[inline]
    const fn reached_across(self) -> u16 {
        let beside = self.empty_places() & BESIDE;
        (beside << 2 | beside.rotate_right(2)) & ACROSS
    }

    /// Returns the number of the eight points that are empty and connected to the middle by empty points among them.
    #[inline]
    pub const fn empty_connected(self) -> u32 {
        let empty = self.empty_places();
        count_beside((empty & BESIDE) + ((empty & self.reached_across()) >> 2))
    }

    /// Returns whether the opponent has one of the eight points beside the middle or beside one that
    /// [`Pattern::empty_connected`] counts.
    #[inline]
    pub const fn has_opponent_beside_connected(self) -> bool {
        self.0 >> 1 & !self.0 & (BESIDE | self.reached_across()) != 0
    }

    /// Returns whether one of the eight points has a stone.
    #[inline]
    pub const fn has_stone(self) -> bool {
        (self.0 ^ self.0 >> 1) & 0x5555 != 0
    }

    /// Returns the low bits of the places that have own stones.
    #[inline]
    const fn own_places(self) -> u16 {
        self.0 & !(self.0 >> 1) & 0x5555
    }

    /// Returns whether one of the points beside the middle has an own stone.
    #[inline]
    pub(super) const fn has_own_beside(self) -> bool {
        self.own_places() & BESIDE != 0
    }

    /// Returns whether one of the points beside the middle has a stone of the opponent.
    #[inline]
    pub const fn has_opponent_beside(self) -> bool {
        self.0 >> 1 & !self.0 & BESIDE != 0
    }
}

/// Returns the sum, at most 15, of the counts in the places beside the middle.
///
/// Unlike a count of bits, it takes one multiplication on every processor.
#[inline]
const fn count_beside(counts: u16) -> u32 {
    (counts.wrapping_mul(BESIDE) >> 12) as u32
}

impl Board {
    /// Returns the pattern around a point as a side sees it.
    #[inline]
    pub const fn pattern(&self, point: Point, color: Color) -> Pattern {
        let pattern = self.patterns[point.index()];
        match color {
            Color::Black => pattern,
            Color::White => pattern.swapped(),
        }
    }

    /// Iterates over the empty points around a point, clockwise from the left one.
    #[inline]
    pub fn empty_around(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let pattern = self.patterns[point.index()];
        points_at(point, pattern.empty_places())
    }

    /// Iterates over the empty points beside a point, clockwise from the left one.
    #[inline]
    pub fn empty_beside(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let pattern = self.patterns[point.index()];
        points_at(point, pattern.empty_places() & BESIDE)
    }

    /// Iterates over the empty points beside a point like [`Board::empty_beside`], without those that an empty point
    /// across connects to the one before.
    #[inline]
    pub fn empty_groups_beside(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let empty = self.patterns[point.index()].empty_places();
        let beside = empty & BESIDE;
        let connected = beside << 4 & (empty & ACROSS) << 2;
        points_at(point, beside & !connected)
    }

    /// Iterates over the stones of a side beside a point, clockwise from the left one.
    #[inline]
    pub fn stones_beside(&self, color: Color, point: Point) -> impl Iterator<Item = Point> + use<> {
        let pattern = self.pattern(point, color);
        points_at(point, pattern.own_places() & BESIDE)
    }

    /// Changes the contents of a cell in the patterns around it, by the bits in which they differ.
    #[inline]
    pub(super) fn change_patterns(&mut self, index: usize, bits: u16) {
        const { assert!(cell::BLACK as u16 ^ EMPTY == 2 && cell::WHITE as u16 ^ EMPTY == 1) };
        for (place, cell) in around(index).into_iter().enumerate() {
            // Seen from there, the cell is at the opposite place.
            self.patterns[cell].0 ^= bits << (2 * ((place + 4) % 8));
        }
    }
}

/// Iterates over the points around a point that are at places given by their low bits.
#[inline]
fn points_at(point: Point, mut places: u16) -> impl Iterator<Item = Point> {
    core::iter::from_fn(move || {
        if places == 0 {
            return None;
        }
        let place = places.trailing_zeros() as usize / 2 % 8;
        places &= places - 1;
        Some(Point::from_index(
            point.index().wrapping_add_signed(AROUND[place]),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use proptest::prelude::*;
    use std::{collections::BTreeSet, vec::Vec};

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

    /// Returns the pattern around a point as the stones of a board give it.
    fn by_stones(board: &Board, point: Point) -> u16 {
        let clockwise = [
            (-1, 0),
            (-1, 1),
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
        ];
        let contents = clockwise.map(|(right, up)| {
            let column = point.column().checked_add_signed(right);
            let around = column.zip(point.row().checked_add_signed(up));
            let around = around.and_then(|(column, row)| Point::new(column, row));
            let around = around.filter(|&around| board.size().contains(around));
            match around.map(|around| board.stone(around)) {
                Some(Some(Color::Black)) => 1,
                Some(Some(Color::White)) => 2,
                Some(None) => 3,
                None => 0,
            }
        });
        contents
            .into_iter()
            .rev()
            .fold(0, |code, content| code << 2 | content)
    }

    proptest! {
        #[test]
        fn patterns_are_those_of_the_stones(seed: u64, moves in 0..150, lines in 1..8_u8) {
            let mut board = Board::new(Size::new(lines).unwrap());
            let mut random = crate::Random::new(seed);
            let mut color = Color::Black;
            for _ in 0..moves {
                if let Some(point) = board.random_move(color, &mut random) {
                    board.play(color, point);
                }
                color = !color;
            }
            for point in board.size().points() {
                let pattern = board.pattern(point, Color::Black);
                prop_assert_eq!(pattern.code(), by_stones(&board, point), "{} {}", board, point);
            }
        }

        #[test]
        fn points_around_are_counted_and_found_by_contents(code: u16, black: bool) {
            let color = if black { Color::Black } else { Color::White };
            let mut board = Board::new(Size::NINE);
            let point: Point = "E5".parse().unwrap();
            board.patterns[point.index()] = Pattern::from_code(code);
            let at = |place: u16| Point::from_index(around(point.index())[usize::from(place)]);
            let holding = |contents, step| {
                let places = (0..8).step_by(step).filter(move |place| code >> (2 * place) & 3 == contents);
                places.map(at).collect::<Vec<_>>()
            };
            let pattern = Pattern::from_code(code);
            prop_assert_eq!(pattern.empty_beside() as usize, holding(EMPTY, 2).len());
            prop_assert_eq!(board.empty_around(point).collect::<Vec<_>>(), holding(EMPTY, 1));
            prop_assert_eq!(board.empty_beside(point).collect::<Vec<_>>(), holding(EMPTY, 2));
            let stones: Vec<_> = board.stones_beside(color, point).collect();
            prop_assert_eq!(stones, holding(if black { 1 } else { 2 }, 2));
        }

        #[test]
        fn empty_points_are_connected_beside_the_middle(code: u16) {
            let mut board = Board::new(Size::NINE);
            let point: Point = "E5".parse().unwrap();
            board.patterns[point.index()] = Pattern::from_code(code);
            let content = |place: u16| code >> (2 * (place % 8)) & 3;
            let beside: Vec<u16> = [0, 2, 4, 6].into_iter().filter(|&it| content(it) == EMPTY).collect();
            let across: BTreeSet<u16> = beside.iter().flat_map(|place| [(place + 1) % 8, (place + 7) % 8]).collect();
            let connected = beside.len() + across.iter().filter(|&&it| content(it) == EMPTY).count();
            let opponent = [0, 2, 4, 6].iter().chain(&across).any(|&it| content(it) == 2);
            let pattern = Pattern::from_code(code);
            prop_assert_eq!(pattern.empty_connected() as usize, connected);
            prop_assert_eq!(pattern.has_opponent_beside_connected(), opponent);
            let is_first = |place: u16| place == 0 || content(place - 1) != EMPTY || content(place - 2) != EMPTY;
            let groups: Vec<_> = beside.into_iter().filter(|&it| is_first(it)).collect();
            let at = |place: u16| Point::from_index(around(point.index())[usize::from(place)]);
            prop_assert!(board.empty_groups_beside(point).eq(groups.into_iter().map(at)));
        }

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
