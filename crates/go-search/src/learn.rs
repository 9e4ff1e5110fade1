//! Positions for training: the moves with the features that determine their weights.

use boardgame_core::Color;
use go_core::{Board, Pattern, Point, Position, Random};

use crate::{
    Weights,
    last_stones::LastStones,
    owners::{self, Owners},
    playout::{
        Answer, PlayoutWeights, Policy, Proximity, Purpose, Replies, Turn, answers, play_out,
    },
    prior::{Context, Feature, features},
    searcher::playable,
};

pub use crate::prior::{FeatureGroup, MissingShapeError, ParseShapeError, Shape, Shapes};

/// The number of features of moves in the tree.
pub const FEATURES: usize = Feature::COUNT;

/// The groups of features of moves in the tree; a move has at most one feature of each group.
pub const GROUPS: [FeatureGroup; 22] = Feature::GROUPS;

/// Returns the built-in weights of the features of moves in the tree.
pub fn built_in_features() -> [f32; FEATURES] {
    Weights::default().priors.features
}

impl Weights {
    /// Replaces the weights of moves in the tree: of features, patterns and shapes. Other patterns get weight 1.
    pub fn set_priors(
        &mut self,
        features: [f32; FEATURES],
        patterns: impl Iterator<Item = (Pattern, f32)>,
        shapes: Shapes,
    ) {
        self.priors.features = features;
        self.priors.shapes = shapes;
        self.priors.patterns = patterns.collect();
    }

    /// Replaces the weights of answer patterns in playouts; other patterns get weight 1.
    pub fn set_answers(&mut self, patterns: impl Iterator<Item = (Pattern, f32)>) {
        self.policy.patterns = patterns.collect();
    }
}

/// The number of purposes of answers in playouts.
pub const PURPOSES: usize = Purpose::COUNT;

/// The number of proximity classes of answers in playouts.
pub const PLACES: usize = Proximity::COUNT;

/// A candidate move with its features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeighedMove {
    /// The point.
    pub point: Point,
    /// The pattern and the known shapes around the point, smallest first.
    pub surroundings: Vec<Surroundings>,
    /// The indices of its other features. In playouts these are the purpose and, from [`PURPOSES`] on, the proximity
    /// class.
    pub features: Vec<u8>,
}

/// The surroundings of a move, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Surroundings {
    /// The canonical code of a pattern.
    Pattern(u16),
    /// The index of a known shape, which is more specific than a pattern.
    Shape(usize),
}

/// A generator of the moves that the tree considers.
#[derive(Debug)]
pub struct TreeReader {
    shapes: Shapes,
    policy: Policy,
    /// Empty replies, whose factors are all 1.
    replies: Replies,
    random: Random,
}

impl TreeReader {
    /// Creates a generator with known shapes, which runs playouts with the built-in weights.
    pub fn new(shapes: Shapes) -> Self {
        Self {
            shapes,
            policy: Weights::default().policy,
            replies: Replies::default(),
            random: Random::new(1),
        }
    }

    /// Returns the shapes.
    pub const fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// Returns the moves that the tree considers.
    pub fn moves(&mut self, position: &Position) -> Vec<WeighedMove> {
        let (board, color) = (position.board(), position.side_to_move());
        let stones = LastStones::of(position);
        let owners = self.owners(board, Turn { color, stones });
        let context = Context::new(board, color, stones, Some(&owners));
        playable(board, color)
            .map(|point| WeighedMove {
                point,
                surroundings: self.surroundings(board, color, point),
                features: features(&context, point)
                    .map(|feature| feature.index() as u8)
                    .collect(),
            })
            .collect()
    }

    /// Returns the moves that the tree considers, with the weights that are their priors.
    pub fn priors(&mut self, position: &Position, weights: &Weights) -> Vec<(Point, f32)> {
        let (board, color) = (position.board(), position.side_to_move());
        let stones = LastStones::of(position);
        let owners = self.owners(board, Turn { color, stones });
        let context = Context::new(board, color, stones, Some(&owners));
        playable(board, color)
            .map(|point| (point, weights.priors.weight(&context, point)))
            .collect()
    }

    fn surroundings(&self, board: &Board, color: Color, point: Point) -> Vec<Surroundings> {
        let mut surroundings = vec![pattern(board, color, point)];
        let add = |place| surroundings.push(Surroundings::Shape(place));
        self.shapes.find_all(board, color, point, add);
        surroundings
    }

    /// Returns the owners of points from a few playouts.
    fn owners(&mut self, board: &Board, turn: Turn) -> Owners {
        let mut owners = Owners::default();
        let guide = PlayoutWeights {
            policy: &self.policy,
            replies: &self.replies,
        };
        let (mut end, mut moves) = (board.clone(), Vec::new());
        for _ in 0..owners::MIN_SIMULATIONS {
            end.clone_from(board);
            moves.clear();
            play_out(&mut end, turn, guide, &mut self.random, &mut moves);
            owners.add(&end);
        }
        owners
    }
}

/// Returns the answers to the last stone among which a playout draws, or `None` if there is no last stone.
pub fn playout_answers(position: &Position) -> Option<Vec<WeighedMove>> {
    let (board, color) = (position.board(), position.side_to_move());
    let LastStones { last, before } = LastStones::of(position);
    let weigh = |answer: Answer| WeighedMove {
        point: answer.point,
        surroundings: vec![pattern(board, color, answer.point)],
        features: vec![
            answer.purpose as usize as u8,
            (PURPOSES + answer.near as usize) as u8,
        ],
    };
    let answers = answers(board, color, last?, before);
    Some(answers.into_iter().map(weigh).collect())
}

fn pattern(board: &Board, color: Color, point: Point) -> Surroundings {
    Surroundings::Pattern(board.pattern(point, color).canonical().code())
}
