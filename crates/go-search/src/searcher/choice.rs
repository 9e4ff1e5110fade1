//! The move that is made after a search.

use go_core::{Point, Position};

use super::Node;
use crate::owners::Owners;

/// The loss of points by a stone, in terms of a pass, up to which the stone is rather made while the board is not
/// settled.
const MAX_LOSS: f32 = 1.5;

/// The share of the most visits that a move must have to be made in place of the most visited one.
const MIN_VISITS: f32 = 0.02;

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
