//! Positions as training sees them: the moves with what weighs them in the tree and in playouts.

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

/// The groups of features of which a move in the tree has at most one each.
pub const GROUPS: [FeatureGroup; 22] = Feature::GROUPS;

/// Returns the built-in weights of the features of moves in the tree.
pub fn built_in_features() -> [f32; FEATURES] {
    Weights::default().priors.features
}

impl Weights {
    /// Replaces the weights of moves in the tree: those of features, of patterns, and of shapes. Patterns that are not
    /// among them weigh 1.
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

    /// Replaces the weights of the patterns of answers in playouts; the others weigh 1.
    pub fn set_answers(&mut self, patterns: impl Iterator<Item = (Pattern, f32)>) {
        self.policy.patterns = patterns.collect();
    }
}

/// The number of purposes of answers in playouts.
pub const PURPOSES: usize = Purpose::COUNT;

/// The number of places of answers in playouts.
pub const PLACES: usize = Proximity::COUNT;

/// A candidate move with what weighs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeighedMove {
    /// The point.
    pub point: Point,
    /// The pattern and the known shapes around it, the smallest first.
    pub surroundings: Vec<Surroundings>,
    /// The indices of its other features: those of the tree; in playouts the purpose and then, from [`PURPOSES`] on, the
    /// place.
    pub features: Vec<u8>,
}

/// The surroundings of a move, as the side to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Surroundings {
    /// The canonical code of a pattern.
    Pattern(u16),
    /// The index of a known shape, which tells more.
    Shape(usize),
}

/// A reader of the moves that the tree considers.
#[derive(Debug)]
pub struct TreeReader {
    shapes: Shapes,
    policy: Policy,
    /// The replies of no search, whose factors are all 1.
    replies: Replies,
    random: Random,
}

impl TreeReader {
    /// Returns a reader that knows some shapes, and plays playouts by the built-in weights.
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

    fn surroundings(&self, board: &Board, color: Color, point: Point) -> Vec<Surroundings> {
        let mut surroundings = vec![pattern(board, color, point)];
        let add = |place| surroundings.push(Surroundings::Shape(place));
        self.shapes.find_all(board, color, point, add);
        surroundings
    }

    /// Returns the owners of points by a few playouts.
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

/// Returns the answers to the last stone that a playout weighs against a move elsewhere, or `None` if there is no last
/// stone.
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
