//! The board: stones, chains, liberties and captures, updated incrementally.

mod chains;
mod pattern;
mod play;
mod text;

pub use pattern::Pattern;
pub use play::SuicideRule;
pub use text::{BoardDiagram, BoardPart, ParseBoardError, StonesError, StonesErrorKind};

use core::fmt;

use boardgame_core::{ByColor, Color};

use crate::{
    Point, Size,
    point::{CELLS, STRIDE, neighbours},
};
use chains::LibertySum;

/// The contents of a cell, one bit each, so that the union of several cells shows which contents occur among them. A
/// border cell has no bits.
mod cell {
    pub(super) const BORDER: u8 = 0;
    pub(super) const BLACK: u8 = 1;
    pub(super) const WHITE: u8 = 2;
    pub(super) const EMPTY: u8 = 4;

    /// Returns the bits of a cell with a stone.
    #[inline]
    pub(super) const fn stone(color: super::Color) -> u8 {
        match color {
            super::Color::Black => BLACK,
            super::Color::White => WHITE,
        }
    }
}

/// A board with its stones, for rules, playouts and searches. Playing is cheap and allocates nothing.
///
/// The board maintains the chains and their liberties, the number of stones captured by each side, the point of a
/// simple ko and a Zobrist hash of its stones. The side to move and the history are in [`Position`](crate::Position).
///
/// Liberties are stored as sums over all pairs of a stone and an adjacent empty point, so that a chain with a single
/// liberty is recognized in constant time: see [`Board::atari`].
///
/// Equality compares sizes, stones, captures and kos.
///
/// # Examples
///
/// ```
/// use go_core::{Board, Color, Point, Size};
///
/// let mut board = Board::new(Size::NINE);
/// for (color, point) in [(Color::Black, "A2"), (Color::White, "A1"), (Color::Black, "B1")] {
///     let point: Point = point.parse()?;
///     assert!(board.is_legal(color, point));
///     board.play(color, point);
/// }
/// assert_eq!((board.stone_count(), board.captures().black), (2, 1));
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
pub struct Board {
    size: Size,
    /// The contents of each cell.
    cells: [u8; CELLS],
    /// The chain of each stone, identified by the cell of one of its stones; 0 for cells without a stone.
    chain: [u16; CELLS],
    /// The next stone of the same chain, as a circular list.
    next: [u16; CELLS],
    /// The liberties of each chain. Entry 0 absorbs writes for empty cells and the border.
    liberties: [LibertySum; CELLS],
    /// The number of stones of each chain.
    lengths: [u16; CELLS],
    /// The pattern around each cell from Black's point of view.
    patterns: [Pattern; CELLS],
    /// The empty points in no particular order, followed by unused cells.
    empties: [u16; 625],
    /// The index of each empty point in `empties`.
    empty_place: [u16; CELLS],
    empty_count: u16,
    /// The side that may not retake a ko with its next stone, and the ko's point.
    ko: Option<(Color, Point)>,
    captures: ByColor<u32>,
    hash: u64,
}

impl Board {
    /// Creates an empty board.
    pub fn new(size: Size) -> Self {
        let mut board = Self {
            size,
            cells: [cell::BORDER; CELLS],
            chain: [0; CELLS],
            next: [0; CELLS],
            liberties: [LibertySum::NONE; CELLS],
            lengths: [0; CELLS],
            patterns: [Pattern::OFF_BOARD; CELLS],
            empties: [0; 625],
            empty_place: [0; CELLS],
            empty_count: 0,
            ko: None,
            captures: ByColor { black: 0, white: 0 },
            hash: 0,
        };
        for point in size.points() {
            board.cells[point.index()] = cell::EMPTY;
            board.change_patterns(point.index(), pattern::EMPTY);
            board.add_empty(point.index());
        }
        board
    }

    /// Returns the size.
    #[inline]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the colour of the stone on a point, if there is one.
    #[inline]
    pub const fn stone(&self, point: Point) -> Option<Color> {
        match self.cells[point.index()] {
            cell::BLACK => Some(Color::Black),
            cell::WHITE => Some(Color::White),
            _ => None,
        }
    }

    /// Returns whether a point is on the board and has no stone.
    #[inline]
    pub const fn is_empty(&self, point: Point) -> bool {
        self.cells[point.index()] == cell::EMPTY
    }

    /// Iterates over the stones with their colours, in the order of points.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> {
        self.size
            .points()
            .filter_map(|point| Some((point, self.stone(point)?)))
    }

    /// Returns the number of stones of both colours.
    pub const fn stone_count(&self) -> usize {
        self.size.point_count() - self.empty_count as usize
    }

    /// Iterates over the empty points, in an order that depends on the moves that led to the board.
    #[inline]
    pub fn empty_points(&self) -> impl ExactSizeIterator<Item = Point> {
        self.empties()
            .iter()
            .map(|&index| Point::from_index(index as usize))
    }

    /// Returns the number of stones that each side has captured, including the opponent's suicides.
    pub const fn captures(&self) -> ByColor<u32> {
        self.captures
    }

    /// Returns the side that may not retake a ko with its next stone, and the ko's point.
    #[inline]
    pub const fn ko(&self) -> Option<(Color, Point)> {
        self.ko
    }

    /// Clears the ko, as a pass does.
    #[inline]
    pub const fn clear_ko(&mut self) {
        self.ko = None;
    }

    /// Returns the Zobrist hash of the stones, excluding ko and captures. The hash of the empty board is 0.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Iterates over the adjacent points on the board: 2 to 4 on boards larger than 1x1.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> {
        let on_board = |&index: &usize| self.cells[index] != cell::BORDER;
        neighbours(point.index())
            .into_iter()
            .filter(on_board)
            .map(Point::from_index)
    }

    #[inline]
    fn empties(&self) -> &[u16] {
        &self.empties[..self.empty_count as usize]
    }

    #[inline]
    fn add_empty(&mut self, index: usize) {
        let place = self.empty_count;
        self.empties[place as usize] = index as u16;
        self.empty_place[index] = place;
        self.empty_count += 1;
    }

    /// Removes an empty point from the list; the last one takes its index.
    #[inline]
    fn remove_empty(&mut self, index: usize) {
        self.empty_count -= 1;
        let last = self.empties[self.empty_count as usize];
        let place = self.empty_place[index];
        self.empties[place as usize] = last;
        self.empty_place[last as usize] = place;
    }

    /// Exchanges the empty points at two indices of the list.
    #[inline]
    pub(crate) fn swap_empties(&mut self, one: usize, other: usize) {
        self.empties.swap(one, other);
        self.empty_place[self.empties[one] as usize] = one as u16;
        self.empty_place[self.empties[other] as usize] = other as u16;
    }

    /// Returns the empty point at an index of the list.
    #[inline]
    pub(crate) fn empty_at(&self, place: usize) -> Point {
        Point::from_index(self.empties[place] as usize)
    }
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self { ..*self }
    }

    /// If both boards have the same size, copies only its rows, which makes small boards cheap to copy.
    fn clone_from(&mut self, source: &Self) {
        if self.size != source.size {
            *self = source.clone();
            return;
        }
        let cells = ..(usize::from(self.size.lines()) + 2) * STRIDE;
        self.cells[cells].copy_from_slice(&source.cells[cells]);
        self.chain[cells].copy_from_slice(&source.chain[cells]);
        self.next[cells].copy_from_slice(&source.next[cells]);
        self.liberties[cells].copy_from_slice(&source.liberties[cells]);
        self.lengths[cells].copy_from_slice(&source.lengths[cells]);
        self.patterns[cells].copy_from_slice(&source.patterns[cells]);
        self.empty_place[cells].copy_from_slice(&source.empty_place[cells]);
        let count = ..usize::from(source.empty_count);
        self.empties[count].copy_from_slice(&source.empties[count]);
        self.empty_count = source.empty_count;
        self.ko = source.ko;
        self.captures = source.captures;
        self.hash = source.hash;
    }
}

impl fmt::Debug for Board {
    /// Formats the diagram, the captures and the ko.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("diagram", &format_args!("\n{self}\n"))
            .field("captures", &self.captures)
            .field("ko", &self.ko)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
            && self.cells == other.cells
            && self.ko == other.ko
            && self.captures == other.captures
    }
}

impl Eq for Board {}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Point {
        name.parse().unwrap()
    }

    #[test]
    fn equality_ignores_the_order_of_moves() {
        let play = |names: [&str; 3]| {
            let mut board = Board::new(Size::NINE);
            for name in names {
                board.play(Color::Black, point(name));
            }
            board
        };
        let board = play(["A1", "B1", "C3"]);
        assert_eq!(board, play(["C3", "B1", "A1"]));
        assert_ne!(board, play(["C3", "B1", "A2"]));
        assert_ne!(Board::new(Size::NINE), Board::new(Size::NINETEEN));
        let stones = board.stones().map(|(point, color)| (point, !color));
        assert_ne!(board, Board::from_stones(Size::NINE, stones).unwrap());
    }

    #[test]
    fn boards_with_different_kos_or_captures_differ() {
        let mut board: Board = ". . . .\n. X O .\nX . X O\n. X O .".parse().unwrap();
        board.play(Color::White, point("B2"));
        let mut lifted = board.clone();
        assert_eq!(board, lifted);
        lifted.clear_ko();
        assert_ne!(board, lifted);
        let rebuilt = Board::from_stones(board.size(), board.stones()).unwrap();
        assert_eq!(rebuilt.hash(), lifted.hash());
        assert_ne!(rebuilt, lifted);
    }

    #[test]
    fn debug_output_is_short() {
        let board = Board::new(Size::MIN);
        let expected = "Board { diagram: \n  A\n1 . 1\n  A\n, \
            captures: ByColor { black: 0, white: 0 }, ko: None, .. }";
        assert_eq!(std::format!("{board:?}"), expected);
    }
}
