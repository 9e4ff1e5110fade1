//! The distances of points from the nearest stone.

use go_core::{Board, Point};

/// The maximum distance; larger ones are not distinguished.
pub(crate) const MAX: u8 = 5;

/// The distance of each point from the nearest stone of either side: the larger of columns and rows, at most [`MAX`].
#[derive(Clone, Debug)]
pub(crate) struct StoneDistances([u8; Point::INDEX_END]);

impl StoneDistances {
    /// Computes the distances on a board.
    ///
    /// Two passes over the points, each using the neighbours that it has passed (A. Rosenfeld and J. Pfaltz, Sequential
    /// operations in digital picture processing, 1966).
    pub(crate) fn new(board: &Board) -> Self {
        let mut distances = Self([MAX; Point::INDEX_END]);
        for (stone, _) in board.stones() {
            distances.0[stone.index()] = 0;
        }
        let lines = board.size().lines();
        for row in 0..lines {
            for column in 0..lines {
                distances.lower(column, row, [(-1, 0), (-1, -1), (0, -1), (1, -1)]);
            }
        }
        for row in (0..lines).rev() {
            for column in (0..lines).rev() {
                distances.lower(column, row, [(1, 0), (1, 1), (0, 1), (-1, 1)]);
            }
        }
        distances
    }

    /// Returns the distance of a point.
    pub(crate) const fn from(&self, point: Point) -> u8 {
        self.0[point.index()]
    }

    /// Lowers the distance of a point to one more than the minimum of some neighbours.
    fn lower(&mut self, column: u8, row: u8, neighbours: [(i8, i8); 4]) {
        let distance = |(right, up)| {
            let column = column.checked_add_signed(right)?;
            let neighbour = Point::new(column, row.checked_add_signed(up)?)?;
            Some(self.0[neighbour.index()] + 1)
        };
        // Points beyond the last line always have the maximum distance.
        let least = neighbours.into_iter().filter_map(distance).min();
        if let (Some(point), Some(least)) = (Point::new(column, row), least) {
            let distance = &mut self.0[point.index()];
            *distance = least.min(*distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::Size;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn distances_are_to_the_nearest_stone(points in proptest::collection::vec((0..9_u8, 0..9_u8), 0..5)) {
            let mut board = Board::new(Size::NINE);
            let stones: Vec<Point> = points.iter().filter_map(|&(column, row)| Point::new(column, row)).collect();
            for &stone in &stones {
                if board.is_empty(stone) {
                    board.play(go_core::Color::Black, stone);
                }
            }
            let distances = StoneDistances::new(&board);
            for point in board.size().points() {
                let from = |&stone: &Point| {
                    stone.column().abs_diff(point.column()).max(stone.row().abs_diff(point.row()))
                };
                let expected = stones.iter().map(from).min().unwrap_or(MAX).min(MAX);
                prop_assert_eq!(distances.from(point), expected);
            }
        }
    }
}
