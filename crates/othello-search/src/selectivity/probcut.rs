//! ProbCut: a shallow search that tells what a deep one would find.

use othello_core::Backend;

use super::{
    Effort, LEAST_DEPTH, Selectivity,
    margin::{self, Margin, shallow_depth},
};
use crate::{
    eval::{MOST, Node},
    worker::Worker,
};

impl<B: Backend> Worker<'_, B> {
    /// A bound on the value of `node`, at `alpha` or just above it, where a shallow search makes
    /// it likely enough.
    pub(crate) fn probcut(&mut self, node: &Node, effort: Effort, alpha: i32) -> Option<i32> {
        if effort.selectivity == Selectivity::NONE || effort.depth < LEAST_DEPTH {
            return None;
        }
        let discs = 64 - node.position().empties().count();
        let to_the_end = effort.depth >= 64 - discs;
        let value = self.evaluator.estimate(self.backend, node);
        let glance = value + margin::evaluated(discs, effort, to_the_end).mean;
        let Margin { mean, error } = margin::searched(discs, effort, to_the_end);
        let shallow = Effort::new(shallow_depth(effort.depth), effort.selectivity);

        if glance > alpha {
            let bound = alpha + 1 + error - mean;
            if bound <= MOST && self.test(node, shallow, bound - 1) >= bound {
                return Some(alpha + 1);
            }
        } else {
            let bound = alpha - error - mean;
            if bound >= -MOST && self.test(node, shallow, bound) <= bound {
                return Some(alpha);
            }
        }
        None
    }
}
