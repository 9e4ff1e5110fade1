//! The selection of moves in a simulation.

use super::{Node, NodeId, Options, Searcher, widening};

impl Searcher {
    /// Returns the index of the child for the next simulation: the one with the highest value from results, AMAF
    /// results and priors.
    ///
    /// The estimate of a move mixes its results with its AMAF results, which count less as visits increase (S. Gelly
    /// and D. Silver, Combining online and offline knowledge in UCT, 2007). A bonus proportional to the prior is added,
    /// which decreases with visits (C. Rosin, Multi-armed bandits with episode context, 2011).
    pub(super) fn select(&self, id: NodeId) -> usize {
        let node = self.tree.node(id);
        let estimate = if id == NodeId::ROOT || node.visits == 0 {
            0.5
        } else {
            1.0 - node.mean_result()
        };
        let bonus = self.options.exploration * (node.visits.max(1) as f32).sqrt();
        let mut best = (0, f32::NEG_INFINITY);
        let width = widening::width(node);
        for (place, child) in self.tree.children(id).iter().enumerate() {
            // The order of children changes with their priors; children with visits remain candidates.
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

/// Returns the selection value of a child; `estimate` is the value of a move without any results.
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
