//! Patterns of the eight points around a point.

use boardgame_core::Color;

use super::{Board, cell};
use crate::{
    Point,
    point::{AROUND, around},
};

/// The contents of an empty point in a pattern. A stone has the bits of its cell.
pub(super) const EMPTY: u16 = 3;

/// The lower bit of each of the four orthogonally adjacent points.
const NEIGHBOURS: u16 = 0x1111;

/// The lower bit of each of the four diagonally adjacent points.
const DIAGONALS: u16 = 0x4444;

/// The contents of the eight points around a point, from one side's point of view: own stones, opponent's stones, empty
/// points and points off the board.
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
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(u16);

impl Pattern {
    /// Eight empty points.
    pub const EMPTY: Self = Self(u16::MAX);

    /// Returns the code: two bits for each point, clockwise from the left one: 0 off the board, 1 own stone, 2
    /// opponent's stone, 3 empty.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// Creates a pattern from its code.
    #[inline]
    pub const fn from_code(code: u16) -> Self {
        Self(code)
    }

    /// Returns the pattern from the other side's point of view.
    #[inline]
    #[must_use]
    pub const fn swapped(self) -> Self {
        const LOW: u16 = 0x5555;
        Self((self.0 & LOW) << 1 | (self.0 >> 1) & LOW)
    }

    /// Returns the pattern rotated clockwise by 90°.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(self.0.rotate_left(4))
    }

    /// Returns the pattern with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        let (mut mirrored, mut place) = (0, 0);
        while place < 8 {
            // Clockwise from the left, index 2 is above and index 6 below.
            let other = (12 - place) % 8;
            mirrored |= (self.0 >> (2 * place) & 3) << (2 * other);
            place += 1;
        }
        Self(mirrored)
    }

    /// Returns the symmetric form (of eight) with the lowest code.
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

    /// Returns whether an orthogonally adjacent point is empty.
    #[inline]
    pub(super) const fn has_empty_neighbour(self) -> bool {
        self.0 & self.0 >> 1 & NEIGHBOURS != 0
    }

    /// Returns the lower bits of the empty points.
    #[inline]
    const fn empty_places(self) -> u16 {
        self.0 & self.0 >> 1 & 0x5555
    }

    /// Returns the number of empty orthogonally adjacent points.
    #[inline]
    pub const fn empty_neighbour_count(self) -> u32 {
        count_neighbours(self.empty_places() & NEIGHBOURS)
    }

    /// Returns whether all orthogonally adjacent points on the board have own stones.
    #[inline]
    pub(super) const fn is_surrounded(self) -> bool {
        self.0 & NEIGHBOURS << 1 == 0
    }

    /// Returns whether the opponent has at most one stone on the diagonals, or none if the point is on the edge.
    #[inline]
    pub(super) const fn has_eye_corners(self) -> bool {
        let opponents = self.0 >> 1 & !self.0 & DIAGONALS;
        let off_board = !(self.0 >> 1 | self.0) & DIAGONALS;
        count_neighbours(opponents >> 2) + (off_board != 0) as u32 <= 1
    }

    /// Returns the lower bits of the diagonal points that are adjacent to an empty orthogonal point.
    #[inline]
    const fn reached_diagonals(self) -> u16 {
        let neighbours = self.empty_places() & NEIGHBOURS;
        (neighbours << 2 | neighbours.rotate_right(2)) & DIAGONALS
    }

    /// Returns how many of the eight points are empty and connected to the centre through empty points of the eight.
    #[inline]
    pub const fn empty_connected(self) -> u32 {
        let empty = self.empty_places();
        count_neighbours((empty & NEIGHBOURS) + ((empty & self.reached_diagonals()) >> 2))
    }

    /// Returns whether an opponent's stone among the eight points is adjacent to the centre or to a point that
    /// [`Pattern::empty_connected`] counts.
    #[inline]
    pub const fn has_opponent_next_to_connected(self) -> bool {
        self.0 >> 1 & !self.0 & (NEIGHBOURS | self.reached_diagonals()) != 0
    }

    /// Returns the lower bits of the points with own stones.
    #[inline]
    const fn own_places(self) -> u16 {
        self.0 & !(self.0 >> 1) & 0x5555
    }

    /// Returns whether an orthogonally adjacent point has an own stone.
    #[inline]
    pub(super) const fn has_own_neighbour(self) -> bool {
        self.own_places() & NEIGHBOURS != 0
    }

    /// Returns whether an orthogonally adjacent point has an opponent's stone.
    #[inline]
    pub const fn has_opponent_neighbour(self) -> bool {
        self.0 >> 1 & !self.0 & NEIGHBOURS != 0
    }
}

/// Returns the sum, at most 15, of the counts at the orthogonal points.
///
/// Unlike a population count, takes one multiplication on every processor.
#[inline]
const fn count_neighbours(counts: u16) -> u32 {
    (counts.wrapping_mul(NEIGHBOURS) >> 12) as u32
}

impl Board {
    /// Returns the pattern around a point from a side's point of view.
    #[inline]
    pub const fn pattern(&self, point: Point, color: Color) -> Pattern {
        let pattern = self.patterns[point.index()];
        match color {
            Color::Black => pattern,
            Color::White => pattern.swapped(),
        }
    }

    /// Iterates over the empty points among the eight around a point, clockwise from the left one.
    #[inline]
    pub fn empty_around(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let pattern = self.patterns[point.index()];
        points_at(point, pattern.empty_places())
    }

    /// Iterates over the empty points orthogonally adjacent to a point, clockwise from the left one.
    #[inline]
    pub fn empty_neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let pattern = self.patterns[point.index()];
        points_at(point, pattern.empty_places() & NEIGHBOURS)
    }

    /// Iterates over the points of [`Board::empty_neighbours`], skipping each point that an empty diagonal point
    /// connects to the one before.
    #[inline]
    pub fn empty_neighbour_groups(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let empty = self.patterns[point.index()].empty_places();
        let neighbours = empty & NEIGHBOURS;
        let connected = neighbours << 4 & (empty & DIAGONALS) << 2;
        points_at(point, neighbours & !connected)
    }

    /// Iterates over a side's stones orthogonally adjacent to a point, clockwise from the left one.
    #[inline]
    pub fn neighbour_stones(
        &self,
        color: Color,
        point: Point,
    ) -> impl Iterator<Item = Point> + use<> {
        let pattern = self.pattern(point, color);
        points_at(point, pattern.own_places() & NEIGHBOURS)
    }

    /// Changes the contents of a cell in the surrounding patterns, by the bits in which they differ.
    #[inline]
    pub(super) fn change_patterns(&mut self, index: usize, bits: u16) {
        const { assert!(cell::BLACK as u16 ^ EMPTY == 2 && cell::WHITE as u16 ^ EMPTY == 1) };
        for (place, cell) in around(index).into_iter().enumerate() {
            // In that pattern, the cell has the opposite index.
            self.patterns[cell].0 ^= bits << (2 * ((place + 4) % 8));
        }
    }
}

/// Iterates over the points around a point at indices given by their lower bits.
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

    /// Returns the pattern of three rows of three points in the middle of a board.
    fn seen(rows: [&str; 3], color: Color) -> Pattern {
        let rows = rows.map(|row| std::format!(".{row}.\n")).concat();
        let board: Board = std::format!(".....\n{rows}.....").parse().unwrap();
        board.pattern("C3".parse().unwrap(), color)
    }

    #[test]
    fn codes_are_read_clockwise_from_the_left() {
        let pattern = seen(["OX.", "X..", "..O"], Color::Black);
        // Left own, upper left opponent's, above own, lower right opponent's.
        let expected = 0b11_11_10_11_11_01_10_01;
        assert_eq!(pattern.code(), expected);
        assert_eq!(Pattern::from_code(expected), pattern);
        let corner = Board::new(Size::NINE).pattern("A1".parse().unwrap(), Color::White);
        assert_eq!(corner.code(), 0b00_00_00_11_11_11_00_00);
    }

    #[test]
    fn rotations_and_reflections_match_the_board() {
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
    fn patterns_form_the_expected_number_of_symmetry_classes() {
        // Three contents for each of eight points, by Burnside's lemma over the eight symmetries.
        let inner: BTreeSet<Pattern> = (0..=u16::MAX)
            .map(Pattern::from_code)
            .filter(|pattern| (0..8).all(|place| pattern.code() >> (2 * place) & 3 != 0))
            .map(Pattern::canonical)
            .collect();
        assert_eq!(inner.len(), 954);
    }

    /// Returns the pattern around a point, computed from the stones of a board.
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
            prop_assert_eq!(pattern.empty_neighbour_count() as usize, holding(EMPTY, 2).len());
            prop_assert_eq!(board.empty_around(point).collect::<Vec<_>>(), holding(EMPTY, 1));
            prop_assert_eq!(board.empty_neighbours(point).collect::<Vec<_>>(), holding(EMPTY, 2));
            let stones: Vec<_> = board.neighbour_stones(color, point).collect();
            prop_assert_eq!(stones, holding(if black { 1 } else { 2 }, 2));
        }

        #[test]
        fn empty_points_are_connected_beside_the_middle(code: u16) {
            let mut board = Board::new(Size::NINE);
            let point: Point = "E5".parse().unwrap();
            board.patterns[point.index()] = Pattern::from_code(code);
            let content = |place: u16| code >> (2 * (place % 8)) & 3;
            let neighbours: Vec<u16> = [0, 2, 4, 6].into_iter().filter(|&it| content(it) == EMPTY).collect();
            let across: BTreeSet<u16> = neighbours.iter().flat_map(|place| [(place + 1) % 8, (place + 7) % 8]).collect();
            let connected = neighbours.len() + across.iter().filter(|&&it| content(it) == EMPTY).count();
            let opponent = [0, 2, 4, 6].iter().chain(&across).any(|&it| content(it) == 2);
            let pattern = Pattern::from_code(code);
            prop_assert_eq!(pattern.empty_connected() as usize, connected);
            prop_assert_eq!(pattern.has_opponent_next_to_connected(), opponent);
            let is_first = |place: u16| place == 0 || content(place - 1) != EMPTY || content(place - 2) != EMPTY;
            let groups: Vec<_> = neighbours.into_iter().filter(|&it| is_first(it)).collect();
            let at = |place: u16| Point::from_index(around(point.index())[usize::from(place)]);
            prop_assert!(board.empty_neighbour_groups(point).eq(groups.into_iter().map(at)));
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
