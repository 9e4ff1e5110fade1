//! The move that is made after a search.

use go_core::{Move, Point, Position, Scoring};

use super::Node;
use crate::owners::Owners;

/// The share of the most visits that a move must have to be made in place of the most visited one.
const MIN_VISITS: f32 = 0.02;

/// The loss of points, in terms of another move, that is within the noise of the margins.
const NOISE: f32 = 0.5;

/// Returns the move to make, of the children of the root by visits.
///
/// That is the most visited one. A stone on an open point that loses nothing takes the place of a pass. A pass that
/// loses nothing takes the place of a stone if no point is open, or if the other side has just passed and the stone is
/// on a settled point.
pub(super) fn choose<'a>(
    position: &Position,
    children: &[&'a Node],
    owners: &Owners,
) -> Option<&'a Node> {
    let most = *children.first()?;
    if !owners.are_known() {
        return Some(most);
    }
    let min_visits = (most.visits as f32 * MIN_VISITS).max(1.0);
    let is_as_good = |node: &Node, max_loss| {
        node.visits as f32 >= min_visits && node.margin() >= most.margin() - max_loss
    };
    let is_open = |point: Point| !owners.is_settled(point);
    let mut others = children.iter().copied();
    let has_passed = position.last_move() == Some(Move::Pass);
    let on_settled_point = most.mv.is_some_and(|point| !is_open(point));
    let other = if has_passed && on_settled_point || owners.are_settled(position.board().size()) {
        others.find(|node| node.mv.is_none() && is_as_good(node, NOISE))
    } else if most.mv.is_none() {
        let max_loss = NOISE + price_of_a_stone(position.rules().scoring);
        others.find(|node| node.mv.is_some_and(is_open) && is_as_good(node, max_loss))
    } else {
        None
    };
    other.or(Some(most))
}

/// Returns the points by which an estimate makes a stone that gains nothing better than a pass: a point of area may
/// come of it by the last move of a playout.
const fn price_of_a_stone(scoring: Scoring) -> f32 {
    match scoring {
        Scoring::Area => 1.0,
        Scoring::Territory => 0.0,
    }
}
