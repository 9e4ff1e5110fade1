//! Training targets between the final score of a game and a network's estimates.

use std::{fmt, sync::Arc};

use othello_search::eval::{Network, ReadWeightsError};

use crate::record::Sample;

/// A fixed network that corrects the scores of games.
///
/// The final score of a game is a noisy label for a position many moves before the end. A network's
/// estimate of the next position has errors too, but less variance. The target of a position is
/// therefore λ times the target of the next position plus 1 − λ times the network's estimate of the
/// next position. This is the λ-return of temporal-difference learning (Sutton, "Learning to predict
/// by the methods of temporal differences", Machine Learning 3, 1988).
#[derive(Clone)]
pub struct Teacher {
    network: Arc<Network>,
    lambda: f32,
    /// The checksum of the file of weights.
    weights: u32,
}

impl Teacher {
    /// Makes a teacher from the bytes of a file of weights and a λ from 0 to 1.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not weights.
    pub fn read(bytes: &[u8], lambda: f32) -> Result<Self, ReadWeightsError> {
        Ok(Self {
            network: Arc::new(Network::read(bytes)?),
            lambda,
            weights: crc32fast::hash(bytes),
        })
    }

    /// An identifier of the teacher: the checksum of its weights, and λ.
    pub(crate) fn signature(&self) -> [u8; 8] {
        let [a, b, c, d] = self.weights.to_le_bytes();
        let [e, f, g, h] = self.lambda.to_le_bytes();
        [a, b, c, d, e, f, g, h]
    }

    /// Corrects the scores of consecutive samples of a game. From `solve_from` empty squares on play
    /// was perfect, so scores are exact and stay.
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

    /// A network that evaluates every position as three discs.
    fn three() -> Vec<u8> {
        let mut model = Model::default();
        for head in &mut model.heads {
            head.bias = 3.0;
        }
        Weights::quantized(&model).unwrap().to_bytes()
    }

    /// The samples of a game that is played perfectly from eight empty squares on.
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
    fn a_target_mixes_the_next_target_and_its_estimate_until_play_is_perfect() {
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
    fn lambda_1_changes_nothing() {
        let mut corrected = samples();
        Teacher::read(&three(), 1.0)
            .unwrap()
            .correct(&mut corrected, 8);
        assert_eq!(corrected, samples());
    }
}
