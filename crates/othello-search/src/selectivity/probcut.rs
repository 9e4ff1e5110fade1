//! ProbCut: a shallow search that tells what a deep one would find.

use othello_core::{Backend, Bitboard};

use super::{
    Effort, LEAST_DEPTH, Selectivity,
    margin::{self, Margin, shallow_depth},
};
use crate::{
    eval::{MOST, Node},
    worker::Worker,
};

/// A side with no more discs than this may be wiped out before a shallow search that stands for one
/// of up to so many plies sees it.
const WIPE_OUT_DISCS: u32 = 4;
const WIPE_OUT_DEPTH: u32 = 8;

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
        let above = glance > alpha;
        if effort.depth <= WIPE_OUT_DEPTH && favoured(node, above).count() <= WIPE_OUT_DISCS {
            return None;
        }
        let Margin { mean, error } = margin::searched(discs, effort, to_the_end);
        let shallow = Effort::new(shallow_depth(effort.depth), effort.selectivity);

        if above {
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

/// The discs of the side that a cut would take for good enough: of the one to move, if its value
/// seems to be above the bound.
fn favoured(node: &Node, above: bool) -> Bitboard {
    if above {
        node.position().own()
    } else {
        node.position().opponent()
    }
}
