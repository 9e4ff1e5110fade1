//! Progressive widening: a node with many moves selects from few at first, and from more as visits increase.
//!
//! The method is from R. Coulom, Computing Elo Ratings of Move Patterns in the Game of Go, 2007. Such a node also has
//! few children at first, which saves most of the tree's memory.

use super::Node;

/// The minimum number of moves of a node that widens.
pub(super) const MIN_MOVES: usize = 100;

/// The initial number of children of a node that widens.
pub(super) const FIRST_CHILDREN: usize = 12;

/// The initial number of children that such a node selects from.
const MIN_WIDTH: usize = 5;

/// The visits at which it selects from one more child, before rounding up.
const FIRST_WIDENING: f64 = 56.0;

/// The factor by which the visits grow from one widening to the next.
const VISITS_PER_MOVE: f64 = 1.4;

/// The number of children in addition to those selected from, so that they have AMAF results when their turn comes.
const RESERVE: usize = 2;

/// The visits at which the width grows by one, up to the maximum of `u32`.
const WIDENINGS: [u32; 54] = {
    let mut widenings = [0; 54];
    let (mut visits, mut place) = (FIRST_WIDENING, 0);
    while place < widenings.len() {
        // Rounds up; uses 0.999 instead of 1 so that rounding errors of the product add no visit.
        widenings[place] = (visits + 0.999) as u32;
        visits *= VISITS_PER_MOVE;
        place += 1;
    }
    widenings
};

/// Returns the number of children, those with the highest priors, that a node selects from.
pub(super) fn width(node: &Node) -> usize {
    if node.has_more() || node.child_count() >= MIN_MOVES {
        width_after(node.visits)
    } else {
        node.child_count()
    }
}

/// Returns whether a node should get more children.
pub(super) fn needs_children(node: &Node) -> bool {
    node.has_more() && width_after(node.visits) + RESERVE > node.child_count()
}

fn width_after(visits: u32) -> usize {
    MIN_WIDTH + WIDENINGS.partition_point(|&from| from <= visits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_with_many_moves_widens() {
        let widths = [0, 40, 56, 79, 15_000].map(width_after);
        assert_eq!(widths, [5, 5, 6, 7, 22]);
    }
}
