//! The linear reference model: a weight for each row and phase, summed, as in Edax.

use othello_search::eval::{HEADS, LinearWeights, QuantizeError, ROWS};

use super::{Features, Model, NumbersError};

/// A sum of one weight for each pattern instance and each mobility table, with tables of weights for each phase of the
/// game.
///
/// The evaluation of Edax has this form. The network is compared with this model. The optimizer is Adagrad for each
/// weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    weights: Vec<Weight>,
    biases: Vec<Weight>,
    /// The number of disc counts that share a table.
    phase: u32,
    rate: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Weight {
    value: f32,
    /// The sum of squared gradients.
    squares: f32,
}

/// The initial weight.
const FRESH: Weight = Weight {
    value: 0.0,
    squares: 1e-3,
};

impl Linear {
    /// Makes an untrained model: weights of 0, a table for each `phase` disc counts. `rate` is the
    /// learning rate: the length of the first Adagrad step in discs.
    pub fn new(phase: u32, rate: f32) -> Self {
        let phase = phase.max(1);
        let tables = HEADS.div_ceil(phase as usize);
        Self {
            weights: vec![FRESH; tables * ROWS],
            biases: vec![FRESH; HEADS],
            phase,
            rate,
        }
    }

    /// Quantizes the weights to the integers of the search.
    ///
    /// # Errors
    ///
    /// Fails if weights are not finite, as after learning rates that are too high.
    pub fn quantized(&self) -> Result<LinearWeights, QuantizeError> {
        let values = |weights: &[Weight]| weights.iter().map(|weight| weight.value).collect();
        let (biases, weights): (Vec<f32>, Vec<f32>) = (values(&self.biases), values(&self.weights));
        LinearWeights::quantized(self.phase, &biases, &weights)
    }

    fn table(&self, head: u32) -> usize {
        (head / self.phase) as usize * ROWS
    }
}

impl Weight {
    #[inline(always)]
    fn learn(&mut self, gradient: f32, rate: f32) {
        self.squares += gradient * gradient;
        self.value -= rate * gradient / self.squares.sqrt();
    }
}

impl Model for Linear {
    fn kind(&self) -> String {
        format!("linear, {} discs a table", self.phase)
    }

    #[inline(always)]
    fn predict(&self, features: &Features) -> f32 {
        let table = &self.weights[self.table(features.head)..][..ROWS];
        let bias = self.biases[features.head as usize].value;
        let add = |sum, row: &u32| sum + table[*row as usize].value;
        features.rows.iter().fold(bias, add)
    }

    #[inline(always)]
    fn learn(&mut self, features: &Features, rate: f32) -> f32 {
        let error = self.predict(features) - features.score;
        let rate = rate * self.rate;
        let table = self.table(features.head);
        for &row in &features.rows {
            self.weights[table + row as usize].learn(error, rate);
        }
        self.biases[features.head as usize].learn(error, rate);
        error
    }

    fn numbers(&self) -> Vec<f32> {
        let all = self.weights.iter().chain(&self.biases);
        all.flat_map(|weight| [weight.value, weight.squares])
            .collect()
    }

    fn set_numbers(&mut self, numbers: &[f32]) -> Result<(), NumbersError> {
        NumbersError::check(2 * (self.weights.len() + self.biases.len()), numbers)?;
        let all = self.weights.iter_mut().chain(&mut self.biases);
        for (weight, numbers) in all.zip(numbers.chunks_exact(2)) {
            weight.value = numbers[0];
            weight.squares = numbers[1];
        }
        Ok(())
    }

    fn scale_gradient_sums(&mut self, factor: f32) {
        for weight in self.weights.iter_mut().chain(&mut self.biases) {
            weight.squares = FRESH.squares + (weight.squares - FRESH.squares) * factor;
        }
    }
}
