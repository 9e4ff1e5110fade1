//! Nodes of the tree.

use go_core::Point;

/// A position in the tree, with the results of the move that leads to it, from the point of view of the side that makes
/// the move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The stone that leads here, or `None` for a pass.
    pub(crate) mv: Option<Point>,
    pub(super) child_count: u16,
    pub(super) has_more: bool,
    pub(super) first_child: u32,
    /// The number of simulations through this node.
    pub(crate) visits: u32,
    /// The sum of their results, each 0 to 1.
    pub(crate) results: f32,
    /// The number of wins among them; a draw counts half.
    pub(crate) wins: f32,
    /// The sum of their margins in points.
    pub(crate) margins: f32,
    /// The number of simulations through the parent in which the side made the move at any time (AMAF).
    pub(crate) amaf_visits: u32,
    /// The sum of their results.
    pub(crate) amaf_results: f32,
    /// The expected share of visits among its siblings from the move's features.
    pub(crate) prior: f32,
}

impl Node {
    /// Creates a node without visits.
    pub(crate) const fn new(mv: Option<Point>, prior: f32) -> Self {
        Self {
            mv,
            child_count: 0,
            has_more: false,
            first_child: 0,
            visits: 0,
            results: 0.0,
            wins: 0.0,
            margins: 0.0,
            amaf_visits: 0,
            amaf_results: 0.0,
            prior,
        }
    }

    /// Returns the node without its children.
    pub(crate) const fn childless(self) -> Self {
        Self {
            child_count: 0,
            has_more: false,
            first_child: 0,
            ..self
        }
    }

    /// Returns the node with another prior.
    pub(crate) const fn with_prior(self, prior: f32) -> Self {
        Self { prior, ..self }
    }

    /// Returns whether the node has children.
    pub(crate) const fn is_expanded(&self) -> bool {
        self.child_count > 0
    }

    /// Returns the number of children.
    pub(crate) const fn child_count(&self) -> usize {
        self.child_count as usize
    }

    /// Returns whether there are more moves than children.
    pub(crate) const fn has_more(&self) -> bool {
        self.has_more
    }

    /// Returns the mean result for the side that makes the move; one half without visits.
    pub(crate) fn mean_result(&self) -> f32 {
        mean(self.results, self.visits, 0.5)
    }

    /// Returns the share of simulations won by the side that makes the move; one half without visits.
    pub(crate) fn win_rate(&self) -> f32 {
        mean(self.wins, self.visits, 0.5)
    }

    /// Returns the mean margin of the side that makes the move; 0 without visits.
    pub(crate) fn margin(&self) -> f32 {
        mean(self.margins, self.visits, 0.0)
    }
}

fn mean(sum: f32, count: u32, without: f32) -> f32 {
    if count == 0 {
        without
    } else {
        sum / count as f32
    }
}
