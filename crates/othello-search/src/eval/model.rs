//! Weights as real numbers, as training produces them, and their quantization.

use super::{
    INPUTS, ROWS,
    weights::{HEADS, HIDDEN, Head, MAX_SHIFT, MAX_WEIGHT, Weights},
};
use crate::score::Units;

/// The weights as real numbers. A hidden unit is the sum of its weights in the rows of a position's inputs. The value
/// in discs is a head's bias plus, for each unit, its distance above or below 0 times the head's weight for that side.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// [`ROWS`] rows; `None` for rows never seen in training or left out.
    pub rows: Vec<Option<[f32; HIDDEN]>>,
    /// [`HEADS`] heads.
    pub heads: Vec<ModelHead>,
}

/// The output layer of a [`Model`] for one disc count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelHead {
    /// Discs per unit of the positive part of each hidden sum.
    pub above: [f32; HIDDEN],
    /// Discs per unit of the negative part of each hidden sum.
    pub below: [f32; HIDDEN],
    /// The bias in discs.
    pub bias: f32,
}

/// The error of quantizing a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantizeError {
    /// A number is infinite or NaN.
    #[error("expected finite numbers in the model")]
    NotFinite,
    /// The heads are too large at every scale.
    #[error("expected heads of the model whose sums fit into 32 bits")]
    Heads,
}

impl Default for Model {
    /// Creates an untrained model, which evaluates every position as a draw.
    fn default() -> Self {
        const HEAD: ModelHead = ModelHead {
            above: [0.0; HIDDEN],
            below: [0.0; HIDDEN],
            bias: 0.0,
        };
        Self {
            rows: vec![None; ROWS],
            heads: vec![HEAD; HEADS],
        }
    }
}

impl Model {
    /// The value in discs of a position with these rows and this head.
    ///
    /// # Panics
    ///
    /// Panics if a row is not below [`ROWS`] or the head not below [`HEADS`].
    pub fn value(&self, rows: &[u32; INPUTS], head: usize) -> f32 {
        let mut hidden = [0.0; HIDDEN];
        for row in rows {
            if let Some(row) = &self.rows[*row as usize] {
                for (unit, weight) in hidden.iter_mut().zip(row) {
                    *unit += weight;
                }
            }
        }
        let head = &self.heads[head];
        let of_unit = |(unit, value): (usize, &f32)| {
            value.max(0.0) * head.above[unit] + (-value).max(0.0) * head.below[unit]
        };
        head.bias + hidden.iter().enumerate().map(of_unit).sum::<f32>()
    }

    /// Quantizes the model. The rows of each unit use a step of their own, which its weight in each head compensates
    /// for: a positive factor does not change the sign of a unit.
    pub(super) fn quantized(&self) -> Result<Weights<'static>, QuantizeError> {
        assert_eq!(self.rows.len(), ROWS, "the rows of a model");
        assert_eq!(self.heads.len(), HEADS, "the heads of a model");
        let mut numbers = self.rows.iter().flatten().flatten();
        if !(numbers.all(|number| number.is_finite())
            && self.heads.iter().all(ModelHead::is_finite))
        {
            return Err(QuantizeError::NotFinite);
        }
        let steps: [f32; HIDDEN] = std::array::from_fn(|unit| {
            let weights = self.rows.iter().flatten().map(|row| row[unit]);
            step(&weights.collect::<Vec<_>>())
        });
        let mut stored = vec![0; ROWS.div_ceil(8)];
        let mut rows = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            if let Some(row) = row {
                stored[at / 8] |= 1 << (at % 8);
                let bytes = |unit| to_byte(row[unit], steps[unit]).cast_unsigned();
                rows.push(std::array::from_fn(bytes));
            }
        }
        let (shift, heads) = self.quantized_heads(&steps).ok_or(QuantizeError::Heads)?;
        Ok(Weights {
            shift,
            heads: heads.into(),
            stored: stored.into(),
            rows: rows.into(),
        })
    }

    /// The heads with the largest shift at which all of them fit, if there is one.
    fn quantized_heads(&self, steps: &[f32; HIDDEN]) -> Option<(u32, Vec<Head>)> {
        let shifts = (1..=MAX_SHIFT).rev();
        let mut attempts = shifts.map(|shift| {
            let heads = self.heads.iter().map(|head| head.quantized(steps, shift));
            (shift, heads.collect::<Option<Vec<_>>>())
        });
        attempts.find_map(|(shift, heads)| Some((shift, heads?)))
    }
}

impl Weights<'_> {
    /// Quantizes a model to the nearest integers.
    ///
    /// # Errors
    ///
    /// Fails if a number is not finite or so large that a head does not fit.
    ///
    /// # Panics
    ///
    /// Panics if the model does not have [`ROWS`] rows and [`HEADS`] heads.
    pub fn quantized(model: &Model) -> Result<Weights<'static>, QuantizeError> {
        model.quantized()
    }

    /// The model of these integers. It differs from the original model by rounding, and by the scale of the rows, which
    /// are whole numbers here; the heads compensate for the scale.
    pub fn model(&self) -> Model {
        let whole = |row: &[u8; HIDDEN]| row.map(|byte| f32::from(byte.cast_signed()));
        let rows = self.all_rows().take(ROWS).map(|row| row.map(whole));
        let unit = Units::DISC.get() as f32 * (1 << self.shift) as f32;
        let heads = self.heads.iter().map(|head| ModelHead {
            above: head.above.map(|weight| f32::from(weight) / unit),
            below: head.below.map(|weight| f32::from(weight) / unit),
            bias: head.bias as f32 / unit,
        });
        Model {
            rows: rows.collect(),
            heads: heads.collect(),
        }
    }
}

impl ModelHead {
    fn is_finite(&self) -> bool {
        let weights = self.above.iter().chain(&self.below);
        let mut numbers = weights.chain([&self.bias]);
        numbers.all(|number| number.is_finite())
    }

    /// Quantizes the head, unless a number is out of range.
    fn quantized(&self, steps: &[f32; HIDDEN], shift: u32) -> Option<Head> {
        let unit = f64::from(Units::DISC.get()) * f64::from(1 << shift);
        let quantized = |weights: &[f32; HIDDEN]| {
            let mut integers = [0; HIDDEN];
            for ((integer, weight), step) in integers.iter_mut().zip(weights).zip(steps) {
                *integer = rounded(f64::from(*weight) * f64::from(*step) * unit)?;
            }
            Some(integers)
        };
        let head = Head {
            above: quantized(&self.above)?,
            below: quantized(&self.below)?,
            bias: rounded(f64::from(self.bias) * unit)?,
        };
        head.fits(shift).then_some(head)
    }
}

/// The nearest integer, if it fits the type.
fn rounded<T: TryFrom<i64>>(number: f64) -> Option<T> {
    T::try_from(number.round() as i64).ok()
}

/// The largest magnitude of a row's weight, in steps.
const MAX_STEPS: f32 = MAX_WEIGHT as f32;

fn to_byte(weight: f32, step: f32) -> i8 {
    (weight / step).round().clamp(-MAX_STEPS, MAX_STEPS) as i8
}

/// The step with the least squared error: a smaller step clips the largest weights but is more precise for the others.
fn step(weights: &[f32]) -> f32 {
    let largest = weights
        .iter()
        .fold(0.0f32, |most, weight| most.max(weight.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    let error = |step: f32| -> f64 {
        let errors = weights
            .iter()
            .map(|weight| f32::from(to_byte(*weight, step)) * step - weight);
        errors.map(|error| f64::from(error * error)).sum()
    };
    let steps = (4..=16).map(|sixteenths| largest / MAX_STEPS * sixteenths as f32 / 16.0);
    let best = steps.map(|step| (error(step), step));
    best.min_by(|left, right| left.0.total_cmp(&right.0))
        .expect("there are steps to choose from")
        .1
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::testing::Random;

    /// A model of random numbers, with one row in eight unseen.
    pub(crate) static RANDOM: LazyLock<Model> = LazyLock::new(|| {
        let mut random = Random::new(1);
        let mut number = move || (random.next() >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let mut model = Model::default();
        for row in &mut model.rows {
            *row = (number() < 0.75).then(|| std::array::from_fn(|_| number()));
        }
        for head in &mut model.heads {
            head.above = std::array::from_fn(|_| number());
            head.below = std::array::from_fn(|_| number());
            head.bias = number();
        }
        model
    });

    #[test]
    fn the_step_clips_a_rare_large_weight() {
        let mut weights: Vec<f32> = (0..20_000).map(|at| (at as f32).sin()).collect();
        assert!(step(&weights) > 0.99 / MAX_STEPS);
        weights.push(1.5);
        assert!(step(&weights) < 1.45 / MAX_STEPS);
    }

    #[test]
    fn an_untrained_model_can_be_stored() {
        let weights = Model::default().quantized().unwrap();
        assert_eq!((weights.shift, weights.stored_rows()), (MAX_SHIFT, 0));
    }

    #[test]
    fn numbers_that_are_not_finite_are_rejected() {
        let changes: [fn(&mut Model); 3] = [
            |model| model.heads[3].bias = f32::NAN,
            |model| model.rows[100].insert([0.5; HIDDEN])[7] = f32::NAN,
            |model| model.rows[100].insert([0.5; HIDDEN])[7] = f32::NEG_INFINITY,
        ];
        for change in changes {
            let mut model = Model::default();
            change(&mut model);
            assert_eq!(model.quantized(), Err(QuantizeError::NotFinite));
        }
    }

    #[test]
    fn heads_too_large_for_integers_are_rejected() {
        let mut model = Model::default();
        model.heads[3].bias = 1e9;
        assert_eq!(model.quantized(), Err(QuantizeError::Heads));
    }

    #[test]
    fn the_model_of_weights_has_the_same_integers_and_values() {
        let weights = Weights::quantized(&RANDOM).unwrap();
        let model = weights.model();
        let rows = std::array::from_fn(|at| (at * 97 % ROWS) as u32);
        for head in [0, 17, HEADS - 1] {
            let lost = model.value(&rows, head) - RANDOM.value(&rows, head);
            // A unit's sum of 48 rows is off by at most half a step per row, and the errors of 64 units add up.
            assert!(lost.abs() < 0.5, "{lost}");
        }
        assert_eq!(Weights::quantized(&model), Ok(weights));
    }
}
