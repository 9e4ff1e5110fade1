//! Quantization of a network, and the errors of an evaluation.

use othello_core::Position;
use othello_search::eval::{self, HEADS, ModelHead, QuantizeError, ROWS, Weights};

use crate::{
    corpus::{Corpus, CorpusError, Split},
    fit::{Errors, Network},
    record::Sample,
};

impl Network<{ eval::HIDDEN }> {
    /// Quantizes the network to the integers of the search, without the rows that no sample had.
    ///
    /// # Errors
    ///
    /// Fails if numbers are out of range, as after learning rates that are too high.
    pub fn quantized(&self) -> Result<Weights<'static>, QuantizeError> {
        Weights::quantized(&self.model())
    }

    fn model(&self) -> eval::Model {
        let row = |row: usize| self.is_seen(row).then(|| self.rows[row].0);
        let heads = (0..HEADS).map(|at| {
            let head = &self.heads[self.nearest_learnt(at)];
            ModelHead {
                above: head.above,
                below: head.below,
                bias: head.bias,
            }
        });
        eval::Model {
            rows: (0..ROWS).map(row).collect(),
            heads: heads.collect(),
        }
    }

    /// The nearest head that has learnt from samples, possibly `head` itself: games have few or no
    /// samples with the first numbers of discs.
    fn nearest_learnt(&self, head: usize) -> usize {
        let learnt = (0..HEADS).filter(|&other| self.heads[other].is_learnt());
        learnt
            .min_by_key(|&other| other.abs_diff(head))
            .unwrap_or(head)
    }
}

/// The errors of an evaluation function on held-out games; `evaluate` returns discs from the point of
/// view of the side to move.
///
/// # Errors
///
/// Fails if the games cannot be read.
pub fn evaluation_errors(
    corpus: &Corpus,
    split: Split,
    evaluate: &mut dyn FnMut(Position) -> f32,
) -> Result<Errors, CorpusError> {
    let mut errors = Errors::default();
    let mut samples: Vec<Sample> = Vec::new();
    let mut games = corpus.games()?;
    while let Some(game) = games.replay_held_out(split, &mut samples) {
        game?;
        for sample in &samples {
            let error = evaluate(sample.position) - sample.score;
            errors.add(sample.head(), error);
        }
    }
    Ok(errors)
}

#[cfg(test)]
mod tests {
    use othello_search::eval::RowMap;

    use super::*;
    use crate::{
        fit::{Features, Model as _, Rates},
        player::{Player, Recipe},
    };

    #[test]
    fn the_quantized_network_predicts_nearly_the_same() {
        let recipe = Recipe {
            depth: 0,
            solve_from: 4,
            ..Recipe::default()
        };
        let (mut player, mut samples) = (Player::new(&recipe), Vec::new());
        for number in 0..150 {
            player.play(number).unwrap().samples(&mut samples).unwrap();
        }
        let map = RowMap::new();
        let mut network = Network::new(1, Rates::default());
        for sample in &samples {
            network.learn(&Features::of(&map, sample), 1.0);
        }
        let weights = network.quantized().unwrap();
        let seen = (0..ROWS).filter(|&row| network.is_seen(row)).count();
        assert_eq!(weights.stored_rows(), seen);
        assert!(seen < ROWS / 2);
        // These games have no sample before the ninth move.
        let model = network.model();
        assert_eq!(model.heads[0], model.heads[8]);
        assert_ne!(model.heads[8], model.heads[9]);
        let quantized = eval::Network::new(&weights);
        let (mut lost, mut size) = (0.0, 0.0);
        for sample in &samples {
            let exact = network.predict(&Features::of(&map, sample));
            // The search clamps its estimates.
            if exact.abs() < 50.0 {
                lost += (quantized.evaluate(sample.position).discs() - exact).abs();
                size += exact.abs();
            }
        }
        assert!(lost < 0.1 * size, "{lost} of {size}");
    }
}
