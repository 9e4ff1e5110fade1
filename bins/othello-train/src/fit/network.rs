//! The network of the evaluation in floating point: rows of hidden values, and a head for each
//! number of discs.

use anyhow::ensure;
use othello_search::eval::{HEADS, INPUTS, ROWS};

use super::Features;
use crate::random::mix;

/// A network with H hidden values, a power of two, in 32-bit floating point, with the state of its
/// optimizer.
///
/// The rows of a position are summed. The head for the number of discs has separate weights for the
/// positive and the negative part of each sum (concatenated rectified linear units, Shang et al.
/// 2016). The optimizer is row-wise Adagrad, one sample at a time: each row and each head has one
/// sum of squared gradients, and a step is the gradient divided by the root of that sum (Duchi,
/// Hazan and Singer 2011; by rows as for embeddings in recommendation, Gupta et al. 2014).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Network<const H: usize> {
    pub(crate) rows: Vec<Row<H>>,
    pub(crate) row_squares: Vec<f32>,
    pub(crate) heads: Vec<Head<H>>,
    /// The values to which weight decay pulls the rows, if not 0.
    pub(super) origin: Option<Vec<Row<H>>>,
    pub(crate) rates: Rates,
}

/// The learning rates of a network. A rate is the length of the first Adagrad step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates {
    /// The learning rate of the hidden values of rows.
    pub(crate) rows: f32,
    /// The learning rate of the weights and biases of heads.
    pub(crate) heads: f32,
    /// The strength of the weight decay of rows, towards 0 or the weights that the network was made from. Each
    /// sample adds the distance times `decay` divided by the sum of squared gradients to a row's gradient, but at
    /// most so much that the row reaches its target. Summed over the samples of a row, this is ridge regression
    /// with the same strength for all rows.
    pub(crate) decay: f32,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            rows: 0.1,
            heads: 1.0,
            decay: 1_000_000.0,
        }
    }
}

/// The hidden values of a row, aligned to cache lines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Row<const H: usize>(pub(crate) [f32; H]);

/// The output layer for one number of discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Head<const H: usize> {
    /// The weights of the positive parts of hidden values.
    pub(crate) above: [f32; H],
    /// The weights of the negative parts of hidden values, taken as positive numbers.
    pub(crate) below: [f32; H],
    pub(crate) bias: f32,
    /// The sum of squared gradients.
    pub(crate) squares: f32,
}

impl<const H: usize> Head<H> {
    /// Returns `true` if the head has learnt from a sample, or if the network was made of weights.
    pub(crate) fn is_learnt(&self) -> bool {
        self.squares > FRESH_HEAD_SQUARES
    }

    /// The derivatives of the score by the hidden values.
    #[inline(always)]
    fn slopes(&self, values: &[f32; H]) -> [f32; H] {
        std::array::from_fn(|at| {
            if values[at] > 0.0 {
                self.above[at]
            } else {
                -self.below[at]
            }
        })
    }

    /// The score, in discs.
    #[inline(always)]
    fn score(&self, values: &[f32; H]) -> f32 {
        self.bias + dot(values, &self.slopes(values))
    }
}

/// The derivatives of half the squared error.
pub(super) struct Gradient<const H: usize> {
    /// The predicted score minus the true one, which is also the derivative by the bias.
    pub(super) error: f32,
    /// The derivatives by the hidden values of each row.
    pub(super) hidden: [f32; H],
    /// The derivatives by the head's weights of positive parts.
    pub(super) above: [f32; H],
    /// The derivatives by the head's weights of negative parts.
    pub(super) below: [f32; H],
}

impl<const H: usize> Gradient<H> {
    /// The mean square that is added to the sum of each row.
    #[inline(always)]
    fn row_square(&self) -> f32 {
        dot(&self.hidden, &self.hidden) / H as f32
    }

    /// The mean square that is added to the sum of the head.
    #[inline(always)]
    fn head_square(&self) -> f32 {
        let weights = dot(&self.above, &self.above) + dot(&self.below, &self.below);
        // One part of each hidden value is 0.
        (weights + self.error * self.error) / (H + 1) as f32
    }
}

/// The maximum absolute initial hidden value.
pub(super) const FRESH_ROW: f32 = 0.02;
/// The initial sum of squared gradients of a row: about that of some hundred samples, so that a
/// rarely seen row stays near 0, the value of rows never seen.
pub(super) const FRESH_ROW_SQUARES: f32 = 1000.0;
/// The initial sum of squared gradients of a head.
pub(super) const FRESH_HEAD_SQUARES: f32 = 1e-3;

impl<const H: usize> Network<H> {
    /// Creates an untrained network with small random values, so that hidden values become different features.
    pub(crate) fn new(seed: u64, rates: Rates) -> Self {
        let noise = |number: u64| (mix(mix(seed) ^ number) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let row = |row: usize| {
            Row(std::array::from_fn(|at| {
                FRESH_ROW * noise((row * H + at) as u64)
            }))
        };
        // The same for all numbers of discs, so that a hidden value has one meaning for all heads.
        let head = Head {
            above: std::array::from_fn(|at| noise(u64::MAX - at as u64)),
            below: std::array::from_fn(|at| noise(u64::MAX - (H + at) as u64)),
            bias: 0.0,
            squares: FRESH_HEAD_SQUARES,
        };
        Self {
            rows: (0..ROWS).map(row).collect(),
            row_squares: vec![FRESH_ROW_SQUARES; ROWS],
            heads: vec![head; HEADS],
            origin: None,
            rates,
        }
    }

    /// Returns `true` if the row was part of a sample, or of the weights that the network was made of.
    pub(crate) fn is_seen(&self, row: usize) -> bool {
        self.row_squares[row] > FRESH_ROW_SQUARES
    }

    /// The hidden values before rectification.
    #[inline(always)]
    pub(super) fn hidden(&self, rows: &[u32; INPUTS]) -> [f32; H] {
        let mut sums = [0.0; H];
        for &row in rows {
            for (sum, value) in sums.iter_mut().zip(&self.rows[row as usize].0) {
                *sum += value;
            }
        }
        sums
    }

    #[inline(always)]
    pub(super) fn gradient(&self, features: &Features) -> Gradient<H> {
        let head = &self.heads[features.head as usize];
        let values = self.hidden(&features.rows);
        let error = head.score(&values) - features.score;
        Gradient {
            error,
            hidden: head.slopes(&values).map(|slope| slope * error),
            above: values.map(|value| relu(value) * error),
            below: values.map(|value| relu(-value) * error),
        }
    }

    /// Adds a sample's squared gradients to the sums without a step.
    pub(super) fn add_gradient(&mut self, features: &Features) {
        let gradient = self.gradient(features);
        let square = gradient.row_square();
        for &row in &features.rows {
            self.row_squares[row as usize] += square;
        }
        self.heads[features.head as usize].squares += gradient.head_square();
    }

    /// Returns the predicted score in discs.
    #[inline(always)]
    pub(crate) fn predict(&self, features: &Features) -> f32 {
        self.heads[features.head as usize].score(&self.hidden(&features.rows))
    }

    /// Learns from a sample. `rate` is a factor of the learning rate, 0 to 1. Returns the error of the prediction
    /// before: the predicted score minus the true one, in discs.
    #[inline(always)]
    pub(crate) fn learn(&mut self, features: &Features, rate: f32) -> f32 {
        let gradient = self.gradient(features);
        let square = gradient.row_square();
        if square > 0.0 {
            let rate = rate * self.rates.rows;
            let steps_to_one = rate.recip();
            for &row in &features.rows {
                let row = row as usize;
                self.row_squares[row] += square;
                let root = self.row_squares[row].sqrt();
                let step = rate / root;
                // Decay never moves a row beyond its origin.
                let whole = root * steps_to_one;
                let decay = (self.rates.decay / self.row_squares[row]).min(whole);
                let origin = self.origin.as_ref().map_or([0.0; H], |rows| rows[row].0);
                for ((value, derivative), origin) in self.rows[row]
                    .0
                    .iter_mut()
                    .zip(&gradient.hidden)
                    .zip(&origin)
                {
                    *value -= step * (derivative + decay * (*value - origin));
                }
            }
        }
        let head = &mut self.heads[features.head as usize];
        head.squares += gradient.head_square();
        let step = rate * self.rates.heads / head.squares.sqrt();
        for (weights, gradient) in [
            (&mut head.above, &gradient.above),
            (&mut head.below, &gradient.below),
        ] {
            for (weight, derivative) in weights.iter_mut().zip(gradient) {
                *weight -= step * derivative;
            }
        }
        head.bias -= step * gradient.error;
        gradient.error
    }

    /// Returns all parameters, including the state of the optimizer.
    pub(crate) fn numbers(&self) -> Vec<f32> {
        let rows = self.rows.iter().flat_map(|row| row.0);
        let heads = self.heads.iter().flat_map(|head| {
            let others = [head.bias, head.squares];
            head.above.into_iter().chain(head.below).chain(others)
        });
        rows.chain(self.row_squares.iter().copied())
            .chain(heads)
            .collect()
    }

    /// Sets all parameters, as returned by [`numbers`](Self::numbers).
    pub(crate) fn set_numbers(&mut self, numbers: &[f32]) -> anyhow::Result<()> {
        let (expected, found) = (ROWS * (H + 1) + HEADS * (2 * H + 2), numbers.len());
        ensure!(
            expected == found,
            "expected the {expected} numbers of a model, found {found}"
        );
        let (rows, numbers) = numbers.split_at(ROWS * H);
        let (squares, heads) = numbers.split_at(ROWS);
        for (row, numbers) in self.rows.iter_mut().zip(rows.chunks_exact(H)) {
            row.0.copy_from_slice(numbers);
        }
        self.row_squares.copy_from_slice(squares);
        for (head, numbers) in self.heads.iter_mut().zip(heads.chunks_exact(2 * H + 2)) {
            let (weights, others) = numbers.split_at(2 * H);
            head.above.copy_from_slice(&weights[..H]);
            head.below.copy_from_slice(&weights[H..]);
            [head.bias, head.squares] = [others[0], others[1]];
        }
        Ok(())
    }

    /// Multiplies the sums of squared gradients, by which steps are divided, by `factor`. A factor
    /// below 1 gives later samples more weight relative to earlier ones, a factor above 1 less.
    pub(crate) fn scale_gradient_sums(&mut self, factor: f32) {
        for squares in &mut self.row_squares {
            *squares = scaled(*squares, FRESH_ROW_SQUARES, factor);
        }
        for head in &mut self.heads {
            head.squares = scaled(head.squares, FRESH_HEAD_SQUARES, factor);
        }
    }
}

/// A sum of squared gradients multiplied by a factor. A sum above the initial value stays above it,
/// since that marks a row or head as learnt.
fn scaled(squares: f32, fresh: f32, factor: f32) -> f32 {
    if squares > fresh {
        (fresh + (squares - fresh) * factor).max(fresh.next_up())
    } else {
        squares
    }
}

#[inline(always)]
fn relu(value: f32) -> f32 {
    if value > 0.0 { value } else { 0.0 }
}

/// The dot product. The halves of the products are added until one number is left, an order that is
/// the same on every vector unit.
#[inline(always)]
fn dot<const H: usize>(left: &[f32; H], right: &[f32; H]) -> f32 {
    const { assert!(H.is_power_of_two()) };
    let mut products = [0.0; H];
    for (product, (left, right)) in products.iter_mut().zip(left.iter().zip(right)) {
        *product = left * right;
    }
    let mut width = H;
    while width > 1 {
        width /= 2;
        for at in 0..width {
            products[at] += products[at + width];
        }
    }
    products[0]
}
