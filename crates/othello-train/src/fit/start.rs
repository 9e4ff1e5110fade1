//! Starting from weights whose fit is gone: those that are built in, or any other file of them.

use othello_search::eval::{HIDDEN, ModelHead, Weights};

use super::{
    Model as _, Network, Rates,
    network::{FRESH_HEAD_SQUARES, FRESH_ROW, FRESH_ROW_SQUARES},
    run::each_block,
    stream::Selection,
};
use crate::corpus::{Corpus, CorpusError, Split};

/// What the largest number of a hidden unit in any row is in terms of the root mean square of its
/// numbers in the heads: it was 0.45 to 0.65 in a short fit from scratch.
const BALANCE: f32 = 0.5;

impl Network<HIDDEN> {
    /// A network that predicts what the weights do, but for what rounding lost, and whose rows decay
    /// draws to what they are at first.
    ///
    /// Weights do not tell how large the numbers of a unit were in the rows and how large in the
    /// heads, and how far a step of learning goes depends on that: they are balanced as a fit
    /// balances them. Nor do they tell how well each row is known: see [`survey`](Self::survey).
    ///
    /// What rows are drawn to is not among the [numbers](super::Model::numbers): a fit that starts
    /// from those of this network draws rows to 0.
    pub fn with_weights(weights: &Weights<'_>, rates: Rates) -> Self {
        let model = weights.model();
        let mut network = Self::new(0, rates);
        let scales: [f32; HIDDEN] = std::array::from_fn(|unit| {
            let rows = model.rows.iter().flatten().map(|row| row[unit].abs());
            let largest = rows.fold(0.0, f32::max);
            let sides = |head: &ModelHead| [head.above[unit], head.below[unit]];
            // Weights of the first format have one side alone, which says nothing of their size.
            let weights = model.heads.iter().flat_map(sides);
            let learnt: Vec<f32> = weights.filter(|&weight| weight != 0.0).collect();
            let squares: f32 = learnt.iter().map(|weight| weight * weight).sum();
            let in_heads = (squares / learnt.len().max(1) as f32).sqrt();
            if largest == 0.0 {
                1.0
            } else if in_heads == 0.0 {
                // As small as those of a network that knows nothing: no head asks for them.
                FRESH_ROW / largest
            } else {
                (BALANCE * in_heads / largest).sqrt()
            }
        });
        for (at, row) in model.rows.iter().enumerate() {
            let values = row.unwrap_or([0.0; HIDDEN]);
            network.rows[at].0 = std::array::from_fn(|unit| values[unit] * scales[unit]);
            if row.is_some() {
                network.row_squares[at] = FRESH_ROW_SQUARES.next_up();
            }
        }
        for (head, from) in network.heads.iter_mut().zip(&model.heads) {
            head.above = std::array::from_fn(|unit| from.above[unit] / scales[unit]);
            head.below = std::array::from_fn(|unit| from.below[unit] / scales[unit]);
            head.bias = from.bias;
            head.squares = FRESH_HEAD_SQUARES.next_up();
        }
        network.origin = Some(network.rows.clone());
        network
    }

    /// Reckons how well rows and heads of a network just made of weights are known: about as if they
    /// had been learnt from the games of the corpus that are not held out in so many epochs.
    /// Nothing else is learnt.
    ///
    /// # Errors
    ///
    /// When the games cannot be read.
    pub fn survey(
        &mut self,
        corpus: &Corpus,
        split: Split,
        epochs: u32,
    ) -> Result<(), CorpusError> {
        let selection = Selection {
            split,
            held_out: false,
            shuffle: None,
        };
        each_block(corpus, &selection, &mut |block| {
            for features in &block.samples {
                self.weigh(features);
            }
            Ok::<(), CorpusError>(())
        })?;
        self.forget(epochs as f32);
        Ok(())
    }
}
