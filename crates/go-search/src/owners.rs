//! The owners of points at the end of simulations.

use boardgame_core::Color;
use go_core::{Board, Ownership, Point, Size};

/// The minimum absolute balance of a settled point: 19 of 20 simulations minus 1 of 20.
const SETTLED: f32 = 0.9;

/// The minimum number of simulations for the owners to count as known.
pub(crate) const MIN_SIMULATIONS: u32 = 64;

/// The owners of points at the end of simulations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owners(Ownership);

impl Owners {
    /// Adds the final board of a simulation.
    pub(crate) fn add(&mut self, end: &Board) {
        self.0.add(end);
    }

    /// Returns the owners of all points.
    pub(crate) const fn ownership(&self) -> &Ownership {
        &self.0
    }

    /// Returns whether there are enough simulations for the owners to be known.
    pub(crate) const fn are_known(&self) -> bool {
        self.0.playouts() >= MIN_SIMULATIONS
    }

    /// Returns whether a point belongs to the same side in nearly all simulations.
    pub(crate) fn is_settled(&self, point: Point) -> bool {
        self.0.balance(point).abs() >= SETTLED
    }

    /// Returns whether every point belongs to the same side in nearly all simulations.
    pub(crate) fn are_settled(&self, size: Size) -> bool {
        size.points().all(|point| self.is_settled(point))
    }

    /// Returns the share of simulations in which a point belongs to a side, 0 to 1, where neutral points count half, or
    /// `None` if there are too few simulations.
    pub(crate) fn share(&self, point: Point, color: Color) -> Option<f32> {
        let balance = match color {
            Color::Black => self.0.balance(point),
            Color::White => -self.0.balance(point),
        };
        self.are_known().then_some(f32::midpoint(1.0, balance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_follow_the_final_boards() {
        let black: Board = ".X.\nXX.\n.X.".parse().unwrap();
        let white: Board = ".X.\nXXO\n.X.".parse().unwrap();
        let mut owners = Owners::default();
        let point = "C3".parse().unwrap();
        assert!(!owners.is_settled(point));
        for number in 0..MIN_SIMULATIONS {
            assert_eq!(owners.share(point, Color::Black), None);
            owners.add(if number % 4 == 0 { &white } else { &black });
        }
        // A point adjacent to stones of both sides is neutral.
        assert_eq!(owners.share(point, Color::Black), Some(0.875));
        assert_eq!(owners.share(point, Color::White), Some(0.125));
        assert!(!owners.is_settled(point) && owners.is_settled("A1".parse().unwrap()));
    }
}
