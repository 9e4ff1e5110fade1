//! ProbCut: pruning by a shallow search that predicts the value of a deep one. Two plies above the leaves, the static
//! evaluation alone makes the prediction.

use othello_core::{Backend, Bitboard, Position};

use crate::{
    eval::{MAX_ESTIMATE, Node},
    score::Units,
    selectivity::{
        Effort, MIN_DEPTH, Selectivity,
        margin::{self, Margin},
        shallow_depth,
    },
    worker::Worker,
};

/// A side with at most this many discs may be wiped out before a shallow search sees it.
const WIPE_OUT_DISCS: u32 = 4;
/// The maximum depth at which ProbCut does not cut in favour of such a side; a higher limit missed no fewer wipe-outs.
const WIPE_OUT_DEPTH: u32 = 8;

impl<B: Backend> Worker<'_, B> {
    /// A bound on the value of `node`, equal to `alpha` or just above it, if a shallow search makes it likely enough.
    /// `moves` are the node's legal moves.
    pub(crate) fn probcut(
        &mut self,
        node: &Node,
        moves: Bitboard,
        effort: Effort,
        alpha: Units,
    ) -> Option<Units> {
        if effort.selectivity == Selectivity::NONE || effort.depth < MIN_DEPTH {
            return None;
        }
        let discs = 64 - node.position().empties().count();
        let to_the_end = effort.depth >= 64 - discs;
        let value = self.evaluator.estimate(self.backend, node, moves);
        let expected = value + margin::mean_over_static(discs, effort.depth, to_the_end);
        let above = expected > alpha;
        if effort.depth <= WIPE_OUT_DEPTH && favours_few_discs(node.position(), above) {
            return None;
        }
        let mobility = self.mobility(node, moves);
        let Margin { mean, error } = margin::searched(discs, effort, to_the_end, mobility);
        let shallow = Effort::new(shallow_depth(effort.depth), effort.selectivity);

        if above {
            let bound = alpha + Units::ONE + error - mean;
            if bound <= MAX_ESTIMATE && self.test(node, shallow, bound - Units::ONE) >= bound {
                return Some(alpha + Units::ONE);
            }
        } else {
            let bound = alpha - error - mean;
            if bound >= -MAX_ESTIMATE && self.test(node, shallow, bound) <= bound {
                return Some(alpha);
            }
        }
        None
    }

    /// A bound on the value of `node` two plies deep, equal to `alpha` or just above it, if the static evaluation makes
    /// it likely enough.
    #[inline(always)]
    pub(crate) fn probcut_static(
        &self,
        node: &Node,
        moves: Bitboard,
        selectivity: Selectivity,
        alpha: Units,
    ) -> Option<Units> {
        if selectivity == Selectivity::NONE {
            return None;
        }
        let discs = 64 - node.position().empties().count();
        let mobility = self.mobility(node, moves);
        let Margin { mean, error } = margin::by_evaluation(discs, selectivity, mobility);
        let expected = self.evaluator.estimate(self.backend, node, moves) + mean;
        let above = expected > alpha;
        let is_far = if above {
            expected - error > alpha
        } else {
            expected + error <= alpha
        };
        (is_far && !favours_few_discs(node.position(), above)).then_some(if above {
            alpha + Units::ONE
        } else {
            alpha
        })
    }

    /// The number of legal moves of both sides; `moves` are those of the side to move.
    #[inline(always)]
    fn mobility(&self, node: &Node, moves: Bitboard) -> u32 {
        let of_opponent = self.backend.legal_moves(node.position().passed());
        moves.count() + of_opponent.count()
    }
}

/// Returns whether a cut above (or below) the bound favours a side that may be wiped out.
fn favours_few_discs(position: Position, above: bool) -> bool {
    // A cut above the bound favours the side to move.
    let favoured = if above {
        position.own()
    } else {
        position.opponent()
    };
    favoured.count() <= WIPE_OUT_DISCS
}

#[cfg(test)]
mod tests {
    use othello_core::Board;

    use crate::{
        eval::Network,
        score::Units,
        selectivity::{Effort, STATIC_DEPTH, Selectivity, margin, mobility},
        testing::{probed, random_play},
    };

    #[test]
    fn static_cuts_begin_at_the_margin() {
        for seed in 0..20 {
            let position = random_play(seed, 30);
            let estimate = Network::built_in().units(position);
            let mut selectivity = Selectivity::FIRST;
            while selectivity != Selectivity::NONE {
                let margin = margin::by_evaluation(34, selectivity, mobility(position));
                let expected = estimate + margin.mean;
                let effort = Effort::new(STATIC_DEPTH, selectivity);
                let at = |alpha| probed(position, effort, alpha);
                let (low, high) = (expected - margin.error, expected + margin.error);
                assert_eq!(at(low - Units::ONE), Some(low), "{seed}");
                assert_eq!(
                    [low, expected, high - Units::ONE].map(at),
                    [None; 3],
                    "{seed}"
                );
                assert_eq!(at(high), Some(high), "{seed}");
                selectivity = selectivity.next();
            }
            let effort = Effort::new(STATIC_DEPTH, Selectivity::NONE);
            let far = [Units::DISC * -60, Units::DISC * 60];
            assert_eq!(far.map(|alpha| probed(position, effort, alpha)), [None; 2]);
        }
    }

    #[test]
    fn near_the_leaves_nothing_is_cut_in_favour_of_a_side_with_few_discs() {
        // A side with four or five discs against one with nine, with either to move.
        let four = "------------------XXX------XO------XXX-----OX-----O-X-------O--- ";
        let five = "------------------XXX------XO------XXX-----OX-----OOX-------O--- ";
        let (good, bad) = (Units::DISC * -50, Units::DISC * 50);
        for (few, cut) in [(four, false), (five, true)] {
            let [own, opponent] = ["O", "X"].map(|side| {
                let board: Board = format!("{few}{side}").parse().unwrap();
                board.position()
            });
            for (position, alpha, bound) in [(own, good, good + Units::ONE), (opponent, bad, bad)] {
                let at = |depth| probed(position, Effort::new(depth, Selectivity::FIRST), alpha);
                let expected = cut.then_some(bound);
                assert_eq!([2, 7, 8].map(at), [expected; 3], "{position:?}");
                assert_eq!([9, 10].map(at), [Some(bound); 2], "{position:?}");
            }
            for (position, alpha, bound) in [(own, bad, bad), (opponent, good, good + Units::ONE)] {
                let at = |depth| probed(position, Effort::new(depth, Selectivity::FIRST), alpha);
                assert_eq!([2, 8].map(at), [Some(bound); 2], "{position:?}");
            }
        }
    }
}
