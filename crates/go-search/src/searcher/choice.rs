//! The move that is made after a search.

use go_core::{Move, Point, Position, Scoring};

use super::Node;
use crate::owners::Owners;

/// The share of the most visits that a move must have to be made in place of the most visited one.
const MIN_VISIT_SHARE: f32 = 0.02;

/// The difference between the margins of two moves that is within their noise, in points.
const MARGIN_TOLERANCE: f32 = 0.5;

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
    let min_visits = (most.visits as f32 * MIN_VISIT_SHARE).max(1.0);
    let is_as_good = |node: &Node, max_loss| {
        node.visits as f32 >= min_visits && node.margin() >= most.margin() - max_loss
    };
    let is_open = |point: Point| !owners.is_settled(point);
    let mut others = children.iter().copied();
    let has_passed = position.last_move() == Some(Move::Pass);
    let on_settled_point = most.mv.is_some_and(|point| !is_open(point));
    let other = if has_passed && on_settled_point || owners.are_settled(position.board().size()) {
        others.find(|node| node.mv.is_none() && is_as_good(node, MARGIN_TOLERANCE))
    } else if most.mv.is_none() {
        let max_loss = MARGIN_TOLERANCE + price_of_a_stone(position.rules().scoring);
        others.find(|node| node.mv.is_some_and(is_open) && is_as_good(node, max_loss))
    } else {
        None
    };
    other.or(Some(most))
}

/// Returns the points by which a stone that gains nothing may look better than a pass: under area scoring one, by who
/// makes the last move of a playout.
const fn price_of_a_stone(scoring: Scoring) -> f32 {
    match scoring {
        Scoring::Area => 1.0,
        Scoring::Territory => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owners::MIN_SIMULATIONS;
    use go_core::{Board, Setup};

    /// Returns the owners of points where B1 is Black's and A2 open.
    fn owners() -> Owners {
        let mut owners = Owners::default();
        let ends = ["...\nXXX\n.X.", "...\nOOO\n.X."];
        let ends = ends.map(|diagram| diagram.parse::<Board>().unwrap());
        for end in ends.iter().cycle().take(MIN_SIMULATIONS as usize) {
            owners.add(end);
        }
        owners
    }

    /// Returns what is chosen between a stone and a pass with fewer visits and another margin, in a game whose last
    /// move is a pass, or not.
    fn chosen(stone: &str, pass_margin: f32, has_passed: bool) -> Move {
        let mut position = Position::new(&Setup::new(go_core::Size::new(3).unwrap()));
        if has_passed {
            position.play(Move::Pass).unwrap();
        }
        let node = |mv, visits: u32, margin: f32| {
            let mut node = Node::new(mv, 0.5);
            node.visits = visits;
            node.margins = visits as f32 * margin;
            node
        };
        let stone = node(Some(stone.parse().unwrap()), 100, 4.0);
        let pass = node(None, 10, pass_margin);
        let chosen = choose(&position, &[&stone, &pass], &owners()).unwrap();
        chosen.mv.map_or(Move::Pass, Move::from)
    }

    #[test]
    fn a_pass_takes_the_place_of_a_stone_on_a_settled_point_that_gains_nothing() {
        let stone = |name: &str| name.parse::<Move>().unwrap();
        assert_eq!(chosen("B1", 3.6, true), Move::Pass);
        assert_eq!(chosen("B1", 3.4, true), stone("B1"));
        assert_eq!(chosen("B1", 3.6, false), stone("B1"));
        assert_eq!(chosen("A2", 3.6, true), stone("A2"));
    }
}
