//! The network as integers, and what that costs.

use othello_core::Position;
use othello_search::eval::{self, HEADS, ModelHead, QuantiseError, ROWS, Weights};

use crate::{
    corpus::{Corpus, CorpusError, Split},
    fit::{Errors, Network},
    record::Sample,
};

impl Network<{ eval::HIDDEN }> {
    /// The network as the search's own integers, without the rows that were never learnt from.
    ///
    /// # Errors
    ///
    /// When its numbers are too large for them, as after rates that are too high.
    pub fn shrunk(&self) -> Result<Weights<'static>, QuantiseError> {
        Weights::quantised(&self.model())
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

    /// The head nearest to one that was learnt from, itself if it was: games have few positions
    /// before the first moves that are not random, or none.
    fn nearest_learnt(&self, head: usize) -> usize {
        let learnt = (0..HEADS).filter(|&other| self.heads[other].is_learnt());
        learnt
            .min_by_key(|&other| other.abs_diff(head))
            .unwrap_or(head)
    }
}

/// The errors of any evaluation, in discs from the side to move, on the games held out.
///
/// # Errors
///
/// When the games cannot be read.
pub fn judge(
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
    fn the_integers_predict_what_the_network_does() {
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
        let weights = network.shrunk().unwrap();
        let seen = (0..ROWS).filter(|&row| network.is_seen(row)).count();
        assert_eq!(weights.stored_rows(), seen);
        assert!(seen < ROWS / 2);
        // No game of these has a sample before its ninth move.
        let model = network.model();
        assert_eq!(model.heads[0], model.heads[8]);
        assert_ne!(model.heads[8], model.heads[9]);
        let small = eval::Network::new(&weights);
        let (mut lost, mut size) = (0.0, 0.0);
        for sample in &samples {
            let exact = network.predict(&Features::of(&map, sample));
            // The search cuts its estimates off.
            if exact.abs() < 50.0 {
                lost += (small.evaluate(sample.position).discs() - exact).abs();
                size += exact.abs();
            }
        }
        assert!(lost < 0.1 * size, "{lost} of {size}");
    }
}
