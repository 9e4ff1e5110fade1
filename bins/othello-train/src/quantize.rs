//! Quantization of a network, and the errors of an evaluation.

use othello_core::Position;
use othello_search::eval::{self, HEADS, ModelHead, QuantizeError, ROWS, Weights};

use crate::{
    corpus::{Corpus, Split},
    fit::{Errors, Network},
    record::Sample,
};

impl Network<{ eval::HIDDEN }> {
    /// Quantizes the network to the integers of the search, with at most `max_rows` rows, those with the largest sums
    /// of squared gradients. Rows without samples are left out.
    pub(crate) fn quantized(&self, max_rows: usize) -> Result<Weights<'static>, QuantizeError> {
        Weights::quantized(&self.model(max_rows))
    }

    fn model(&self, max_rows: usize) -> eval::Model {
        let mut kept: Vec<usize> = (0..ROWS).filter(|&row| self.is_seen(row)).collect();
        kept.sort_by(|&one, &other| self.row_squares[other].total_cmp(&self.row_squares[one]));
        kept.truncate(max_rows);
        kept.sort_unstable();
        let row = |row: usize| kept.binary_search(&row).is_ok().then(|| self.rows[row].0);
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

    /// Returns the nearest head that has learnt from samples, possibly `head` itself: games have few or no samples
    /// with the lowest numbers of discs.
    fn nearest_learnt(&self, head: usize) -> usize {
        let learnt = (0..HEADS).filter(|&other| self.heads[other].is_learnt());
        learnt
            .min_by_key(|&other| other.abs_diff(head))
            .unwrap_or(head)
    }
}

/// Returns the errors of an evaluation function on held-out games; `evaluate` returns discs from the point of view of
/// the side to move.
pub(crate) fn evaluation_errors(
    corpus: &Corpus,
    split: Split,
    evaluate: &mut dyn FnMut(Position) -> f32,
) -> anyhow::Result<Errors> {
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
        fit::{Features, Rates},
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
        let weights = network.quantized(ROWS).unwrap();
        let seen = (0..ROWS).filter(|&row| network.is_seen(row)).count();
        assert_eq!(weights.stored_rows(), seen);
        assert!(seen < ROWS / 2);
        // These games have no sample before the ninth move.
        let model = network.model(ROWS);
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
        let few = network.quantized(seen / 2).unwrap();
        assert_eq!(few.stored_rows(), seen / 2);
        let kept = network.model(seen / 2).rows;
        let squares = |row: usize| network.row_squares[row];
        let (kept, dropped): (Vec<usize>, Vec<usize>) =
            (0..ROWS).partition(|&row| kept[row].is_some());
        let least = kept.into_iter().map(squares).fold(f32::INFINITY, f32::min);
        let most = dropped.into_iter().map(squares).fold(0.0, f32::max);
        assert!(most <= least, "{most} {least}");
    }
}
