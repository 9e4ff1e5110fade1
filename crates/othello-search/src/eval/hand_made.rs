//! The hand-made evaluation: what its features are worth together.

use othello_core::{Backend, Position};

use super::features::{self, Features};
use crate::score::{DISC, final_value};

/// Estimates stay below what only a search to the end can prove.
const MOST: i32 = 60 * DISC;

/// The estimated value in units of a disc, from the side to move, exact when the game is over.
#[inline(always)]
pub(super) fn value<B: Backend>(backend: B, position: Position) -> i32 {
    let own = Features::of(backend, position);
    let opponent = Features::of(backend, position.passed());
    if own.mobility == 0 && opponent.mobility == 0 {
        return final_value(position);
    }
    let empties = position.empties().count() as i32;
    let balance = features::balance(&own, &opponent, empties);
    (balance + features::tempo(empties)).clamp(-MOST, MOST)
}

#[cfg(test)]
mod tests {
    use othello_core::{Tier, WithBackend};

    use super::*;
    use crate::testing::random_play;

    struct Value(Position);

    impl WithBackend for Value {
        type Output = i32;

        fn run<B: Backend>(self, backend: B) -> i32 {
            value(backend, self.0)
        }
    }

    #[test]
    fn but_for_the_tempo_the_sides_are_exchanged_by_a_pass() {
        for seed in 0..200 {
            let position = random_play(seed, 4 + seed as u32 % 50);
            let values = [position, position.passed()]
                .map(|position| Tier::best().dispatch(Value(position)));
            let tempo = features::tempo(position.empties().count() as i32);
            let cut_off = values.iter().any(|value| value.abs() >= MOST);
            assert!(
                cut_off || values[0] + values[1] == 2 * tempo,
                "{position:?}"
            );
        }
    }
}
