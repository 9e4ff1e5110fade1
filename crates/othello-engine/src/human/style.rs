//! The style of play at a rating.

use othello_core::{Bitboard, Position, Square};

use crate::{Strength, level::Rating};

/// The weights of a player's choice. The logarithm of a move's probability is the sum of its weighted features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayStyle {
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The number of empty squares from which the player sees everything.
    pub solve_from: u32,
    /// The weight of the model.
    pub model: f32,
    /// The weight of each disc that the search says is lost.
    pub loss_weight: f32,
    /// The weight of each disc that is flipped.
    pub flip_weight: f32,
    /// The weight of the edge and of X-squares.
    pub edge_weight: f32,
}

/// The weight of each disc that a search says is lost, for each of [`STYLES`]. Set by hand near those with which
/// `othello-train levels --calibrate` reaches a given loss a move, so that each level wins most games against the one
/// below.
const LOSS_WEIGHTS: [f32; 6] = [0.03, 0.06, 0.085, 0.12, 0.0, 0.15];

/// The styles of some ratings without their loss weights; a rating between two has the mean.
const STYLES: [(f32, PlayStyle); 6] = [
    (300.0, PlayStyle::new(1, 0, 0.2, 0.15, 0.5)),
    (700.0, PlayStyle::new(1, 0, 0.6, 0.05, 0.2)),
    (1100.0, PlayStyle::new(2, 3, 0.8, 0.0, 0.0)),
    (1500.0, PlayStyle::new(4, 8, 1.0, 0.0, 0.0)),
    (1800.0, PlayStyle::new(8, 12, 1.0, 0.0, 0.0)),
    (2100.0, PlayStyle::new(10, 16, 1.0, 0.0, 0.0)),
];

impl PlayStyle {
    const fn new(
        depth: u32,
        solve_from: u32,
        model: f32,
        flip_weight: f32,
        edge_weight: f32,
    ) -> Self {
        Self {
            depth,
            solve_from,
            model,
            loss_weight: 0.0,
            flip_weight,
            edge_weight,
        }
    }

    /// Returns the style at a rating.
    pub fn of(rating: Rating) -> Self {
        let rating = f32::from(rating.number()).clamp(STYLES[0].0, STYLES[STYLES.len() - 1].0);
        let above = STYLES
            .iter()
            .position(|(of, _)| rating <= *of)
            .unwrap_or(0)
            .max(1);
        let ((low, a), (high, b)) = (STYLES[above - 1], STYLES[above]);
        let share = (rating - low) / (high - low);
        let mean = |a: f32, b: f32| a + share * (b - a);
        let nearest = |a: u32, b: u32| mean(a as f32, b as f32).round() as u32;
        Self {
            depth: nearest(a.depth, b.depth),
            solve_from: nearest(a.solve_from, b.solve_from),
            model: mean(a.model, b.model),
            loss_weight: mean(LOSS_WEIGHTS[above - 1], LOSS_WEIGHTS[above]),
            flip_weight: mean(a.flip_weight, b.flip_weight),
            edge_weight: mean(a.edge_weight, b.edge_weight),
        }
    }

    /// Returns the strength of the search.
    pub fn strength(self) -> Strength {
        Strength {
            solve_from: self.solve_from,
            ..Strength::depth(self.depth)
        }
    }

    /// Returns the logarithm of a move's probability, up to a constant, from that of the model and the discs that a
    /// search says are lost.
    pub(super) fn logit(&self, position: Position, square: Square, model: f32, loss: f32) -> f32 {
        let flips = position.flips(square).count() as f32;
        let is_in = |set: Bitboard| f32::from(u8::from(set.contains(square)));
        self.model * model - self.loss_weight * loss
            + self.flip_weight * flips
            + self.edge_weight * (is_in(Bitboard::EDGES) + is_in(Bitboard::X_SQUARES))
    }
}
