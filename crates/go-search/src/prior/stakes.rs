//! Stakes: the number of uncertain stones around a point.

use go_core::{Board, Point};

use crate::owners::Owners;

/// The distance in lines and columns within which stones count.
const REACH: i8 = 2;

/// The lower bounds of levels 1 to 5.
const LEVELS: [f32; Stakes::COUNT - 1] = [0.5, 1.5, 3.0, 5.0, 8.0];

/// The number of uncertain stones within two lines and columns of each empty point, as a level. A stone that belongs to
/// its side in half of the simulations counts 1, one that always or never does counts 0.
#[derive(Clone, Debug)]
pub(crate) struct Stakes([u8; Point::INDEX_END]);

impl Stakes {
    /// The number of levels.
    pub(crate) const COUNT: usize = 6;

    /// Returns the levels of a board's empty points, or `None` if there are too few simulations.
    pub(crate) fn new(board: &Board, owners: &Owners) -> Option<Self> {
        let mut uncertain = [0.0_f32; Point::INDEX_END];
        for (stone, color) in board.stones() {
            let share = owners.share(stone, color)?;
            uncertain[stone.index()] = 4.0 * share * (1.0 - share);
        }
        let mut levels = [0; Point::INDEX_END];
        for point in board.empty_points() {
            let stones: f32 = around(point).map(|near| uncertain[near.index()]).sum();
            let reached = LEVELS.iter().filter(|&&level| stones >= level);
            levels[point.index()] = reached.count() as u8;
        }
        Some(Self(levels))
    }

    /// Returns the level of an empty point, below [`COUNT`](Self::COUNT).
    pub(crate) const fn level(&self, point: Point) -> u8 {
        self.0[point.index()]
    }
}

/// Iterates over the points within reach, including points beyond the last line, which have no stones.
fn around(point: Point) -> impl Iterator<Item = Point> {
    (-REACH..=REACH).flat_map(move |up| {
        (-REACH..=REACH).filter_map(move |right| {
            let column = point.column().checked_add_signed(right)?;
            Point::new(column, point.row().checked_add_signed(up)?)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owners::MIN_SIMULATIONS;

    #[test]
    fn uncertain_stones_nearby_are_counted() {
        let board: Board = "X.....\n......\n......\n......\n.....X\n....XX"
            .parse()
            .unwrap();
        let without: Board = "X.....\n......\n......\n......\n......\n......"
            .parse()
            .unwrap();
        let mut owners = Owners::default();
        assert!(Stakes::new(&board, &owners).is_none());
        for number in 0..MIN_SIMULATIONS {
            // Neutral points count half for each side.
            owners.add(if number % 2 == 0 { &board } else { &without });
        }
        let stakes = Stakes::new(&board, &owners).unwrap();
        let level = |name: &str| stakes.level(name.parse().unwrap());
        assert_eq!([level("A1"), level("E2"), level("B5")], [0, 2, 0]);
    }
}
