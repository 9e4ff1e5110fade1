//! The manner of play of a rating.

use othello_core::{Bitboard, Position, Square};

use crate::{Strength, level::Rating};

/// The weights of a player's choice. The logarithm of a move's probability is the sum of its weighted features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The number of empty squares from which the player sees everything.
    pub solve_from: u32,
    /// The weight of the model.
    pub model: f32,
    /// The weight of each disc that the search says is lost.
    pub care: f32,
    /// The weight of each disc that is turned.
    pub greed: f32,
    /// The weight of the edge and of X-squares.
    pub edges: f32,
}

/// The weight of each disc that a search says is lost, for each of [`MANNERS`]. Set by hand; `othello-train levels
/// --calibrate` finds the weights with which moves lose a given number of discs.
const CARE: [f32; 6] = [0.025, 0.055, 0.1, 0.06, 0.03, 0.6];

/// The manners of some ratings apart from the care; a rating between two has the mean.
const MANNERS: [(f32, Manner); 6] = [
    (300.0, Manner::new(1, 0, 0.2, 0.15, 0.5)),
    (700.0, Manner::new(1, 0, 0.6, 0.05, 0.2)),
    (1100.0, Manner::new(2, 3, 0.8, 0.0, 0.0)),
    (1500.0, Manner::new(4, 8, 1.0, 0.0, 0.0)),
    (1800.0, Manner::new(8, 12, 1.0, 0.0, 0.0)),
    (2100.0, Manner::new(10, 16, 1.0, 0.0, 0.0)),
];

impl Manner {
    const fn new(depth: u32, solve_from: u32, model: f32, greed: f32, edges: f32) -> Self {
        Self {
            depth,
            solve_from,
            model,
            care: 0.0,
            greed,
            edges,
        }
    }

    /// Returns the manner of a rating.
    pub fn of(rating: Rating) -> Self {
        let rating = f32::from(rating.number()).clamp(MANNERS[0].0, MANNERS[MANNERS.len() - 1].0);
        let above = MANNERS
            .iter()
            .position(|(of, _)| rating <= *of)
            .unwrap_or(0)
            .max(1);
        let ((low, a), (high, b)) = (MANNERS[above - 1], MANNERS[above]);
        let share = (rating - low) / (high - low);
        let mean = |a: f32, b: f32| a + share * (b - a);
        let nearest = |a: u32, b: u32| mean(a as f32, b as f32).round() as u32;
        Self {
            depth: nearest(a.depth, b.depth),
            solve_from: nearest(a.solve_from, b.solve_from),
            model: mean(a.model, b.model),
            care: mean(CARE[above - 1], CARE[above]),
            greed: mean(a.greed, b.greed),
            edges: mean(a.edges, b.edges),
        }
    }

    /// Returns the limits of the search.
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
        self.model * model - self.care * loss
            + self.greed * flips
            + self.edges * (is_in(Bitboard::EDGES) + is_in(Bitboard::X_SQUARES))
    }
}
