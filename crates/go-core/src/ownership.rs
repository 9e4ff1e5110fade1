//! Ownership of points, from random playouts.

use alloc::{vec, vec::Vec};

use boardgame_core::{ByColor, Color};

use crate::{Board, Point, Random, point::CELLS, reply::playout_with_replies};

/// The number of times each point belongs to each side at the end of random playouts from a board. The playouts save
/// chains in atari and capture stones in atari.
///
/// A point belongs to the side with a stone there or, if it is empty, to the only side with adjacent stones.
///
/// # Examples
///
/// ```
/// use go_core::{Board, Ownership, Random};
///
/// let board: Board = ".X.\nXX.\n.X.".parse()?;
/// let ownership = Ownership::estimate(&board, 100, &mut Random::new(1));
/// assert_eq!(ownership.counts("A3".parse()?).black, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ownership {
    playouts: u32,
    /// For each cell, the number of playouts in which the point belongs to each side.
    counts: Vec<ByColor<u32>>,
}

impl Default for Ownership {
    /// Creates an ownership without playouts.
    fn default() -> Self {
        Self {
            playouts: 0,
            counts: vec![ByColor::default(); CELLS],
        }
    }
}

impl Ownership {
    /// Estimates the ownership by a number of playouts, which Black and White start alternately.
    ///
    /// The result depends only on the board, the number of playouts and the state of the generator, and on the moves
    /// that led to the board.
    pub fn estimate(board: &Board, playouts: u32, random: &mut Random) -> Self {
        let mut ownership = Self::default();
        let mut end = board.clone();
        for number in 0..playouts {
            end.clone_from(board);
            playout_with_replies(&mut end, Color::ALL[number as usize % 2], random);
            ownership.add(&end);
        }
        ownership
    }

    /// Returns the number of playouts.
    #[inline]
    pub const fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Returns the number of playouts in which a point belongs to each side.
    pub fn counts(&self, point: Point) -> ByColor<u32> {
        self.counts[point.index()]
    }

    /// Returns the share of playouts in which a point is Black's minus the share in which it is White's: -1 to 1, or 0
    /// without playouts.
    pub fn balance(&self, point: Point) -> f32 {
        let ByColor { black, white } = self.counts(point).map(|count| count as f32);
        (black - white) / self.playouts.max(1) as f32
    }

    /// Adds the final board of a playout.
    pub fn add(&mut self, end: &Board) {
        self.playouts += 1;
        for point in end.size().points() {
            if let Some(color) = end.owner(point) {
                self.counts[point.index()][color] += 1;
            }
        }
    }

    /// Adds the playouts of another ownership.
    pub fn merge(&mut self, other: &Self) {
        self.playouts += other.playouts;
        for (counts, more) in self.counts.iter_mut().zip(&other.counts) {
            for color in Color::ALL {
                counts[color] += more[color];
            }
        }
    }
}

impl Board {
    /// Returns the owner of a point at the end of a playout: the side with a stone on it or, if it is empty, the only
    /// side with adjacent stones.
    #[inline]
    pub fn owner(&self, point: Point) -> Option<Color> {
        self.stone(point).or_else(|| self.surrounding_color(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn settled_points_have_one_owner() {
        let board: Board = ".X.O.\nXX.OO\n.X.O.\nXX.OO\n.X.O.".parse().unwrap();
        let ownership = Ownership::estimate(&board, 50, &mut Random::new(3));
        for point in board.size().points().filter(|point| point.column() != 2) {
            let expected = if point.column() < 2 { [50, 0] } else { [0, 50] };
            assert_eq!(ownership.counts(point), expected.into(), "{point}");
        }
    }

    #[test]
    fn neither_side_is_favoured_on_an_empty_board() {
        let empty = Board::new(Size::NINE);
        let ownership = Ownership::estimate(&empty, 1000, &mut Random::new(1));
        for point in Size::NINE.points() {
            // Six standard deviations.
            assert!(ownership.balance(point).abs() < 0.19, "{point}");
        }
        assert_eq!(
            ownership,
            Ownership::estimate(&empty, 1000, &mut Random::new(1))
        );
    }

    #[test]
    fn points_between_both_colours_have_no_owner() {
        let end: Board = "X.O\nX.O\nX.O".parse().unwrap();
        let owners = ["A1", "B2", "C3"].map(|name| end.owner(name.parse().unwrap()));
        assert_eq!(owners, [Some(Color::Black), None, Some(Color::White)]);
        let one: Board = "X.\n..".parse().unwrap();
        let owners = ["A1", "B1", "B2"].map(|name| one.owner(name.parse().unwrap()));
        assert_eq!(owners, [Some(Color::Black), None, Some(Color::Black)]);
        let none = Ownership::estimate(&Board::new(Size::MIN), 0, &mut Random::new(1));
        assert!(none.balance("A1".parse().unwrap()).abs() < f32::EPSILON);
    }

    #[test]
    fn the_balance_is_the_difference_of_the_shares() {
        let mut ownership = Ownership::estimate(&Board::new(Size::MIN), 4, &mut Random::new(1));
        let point: Point = "A1".parse().unwrap();
        ownership.counts[point.index()] = [3, 1].into();
        assert!((ownership.balance(point) - 0.5).abs() < f32::EPSILON);
        ownership.counts[point.index()] = [0, 1].into();
        assert!((ownership.balance(point) + 0.25).abs() < f32::EPSILON);
    }
}
