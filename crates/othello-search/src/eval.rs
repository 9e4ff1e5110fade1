//! The static evaluation.
//!
//! The search carries a `Node` from move to move: a position with the state that its evaluation updates incrementally.
//! It asks an `Evaluator` for the values of leaves, for move ordering and for ProbCut. The public items are for
//! training: a [`Model`] is trained by rows of the pattern and mobility tables ([`RowMap`]), quantized to [`Weights`]
//! in a file, and loaded as a [`Network`] by a [`Searcher`](crate::Searcher).

mod file;
mod indices;
mod kernel;
mod mobility;
mod model;
mod network;
mod patterns;
mod row_map;
mod weights;

use othello_core::{Backend, Bitboard, Position, Square};

pub use file::{PATTERNS, ReadWeightsError};
pub use indices::Indices;
pub use model::{Model, ModelHead, QuantizeError};
pub(crate) use network::MAX_ESTIMATE;
pub use network::Network;
pub use row_map::RowMap;
pub use weights::{FIRST_HEAD, HEADS, HIDDEN, Weights, head_of};

use crate::score::{Units, final_value};

/// The number of rows: the pattern rows, followed by the mobility rows.
pub const ROWS: usize = patterns::PATTERN_ROWS + mobility::MOBILITY_ROWS;

/// The number of rows summed for a position: one per pattern instance and per mobility table.
pub const INPUTS: usize = patterns::INSTANCES + mobility::TABLES;

/// The maximum size of a file of weights in bytes, several times the largest possible size.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// A position with the incremental state of its evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    position: Position,
    indices: Indices,
    /// The estimate from the move ordering of the parent, if there is one.
    estimate: Option<Units>,
}

impl Node {
    #[inline(always)]
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// Creates the node of a position from scratch.
    #[inline]
    pub(crate) fn of(position: Position) -> Self {
        Self {
            position,
            indices: Indices::of(position),
            estimate: None,
        }
    }

    /// The node of `child`, the position after a move on `square`.
    #[inline(always)]
    pub(crate) fn after(&self, square: Square, child: Position) -> Self {
        let gained = child.opponent() - self.position.own();
        Self {
            position: child,
            indices: self.indices.after(square, gained.without(square)),
            estimate: None,
        }
    }

    /// The same node with an estimate.
    #[inline(always)]
    pub(crate) fn estimated(self, estimate: Option<Units>) -> Self {
        Self { estimate, ..self }
    }

    /// The node after a pass.
    #[inline(always)]
    pub(crate) fn passed(&self) -> Self {
        Self {
            position: self.position.passed(),
            indices: self.indices.passed(),
            estimate: None,
        }
    }
}

/// The bonus for the side to move at a leaf. The evaluation is fitted to average positions and is too low for the side
/// to move at a leaf, which can still choose. The bonus balances the built-in weights between odd and even depths
/// (`othello-train parity`).
pub(crate) const TEMPO: Units = Units::new(150);

/// The evaluation of positions by a network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluator<'a>(&'a Network);

impl<'a> Evaluator<'a> {
    pub(crate) fn new(network: &'a Network) -> Self {
        Self(network)
    }

    /// The static evaluation for the side to move, exact if the game is over.
    #[inline]
    pub(crate) fn evaluate<B: Backend>(self, backend: B, node: &Node) -> Units {
        self.value(backend, node, Units::ZERO)
    }

    /// The static evaluation of a leaf of a search, with the [`TEMPO`] bonus of the side to move.
    #[inline]
    pub(crate) fn evaluate_leaf<B: Backend>(self, backend: B, node: &Node) -> Units {
        self.value(backend, node, TEMPO)
    }

    /// The raw network output for a node with these legal moves, even if the game is over. For move ordering and
    /// ProbCut.
    #[inline]
    pub(crate) fn estimate<B: Backend>(self, backend: B, node: &Node, moves: Bitboard) -> Units {
        let estimate = node.estimate;
        estimate.unwrap_or_else(|| self.ask_network(backend, node, moves))
    }

    #[inline(always)]
    fn value<B: Backend>(self, backend: B, node: &Node, tempo: Units) -> Units {
        let position = node.position;
        backend.vectorize(
            #[inline(always)]
            || {
                let moves = backend.legal_moves(position);
                let passed = position.passed();
                if moves != Bitboard::EMPTY || backend.legal_moves(passed) != Bitboard::EMPTY {
                    (self.ask_network(backend, node, moves) + tempo).min(MAX_ESTIMATE)
                } else {
                    final_value(position)
                }
            },
        )
    }

    /// The raw network output for a node with these legal moves.
    #[inline(always)]
    fn ask_network<B: Backend>(self, backend: B, node: &Node, moves: Bitboard) -> Units {
        backend.vectorize(
            #[inline(always)]
            || {
                let discs = 64 - node.position.empties().count();
                self.0.value(backend, &node.indices, moves, discs)
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use othello_core::{Tier, WithBackend};

    use super::{network::tests::NETWORK, *};
    use crate::testing::{Random, orientations, random_play, scattered};

    struct Evaluate<'a>(Evaluator<'a>, Node);

    impl WithBackend for Evaluate<'_> {
        type Output = Units;

        fn run<B: Backend>(self, backend: B) -> Units {
            self.0.evaluate(backend, &self.1)
        }
    }

    fn evaluator() -> Evaluator<'static> {
        Evaluator::new(&NETWORK)
    }

    fn evaluated(evaluator: Evaluator<'_>, node: Node) -> Units {
        Tier::best().dispatch(Evaluate(evaluator, node))
    }

    #[test]
    fn incremental_nodes_equal_nodes_from_scratch() {
        let evaluator = evaluator();
        for seed in 0..30 {
            let mut random = Random::new(seed);
            let mut node = Node::of(Position::START);
            while !node.position.is_over() {
                let moves = node.position.legal_moves();
                let before = node;
                let chosen = random.below(moves.count().max(1) as usize);
                node = node.passed();
                for (at, square) in moves.into_iter().enumerate() {
                    let child = before.position.play_unchecked(square);
                    let after = before.after(square, child);
                    let scratch = Node::of(child);
                    assert_eq!(after.position, child);
                    assert_eq!(after.indices, scratch.indices, "{child:?}");
                    let values = [after, scratch].map(|node| evaluated(evaluator, node));
                    assert_eq!(values[0], values[1]);
                    if at == chosen {
                        node = after;
                    }
                }
            }
        }
    }

    #[test]
    fn all_orientations_have_the_same_evaluation() {
        let evaluator = evaluator();
        for seed in 0..200 {
            for position in [random_play(seed, seed as u32 % 60), scattered(seed, 25)] {
                let values =
                    orientations(position).map(|position| evaluated(evaluator, Node::of(position)));
                assert_eq!(values, [values[0]; 8], "{position:?}");
            }
        }
    }

    #[test]
    fn a_finished_game_evaluates_to_its_score() {
        let finished: Vec<_> = (0..60).map(|seed| random_play(seed, 0)).collect();
        let with_empties = |position: &Position| !position.empties().is_empty();
        assert!(finished.iter().any(with_empties));
        let evaluator = evaluator();
        for &position in &finished {
            let value = evaluated(evaluator, Node::of(position));
            assert_eq!(value, final_value(position), "{position:?}");
        }
    }
}
