//! Training targets that mix the final score of a game with estimates on the way.

use std::{fmt, sync::Arc};

use othello_search::eval::{Network, ReadWeightsError};

use crate::record::Sample;

/// The training targets of a model: final scores of games, mixed with estimates.
///
/// The final score of a game is a noisy label for a position many moves before the end. An estimate of the next
/// position has errors too, but less variance. The target of a position is therefore λ times the target of the next
/// position plus 1 − λ times the estimate of the next position. This is the λ-return of temporal-difference learning
/// (Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3, 1988).
///
/// The estimates are the search values recorded during the game, or, if there are none, those of a fixed network,
/// the teacher; without either the targets are the final scores. Once play is perfect, the final score is exact and
/// is the target.
#[derive(Clone)]
pub(crate) struct Targets {
    lambda: f32,
    teacher: Option<Arc<Network>>,
    /// The checksum of the teacher's weights, 0 without one.
    weights: u32,
}

impl Default for Targets {
    /// Only the final scores.
    fn default() -> Self {
        Self::new(1.0)
    }
}

impl Targets {
    /// Returns targets with a λ from 0 to 1, and no teacher.
    pub(crate) const fn new(lambda: f32) -> Self {
        Self {
            lambda,
            teacher: None,
            weights: 0,
        }
    }

    /// Adds a teacher for games without values, from the bytes of a file of weights.
    pub(crate) fn with_teacher(self, bytes: &[u8]) -> Result<Self, ReadWeightsError> {
        Ok(Self {
            teacher: Some(Arc::new(Network::read(bytes)?)),
            weights: crc32fast::hash(bytes),
            ..self
        })
    }

    /// Returns bytes that identify the targets: the checksum of the teacher's weights, and λ.
    pub(crate) fn signature(&self) -> [u8; 8] {
        let [a, b, c, d] = self.weights.to_le_bytes();
        let [e, f, g, h] = self.lambda.to_le_bytes();
        [a, b, c, d, e, f, g, h]
    }

    /// Turns the scores of consecutive samples of a game into targets. `values` belong to the positions where the
    /// side to move has a move, from the first sample on; from `solve_from` empty squares on play was perfect.
    pub(crate) fn correct(&self, samples: &mut [Sample], values: &[i16], solve_from: u32) {
        if self.lambda >= 1.0 {
            return;
        }
        let mut searched = samples.iter().filter(|sample| !is_pass(sample)).count();
        for at in (1..samples.len()).rev() {
            let next = samples[at];
            if !is_pass(&next) {
                searched -= 1;
            }
            if next.position.empties().count() <= solve_from {
                continue;
            }
            let recorded = values.get(searched).map(|&value| {
                let value = f32::from(value) / 10.0;
                // A position with a pass takes its value from the next one.
                if is_pass(&next) { -value } else { value }
            });
            if let Some(estimate) = recorded.or_else(|| self.estimate(&next)) {
                samples[at - 1].score =
                    -(self.lambda * next.score + (1.0 - self.lambda) * estimate);
            }
        }
    }

    /// Returns the teacher's estimate of a position.
    fn estimate(&self, sample: &Sample) -> Option<f32> {
        let teacher = self.teacher.as_ref()?;
        Some(teacher.evaluate(sample.position).discs())
    }
}

/// Returns whether the side to move of a sample must pass.
fn is_pass(sample: &Sample) -> bool {
    sample.position.must_pass()
}

impl fmt::Debug for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            lambda, weights, ..
        } = self;
        write!(f, "Targets {{ weights: {weights:08x}, lambda: {lambda} }}")
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

    /// The samples of a game with perfect play from eight empty squares on.
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
        Targets::new(0.75)
            .with_teacher(&three())
            .unwrap()
            .correct(&mut after, &[], 8);
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
    fn values_of_searches_take_the_place_of_a_teacher() {
        let recipe = Recipe {
            depth: 1,
            solve_from: 8,
            ..Recipe::default()
        };
        let mut player = Player::new(&recipe);
        let targets = Targets::new(0.75).with_teacher(&three()).unwrap();
        let (mut corrected, mut passes) = (0, 0);
        for number in 0..40 {
            let game = player.play(number).unwrap();
            let mut before = Vec::new();
            game.samples(&mut before).unwrap();
            let mut after = before.clone();
            targets.correct(&mut after, &game.values, 8);
            let mut values = game.values.iter().map(|&value| f32::from(value) / 10.0);
            // The value of each sample's position until play is perfect.
            let value = |sample: &Sample| {
                if sample.position.empties().count() <= 8 {
                    None
                } else if sample.position.must_pass() {
                    Some(f32::NAN)
                } else {
                    values.next()
                }
            };
            let mut estimates: Vec<_> = before.iter().map(value).collect();
            assert_eq!(values.next(), None, "all values belong to a position");
            for at in (1..before.len()).rev() {
                if estimates[at - 1].is_some_and(f32::is_nan) {
                    passes += 1;
                    estimates[at - 1] = estimates[at].map(|next: f32| -next);
                }
                let expected = match estimates[at] {
                    Some(estimate) => {
                        corrected += 1;
                        -(0.75 * after[at].score + 0.25 * estimate)
                    }
                    None => before[at - 1].score,
                };
                let found = after[at - 1].score;
                assert!(
                    (found - expected).abs() < 1e-4,
                    "game {number}, {at}: {found} {expected}"
                );
            }
        }
        assert!(corrected > 500 && passes > 0, "{corrected} {passes}");
    }

    #[test]
    fn scores_stay_without_estimates_or_with_a_lambda_of_1() {
        let taught = Targets::new(1.0).with_teacher(&three()).unwrap();
        for targets in [Targets::new(0.5), taught] {
            let mut corrected = samples();
            targets.correct(&mut corrected, &[], 8);
            assert_eq!(corrected, samples());
        }
    }
}
