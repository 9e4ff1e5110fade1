//! The choice of the move after a search.

use go_core::{Move, Point, Position, Scoring};

use super::Node;
use crate::owners::Owners;

/// The minimum share of the maximum visits for a move to replace the most visited one.
const MIN_VISIT_SHARE: f32 = 0.02;

/// The difference between the margins of two moves that is within noise, in points.
const MARGIN_TOLERANCE: f32 = 0.5;

/// Returns the chosen move from the root's children, sorted by visits.
///
/// Usually the most visited move. A stone on an open point that loses nothing replaces a pass. A pass that loses
/// nothing replaces a stone if no point is open, or if the other side has just passed and the stone is on a settled
/// point.
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
        let max_loss = MARGIN_TOLERANCE + open_point_allowance(position.rules().scoring);
        others.find(|node| node.mv.is_some_and(is_open) && is_as_good(node, max_loss))
    } else {
        None
    };
    other.or(Some(most))
}

/// Returns the number of points by which a stone on an open point may look worse than a pass and still be played: one
/// under area scoring, where filling a point costs nothing but playouts may give the last move to the other side.
const fn open_point_allowance(scoring: Scoring) -> f32 {
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

    /// Returns owners with B1 Black's and A2 open.
    fn owners() -> Owners {
        let mut owners = Owners::default();
        let ends = ["...\nXXX\n.X.", "...\nOOO\n.X."];
        let ends = ends.map(|diagram| diagram.parse::<Board>().unwrap());
        for end in ends.iter().cycle().take(MIN_SIMULATIONS as usize) {
            owners.add(end);
        }
        owners
    }

    fn node(mv: Option<Point>, visits: u32, margin: f32) -> Node {
        let mut node = Node::new(mv, 0.5);
        node.visits = visits;
        node.margins = visits as f32 * margin;
        node
    }

    fn choice(position: &Position, children: &[&Node]) -> Move {
        let chosen = choose(position, children, &owners()).unwrap();
        chosen.mv.map_or(Move::Pass, Move::from)
    }

    /// Returns the choice between a stone and a pass with fewer visits and another margin; `has_passed` is whether the
    /// last move was a pass.
    fn chosen(stone: &str, pass_margin: f32, has_passed: bool) -> Move {
        let mut position = Position::new(&Setup::new(go_core::Size::new(3).unwrap()));
        if has_passed {
            position.play(Move::Pass).unwrap();
        }
        let stone = node(Some(stone.parse().unwrap()), 100, 4.0);
        choice(&position, &[&stone, &node(None, 10, pass_margin)])
    }

    #[test]
    fn a_stone_on_an_open_point_replaces_a_pass() {
        let open = |rules: &str, margin| {
            let setup: Setup = format!("3x3 rules {rules}").parse().unwrap();
            let stone = node(Some("A2".parse().unwrap()), 10, margin);
            choice(&Position::new(&setup), &[&node(None, 100, 4.0), &stone])
        };
        let stone = "A2".parse::<Move>().unwrap();
        assert_eq!(open("japanese", 3.6), stone);
        assert_eq!(open("japanese", 3.4), Move::Pass);
        // Under area scoring the stone costs nothing.
        assert_eq!(open("chinese", 2.6), stone);
        assert_eq!(open("chinese", 2.4), Move::Pass);
    }

    #[test]
    fn a_pass_replaces_a_stone_on_a_settled_point_that_gains_nothing() {
        let stone = |name: &str| name.parse::<Move>().unwrap();
        assert_eq!(chosen("B1", 3.6, true), Move::Pass);
        assert_eq!(chosen("B1", 3.4, true), stone("B1"));
        assert_eq!(chosen("B1", 3.6, false), stone("B1"));
        assert_eq!(chosen("A2", 3.6, true), stone("A2"));
    }
}
