//! What is learnt of a position, between how its game ended and what a network made of it on the way.

use std::{fmt, sync::Arc};

use othello_search::eval::{Network, ReadWeightsError};

use crate::record::Sample;

/// A network that corrects the scores of games.
///
/// How a game ended says little of a position many moves before: players err. What a network takes
/// the next positions for errs too, but less by chance. So of a position the target is that of the
/// next one, mixed with what the network takes the next one for: λ parts of the former, 1 − λ of
/// the latter. That is the λ-return of temporal-difference learning (Sutton, "Learning to predict by
/// the methods of temporal differences", Machine Learning 3, 1988), with a network that stays as it
/// is.
#[derive(Clone)]
pub struct Teacher {
    network: Arc<Network>,
    lambda: f32,
    /// The checksum of its file.
    weights: u32,
}

impl Teacher {
    /// The teacher with the weights in the bytes of a file, and λ from 0 to 1.
    ///
    /// # Errors
    ///
    /// When the bytes are not weights.
    pub fn read(bytes: &[u8], lambda: f32) -> Result<Self, ReadWeightsError> {
        Ok(Self {
            network: Arc::new(Network::read(bytes)?),
            lambda,
            weights: crc32fast::hash(bytes),
        })
    }

    /// What the targets depend on, besides the games.
    pub(crate) fn signature(&self) -> [u8; 8] {
        let [a, b, c, d] = self.weights.to_le_bytes();
        let [e, f, g, h] = self.lambda.to_le_bytes();
        [a, b, c, d, e, f, g, h]
    }

    /// Corrects the scores of a game's samples, which follow each other. From `solve_from` empty
    /// squares on play was perfect and scores are true.
    pub(crate) fn correct(&self, samples: &mut [Sample], solve_from: u32) {
        for at in (1..samples.len()).rev() {
            let next = samples[at];
            if next.position.empties().count() > solve_from {
                let estimate = self.network.evaluate(next.position).discs();
                samples[at - 1].score =
                    -(self.lambda * next.score + (1.0 - self.lambda) * estimate);
            }
        }
    }
}

impl fmt::Debug for Teacher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            lambda, weights, ..
        } = self;
        write!(f, "Teacher {{ weights: {weights:08x}, lambda: {lambda} }}")
    }
}

#[cfg(test)]
mod tests {
    use othello_search::eval::{Model, Weights};

    use super::*;
    use crate::player::{Player, Recipe};

    /// A network that takes every position for three discs.
    fn three() -> Vec<u8> {
        let mut model = Model::default();
        for head in &mut model.heads {
            head.bias = 3.0;
        }
        Weights::quantised(&model).unwrap().to_bytes()
    }

    /// The samples of a game whose end is played perfectly from eight empty squares on.
    fn samples() -> Vec<Sample> {
        let recipe = Recipe {
            depth: 0,
            solve_from: 8,
            ..Recipe::default()
        };
        let mut samples = Vec::new();
        let game = Player::new(&recipe).play(1).unwrap();
        game.samples(&mut samples).unwrap();
        samples
    }

    #[test]
    fn a_score_is_mixed_of_the_next_one_and_its_estimate_until_play_is_perfect() {
        let before = samples();
        let mut after = before.clone();
        Teacher::read(&three(), 0.75)
            .unwrap()
            .correct(&mut after, 8);
        let mut corrected = 0;
        for at in 0..before.len() {
            let expected = match after.get(at + 1) {
                Some(next) if next.position.empties().count() > 8 => {
                    corrected += 1;
                    -(0.75 * next.score + 0.25 * 3.0)
                }
                _ => before[at].score,
            };
            let expected = Sample {
                score: expected,
                ..before[at]
            };
            assert_eq!(after[at], expected, "{at}");
        }
        assert!(corrected > 10 && corrected < before.len(), "{corrected}");
    }

    #[test]
    fn a_teacher_whose_word_counts_for_nothing_changes_nothing() {
        let mut corrected = samples();
        Teacher::read(&three(), 1.0)
            .unwrap()
            .correct(&mut corrected, 8);
        assert_eq!(corrected, samples());
    }
}
