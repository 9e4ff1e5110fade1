//! Connected sets of points.

use alloc::vec::Vec;

use crate::{Board, Point, PointSet};

/// A maximal connected set of points that are not walls, with the adjacent walls.
pub(crate) struct Region {
    pub(crate) points: PointSet,
    pub(crate) walls: PointSet,
}

impl Region {
    /// Returns the regions of a board that are separated by a set of walls.
    pub(crate) fn all(board: &Board, walls: &PointSet) -> Vec<Self> {
        let mut seen = *walls;
        let mut regions = Vec::new();
        for point in board.size().points() {
            if !seen.contains(point) {
                let region = Self::around(board, walls, point);
                seen = seen | region.points;
                regions.push(region);
            }
        }
        regions
    }

    /// Returns the region of a point.
    fn around(board: &Board, walls: &PointSet, point: Point) -> Self {
        let mut region = Self {
            points: PointSet::from_iter([point]),
            walls: PointSet::new(),
        };
        let mut open = alloc::vec![point];
        while let Some(point) = open.pop() {
            for neighbour in board.neighbours(point) {
                if walls.contains(neighbour) {
                    region.walls.insert(neighbour);
                } else if region.points.insert(neighbour) {
                    open.push(neighbour);
                }
            }
        }
        region
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn regions_are_separated_by_walls() {
        let board: Board = "..X\nXX.\n...".parse().unwrap();
        let walls = board.stones().map(|(point, _)| point).collect();
        let regions: Vec<_> = Region::all(&board, &walls)
            .iter()
            .map(|region| (region.points.to_string(), region.walls.to_string()))
            .collect();
        let pair = |points: &str, walls: &str| (points.to_string(), walls.to_string());
        let expected = [pair("A1 B1 C1 C2", "A2 B2 C3"), pair("A3 B3", "A2 B2 C3")];
        assert_eq!(regions, expected);
        assert_eq!(Region::all(&board, &PointSet::all(board.size())).len(), 0);
    }
}
