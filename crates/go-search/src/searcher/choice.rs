//! The move that is made after a search.

use boardgame_core::Color;
use go_core::{Board, Point, Position};

use super::Node;

/// The share of simulations in which a settled point belongs to the same side.
const SETTLED: f32 = 0.9;

/// The loss of points by a stone, in terms of a pass, up to which the stone is rather made while the board is not
/// settled.
const MAX_LOSS: f32 = 1.5;

/// The share of the most visits that a move must have to be made in place of the most visited one.
const MIN_VISITS: f32 = 0.02;

/// The owners of points at the end of the simulations.
#[derive(Debug, Default)]
pub(super) struct Owners {
    simulations: u32,
    /// By point, the simulations in which it is Black's less those in which it is White's.
    lead: Vec<i32>,
}

impl Owners {
    /// Adds the end of a simulation.
    pub(super) fn add(&mut self, end: &Board) {
        self.lead.resize(Point::INDEX_END, 0);
        self.simulations += 1;
        for point in end.size().points() {
            self.lead[point.index()] += match end.owner(point) {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => 0,
            };
        }
    }

    /// Returns whether a point belongs to the same side in nearly all simulations.
    fn is_settled(&self, point: Point) -> bool {
        let lead = self.lead.get(point.index()).copied().unwrap_or(0);
        lead.unsigned_abs() as f32 >= SETTLED * self.simulations.max(1) as f32
    }
}

/// Returns the move to make, of the children of the root by visits: the most visited one, but no pass while points
/// are open that can be filled without a loss, and no stone once none are.
pub(super) fn choose<'a>(
    position: &Position,
    children: &[&'a Node],
    owners: &Owners,
) -> Option<&'a Node> {
    let most = *children.first()?;
    let pass = children.iter().copied().find(|node| node.mv.is_none());
    let is_open = |point: Point| !owners.is_settled(point);
    let board = position.board();
    if !board.size().points().any(is_open) {
        return pass.or(Some(most));
    }
    if most.mv.is_some() {
        return Some(most);
    }
    let min_visits = (most.visits as f32 * MIN_VISITS).max(1.0);
    let loses_little = |node: &&&Node| node.margin() >= most.margin() - MAX_LOSS;
    let stone = (children.iter())
        .filter(|node| node.mv.is_some_and(is_open) && node.visits as f32 >= min_visits)
        .find(loses_little);
    Some(stone.copied().unwrap_or(most))
}
