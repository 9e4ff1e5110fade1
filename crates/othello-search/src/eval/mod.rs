//! What a position is worth without looking ahead.
//!
//! The search knows `evaluate` alone, for leaves and for ordering high in the tree; its inside may
//! be replaced without a change elsewhere. The patterns are public for those who make the weights.

mod features;
mod model;
mod network;
mod patterns;
mod weights;

use othello_core::{Backend, Position};

pub(crate) use features::Features;
pub use model::{Model, ModelHead};
pub use network::Network;
pub use patterns::{
    ALL_INSTANCES, CELLS, INSTANCES, Indices, Instance, ROWS, RowMap, SHAPES, Shape,
};
pub use weights::{FIRST_HEAD, HEADS, HIDDEN, ReadWeightsError, Weights, head_of};

use crate::score::{DISC, final_value};

/// Estimates stay below what only a search to the end can prove.
const MOST: i32 = 60 * DISC;

/// The estimated value in units of a disc, from the side to move, exact when the game is over.
#[inline]
pub(crate) fn evaluate<B: Backend>(backend: B, position: Position) -> i32 {
    backend.vectorize(
        #[inline(always)]
        || {
            let own = Features::of(backend, position);
            let opponent = Features::of(backend, position.passed());
            if own.mobility == 0 && opponent.mobility == 0 {
                return final_value(position);
            }
            let empties = position.empties().count() as i32;
            let balance = features::balance(&own, &opponent, empties);
            (balance + features::tempo(empties)).clamp(-MOST, MOST)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{evaluated, orientations, random_play, scattered};

    #[test]
    fn all_orientations_evaluate_alike() {
        for seed in 0..200 {
            for position in [random_play(seed, seed as u32 % 60), scattered(seed, 25)] {
                let values = orientations(position).map(evaluated);
                assert_eq!(values, [values[0]; 8], "{position:?}");
            }
        }
    }

    #[test]
    fn but_for_the_tempo_the_sides_are_exchanged_by_a_pass() {
        for seed in 0..200 {
            let position = random_play(seed, 4 + seed as u32 % 50);
            let values = [position, position.passed()].map(evaluated);
            let tempo = features::tempo(position.empties().count() as i32);
            let cut_off = values.iter().any(|value| value.abs() >= MOST);
            assert!(
                cut_off || values[0] + values[1] == 2 * tempo,
                "{position:?}"
            );
        }
    }

    #[test]
    fn a_finished_game_is_worth_its_score() {
        let finished: Vec<_> = (0..60).map(|seed| random_play(seed, 0)).collect();
        assert!(
            finished
                .iter()
                .any(|position| !position.empties().is_empty())
        );
        for position in finished {
            assert_eq!(evaluated(position), final_value(position), "{position:?}");
        }
    }
}
