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
        let value = self.evaluator.evaluate(self.backend, node);
        let Margin { mean, error } = margin::evaluated(discs, effort, to_the_end);
        let glance = value + mean;
        let searched = margin::searched(discs, effort, to_the_end);
        let hope = error / 2;
        let shallow = Effort::full(shallow_depth(effort.depth));

        let beta = alpha + 1;
        let bound = beta + searched.error - searched.mean;
        if glance >= beta - hope && bound <= MOST && self.test(node, shallow, bound - 1) >= bound {
            return Some(beta);
        }
        let bound = alpha - searched.error - searched.mean;
        if glance <= alpha + hope && bound >= -MOST && self.test(node, shallow, bound) <= bound {
            return Some(alpha);
        }
        None
    }
}
