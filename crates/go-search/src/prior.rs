//! Priors of moves: their expected shares of visits from features alone.

mod chains;
mod distances;
mod feature;
mod features;
mod joseki;
mod shape;
mod stakes;

pub(crate) use feature::Feature;
pub use feature::FeatureGroup;
pub(crate) use features::{Context, features};
pub use shape::{MissingShapeError, ParseShapeError, Shape, Shapes};

use go_core::Point;

use crate::pattern_weights::PatternWeights;

/// The weights of features. The prior of a move is proportional to the product of its features' weights (R. Coulom,
/// Computing Elo Ratings of Move Patterns in the Game of Go, 2007).
#[derive(Clone, Debug)]
pub(crate) struct Priors {
    pub(crate) patterns: PatternWeights,
    pub(crate) features: [f32; Feature::COUNT],
    pub(crate) shapes: Shapes,
}

/// The maximum weight of a move, so that sums of weights stay finite.
pub(crate) const MAX_WEIGHT: f32 = 1e30;

impl Default for Priors {
    /// Returns the weight 1 for all features and patterns.
    fn default() -> Self {
        Self {
            patterns: PatternWeights::default(),
            features: [1.0; Feature::COUNT],
            shapes: Shapes::default(),
        }
    }
}

impl Priors {
    /// Returns the weight of a move by the side to move on an empty point, at most [`MAX_WEIGHT`].
    pub(crate) fn weight(&self, context: &Context<'_>, point: Point) -> f32 {
        let weights = features(context, point).map(|feature| self.features[feature.index()]);
        let weight = weights.product::<f32>() * self.surroundings(context, point);
        weight.clamp(f32::MIN_POSITIVE, MAX_WEIGHT)
    }

    /// Returns the weight of the largest known shape around a point, or else of the pattern.
    fn surroundings(&self, context: &Context<'_>, point: Point) -> f32 {
        let &Context { board, color, .. } = context;
        match self.shapes.find(board, color, point) {
            Some(shape) => self.shapes.weight(shape),
            None => self.patterns[board.pattern(point, color)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::last_stones::LastStones;
    use go_core::{Board, Color, Size};

    #[test]
    fn captures_rank_above_the_first_line() {
        let board: Board = ".....\n..O..\n.OXO.\n.....\n.....".parse().unwrap();
        let stones = LastStones::default().after(Some("C3".parse().unwrap()));
        let context = Context::new(&board, Color::White, stones, None);
        let priors = crate::Weights::default().priors;
        let weight = |name: &str| priors.weight(&context, name.parse().unwrap());
        assert!(weight("C2") > weight("A1"));
    }

    #[test]
    fn weights_of_moves_are_finite_for_all_weights_of_features() {
        let board: Board = ".....\n..O..\n.OXO.\n.....\n.....".parse().unwrap();
        let context = Context::new(
            &board,
            Color::White,
            LastStones::default().after(Some("C3".parse().unwrap())),
            None,
        );
        for weight in [1e-9, 1e9] {
            let priors = Priors {
                features: [weight; Feature::COUNT],
                ..Priors::default()
            };
            let weights = board
                .empty_points()
                .map(|point| priors.weight(&context, point));
            let total: f32 = weights.sum();
            assert!(total.is_finite() && total > 0.0, "{total}");
        }
    }

    #[test]
    fn symmetric_points_of_an_empty_board_have_equal_weights() {
        let board = Board::new(Size::NINE);
        let context = Context::new(&board, Color::Black, LastStones::default(), None);
        let priors = crate::Weights::default().priors;
        let weight = |name: &str| priors.weight(&context, name.parse().unwrap());
        assert_eq!(weight("C3").to_bits(), weight("G7").to_bits());
        assert!(weight("C3") > weight("A1"));
    }
}
