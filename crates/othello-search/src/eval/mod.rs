//! The evaluation: what a position is worth without looking ahead.
//!
//! This is all that the rest of the search knows of it: [`evaluate`] for leaves and for ordering
//! high in the tree. Its inside may be replaced without a change elsewhere.

mod features;

use othello_core::{Backend, Position};

pub(crate) use features::Features;

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
