//! Starting a fit from quantized weights whose model no longer exists.

use othello_search::eval::{HIDDEN, ModelHead, Weights};

use super::{
    Network, Rates,
    network::{FRESH_HEAD_SQUARES, FRESH_ROW, FRESH_ROW_SQUARES},
    run::each_block,
    stream::Selection,
};
use crate::corpus::{Corpus, Split};

/// The ratio of the largest value of a hidden unit in any row to the root mean square of its weights
/// in the heads: 0.45 to 0.65 in a short fit from scratch.
const BALANCE: f32 = 0.5;

impl Network<HIDDEN> {
    /// Creates a network from quantized weights, with equal predictions up to rounding. Weight decay
    /// pulls its rows to these weights instead of 0.
    ///
    /// The weights determine a hidden unit only up to a factor between rows and heads, which affects
    /// the length of steps; it is chosen as in fits from scratch. Nor do the weights determine the
    /// sums of squared gradients: see [`estimate_gradient_sums`](Self::estimate_gradient_sums).
    ///
    /// The target of weight decay is not part of the [numbers](Network::numbers): a network with the
    /// numbers of this one decays to 0.
    pub(crate) fn from_weights(weights: &Weights<'_>, rates: Rates) -> Self {
        let model = weights.model();
        let mut network = Self::new(0, rates);
        let scales: [f32; HIDDEN] = std::array::from_fn(|unit| {
            let rows = model.rows.iter().flatten().map(|row| row[unit].abs());
            let largest = rows.fold(0.0, f32::max);
            let sides = |head: &ModelHead| [head.above[unit], head.below[unit]];
            // A unit may be used on one side only, so zeros do not count.
            let weights = model.heads.iter().flat_map(sides);
            let learnt: Vec<f32> = weights.filter(|&weight| weight != 0.0).collect();
            let squares: f32 = learnt.iter().map(|weight| weight * weight).sum();
            let in_heads = (squares / learnt.len().max(1) as f32).sqrt();
            if largest == 0.0 {
                1.0
            } else if in_heads == 0.0 {
                // No head uses the unit: scaled to the initial range of a network.
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

    /// Estimates the sums of squared gradients of a network just made from weights: about those of
    /// `epochs` epochs of training on the corpus without its held-out games. Rows and heads do not
    /// change.
    pub(crate) fn estimate_gradient_sums(
        &mut self,
        corpus: &Corpus,
        split: Split,
        epochs: u32,
    ) -> anyhow::Result<()> {
        let selection = Selection {
            split,
            held_out: false,
            shuffle: None,
        };
        each_block(corpus, &selection, &mut |block| {
            for features in &block.samples {
                self.add_gradient(features);
            }
            Ok(())
        })?;
        self.scale_gradient_sums(epochs as f32);
        Ok(())
    }
}
