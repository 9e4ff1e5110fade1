//! The choice of the next move of a simulation.

use super::{Node, NodeId, Options, Searcher};

impl Searcher {
    /// Returns the place of the child that the next simulation goes to: the one of highest value, by results,
    /// all moves as first and priors.
    ///
    /// The estimate of a move mixes its results with those of all moves as first, which count for less the
    /// more visits there are (S. Gelly and D. Silver, Combining online and offline knowledge in UCT, 2007).
    /// A bonus proportional to the prior, which shrinks with the visits, is added (C. Rosin, Multi-armed
    /// bandits with episode context, 2011).
    pub(super) fn select(&self, id: NodeId) -> usize {
        let node = self.tree.node(id);
        let estimate = if id == NodeId::ROOT || node.visits == 0 {
            0.5
        } else {
            1.0 - node.mean_result()
        };
        let bonus = self.options.exploration * (node.visits.max(1) as f32).sqrt();
        let mut best = (0, f32::NEG_INFINITY);
        let children = self.tree.children(id);
        let width = width(children.len(), node.visits);
        // The order of a root's children changes with their priors, and what has visits stays a choice.
        let end = if id == NodeId::ROOT {
            children.len()
        } else {
            width
        };
        for (place, child) in children.iter().enumerate().take(end) {
            if place >= width && child.visits == 0 {
                continue;
            }
            let value = value(child, estimate, bonus, &self.options);
            if value > best.1 {
                best = (place, value);
            }
        }
        best.0
    }
}

/// The minimum number of children of a node that widens.
const MIN_WIDENED: usize = 100;

/// The number of children that such a node chooses from at first.
const MIN_WIDTH: usize = 5;

/// The visits at which it chooses from one more, before rounding up.
const FIRST_WIDENING: f64 = 56.0;

/// The factor by which the visits grow from one more child to the next.
const VISITS_PER_CHILD: f64 = 1.4;

/// The visits at which the width grows by one, up to the largest `u32`.
const WIDENINGS: [u32; 54] = {
    let mut widenings = [0; 54];
    let (mut visits, mut place) = (FIRST_WIDENING, 0);
    while place < widenings.len() {
        // Rounds up; 0.999 rather than 1, so that a rounding error of the product adds no visit.
        widenings[place] = (visits + 0.999) as u32;
        visits *= VISITS_PER_CHILD;
        place += 1;
    }
    widenings
};

/// Returns the number of children, those of highest prior, that a node chooses from: on large boards few at first, and
/// more with more visits (progressive widening: R. Coulom, Computing Elo Ratings of Move Patterns in the Game of Go,
/// 2007).
fn width(children: usize, visits: u32) -> usize {
    if children < MIN_WIDENED {
        return children;
    }
    MIN_WIDTH + WIDENINGS.partition_point(|&from| from <= visits)
}

/// Returns the value of a child in the choice; `estimate` is the value of a move of which nothing is known.
fn value(child: &Node, estimate: f32, bonus: f32, options: &Options) -> f32 {
    let (visits, amaf_visits) = (child.visits as f32, child.amaf_visits as f32);
    let amaf = (child.amaf_results + options.amaf_prior * estimate)
        / (amaf_visits + options.amaf_prior).max(f32::MIN_POSITIVE);
    let mean = if child.visits == 0 {
        amaf
    } else {
        let weight = visits + visits * amaf_visits / options.amaf_equivalence;
        let share = amaf_visits / (amaf_visits + weight);
        share * amaf + (1.0 - share) * child.mean_result()
    };
    mean + bonus * child.prior / (1.0 + visits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_of_many_children_widens() {
        assert_eq!(width(99, 1), 99);
        assert_eq!(
            [0, 40, 56, 79, 15_000].map(|visits| width(120, visits)),
            [5, 5, 6, 7, 22]
        );
    }
}
