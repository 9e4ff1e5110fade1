//! Mean and standard deviation of the errors of shallow searches, as functions of discs, depths and mobility.

use std::collections::HashMap;

use super::Pair;

/// The mean of the deep value minus the shallow one, and the logarithm of its standard deviation, in
/// discs. Both are linear in the number of discs, the shallow depth and the deep depth; the logarithm is also linear in
/// the number of legal moves of both sides. The coefficients are the constant term, then one for each of these, in this
/// order.
///
/// The fit is a maximum-likelihood fit of normal errors by Fisher scoring, with two modifications:
///
/// - A residual beyond three deviations counts as one of three, and the scale is corrected for the
///   clipping (Huber's proposal 2), so that a few unforeseen wipe-outs do not increase all
///   deviations.
/// - Depth pairs have nearly equal total weight if there are many samples of each, since deep
///   searches are few but matter most; depth pairs with few samples have less.
///
/// If two features are collinear (in searches to the end, discs and deep depth add up to 64), the
/// later one has the coefficient 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fit {
    /// The coefficients of the mean.
    pub(crate) mean: [f64; 4],
    /// The coefficients of the deviation's logarithm.
    pub(crate) ln_sigma: [f64; 5],
}

/// The number of deviations at which residuals are clipped.
const MAX_RESIDUAL: f64 = 3.0;
/// The variance of standard normal errors that are clipped there.
const CLIPPED_VARIANCE: f64 = 0.995_007;
/// The maximum number of steps, more than any fit has needed.
const MAX_STEPS: usize = 200;
/// The maximum step in any coefficient once the fit has converged.
const TOLERANCE: f64 = 1e-12;

impl Fit {
    /// Fits pairs. Without pairs all coefficients are 0.
    pub(crate) fn of(pairs: &[Pair]) -> Self {
        if pairs.is_empty() {
            return Self::default();
        }
        let weights = weights(pairs);
        let mut fit = Self::default();
        fit.ln_sigma[0] = initial_sigma(pairs, &weights).ln();
        for _ in 0..MAX_STEPS {
            let before = fit;
            fit.step_mean(pairs, &weights);
            fit.step_deviation(pairs, &weights);
            let moved =
                distance(&before.mean, &fit.mean).max(distance(&before.ln_sigma, &fit.ln_sigma));
            if moved < TOLERANCE {
                break;
            }
        }
        fit
    }

    /// Returns the fitted mean of the difference for this pair's features, in discs.
    pub(crate) fn mean(&self, pair: &Pair) -> f64 {
        dot(&self.mean, &mean_features(pair))
    }

    /// Returns the fitted standard deviation of the difference, in discs.
    pub(crate) fn sigma(&self, pair: &Pair) -> f64 {
        dot(&self.ln_sigma, &sigma_features(pair)).exp()
    }

    /// The number of deviations by which a pair differs from its mean.
    pub(crate) fn residual(&self, pair: &Pair) -> f64 {
        (pair.difference - self.mean(pair)) / self.sigma(pair)
    }

    /// Sets the mean to the solution of weighted least squares with clipped residuals.
    fn step_mean(&mut self, pairs: &[Pair], weights: &[f64]) {
        let mut system = NormalEquations::new();
        for (pair, weight) in pairs.iter().zip(weights) {
            let residual = self.residual(pair);
            let sigma = self.sigma(pair);
            let clipped = residual.clamp(-MAX_RESIDUAL, MAX_RESIDUAL) * sigma;
            system.add(&mean_features(pair), weight / (sigma * sigma), clipped);
        }
        add(&mut self.mean, system.solve());
    }

    /// Moves the deviation by a step towards mean squared residuals of 1 in the direction of every
    /// feature.
    fn step_deviation(&mut self, pairs: &[Pair], weights: &[f64]) {
        let mut system = NormalEquations::new();
        for (pair, weight) in pairs.iter().zip(weights) {
            let residual = self.residual(pair).clamp(-MAX_RESIDUAL, MAX_RESIDUAL);
            let excess = residual * residual / CLIPPED_VARIANCE - 1.0;
            system.add(&sigma_features(pair), *weight, excess / 2.0);
        }
        add(&mut self.ln_sigma, system.solve());
    }
}

fn mean_features(pair: &Pair) -> [f64; 4] {
    [1, pair.discs, pair.shallow, pair.deep].map(f64::from)
}

fn sigma_features(pair: &Pair) -> [f64; 5] {
    [1, pair.discs, pair.shallow, pair.deep, pair.mobility].map(f64::from)
}

fn dot<const N: usize>(coefficients: &[f64; N], features: &[f64; N]) -> f64 {
    coefficients.iter().zip(features).map(|(c, f)| c * f).sum()
}

/// Returns the largest absolute difference between corresponding coefficients.
fn distance<const N: usize>(old: &[f64; N], new: &[f64; N]) -> f64 {
    let moved = old.iter().zip(new).map(|(old, new)| (old - new).abs());
    moved.fold(0.0, f64::max)
}

fn add<const N: usize>(coefficients: &mut [f64; N], step: [f64; N]) {
    for (coefficient, step) in coefficients.iter_mut().zip(step) {
        *coefficient += step;
    }
}

/// The number of pairs of two depths that has half the total weight of infinitely many.
const HALF_WEIGHT_COUNT: f64 = 300.0;

/// The weight of each pair. The total weight of n pairs with the same two depths is
/// n / (n + [`HALF_WEIGHT_COUNT`]).
fn weights(pairs: &[Pair]) -> Vec<f64> {
    let mut counts: HashMap<(u32, u32), f64> = HashMap::new();
    for pair in pairs {
        *counts.entry((pair.shallow, pair.deep)).or_default() += 1.0;
    }
    let weight = |pair: &Pair| 1.0 / (counts[&(pair.shallow, pair.deep)] + HALF_WEIGHT_COUNT);
    pairs.iter().map(weight).collect()
}

/// The initial deviation: the weighted root mean square of the differences, at least 0.01.
fn initial_sigma(pairs: &[Pair], weights: &[f64]) -> f64 {
    let squares = pairs
        .iter()
        .zip(weights)
        .map(|(pair, weight)| weight * pair.difference.powi(2));
    let (sum, all): (f64, f64) = (squares.sum(), weights.iter().sum());
    (sum / all).sqrt().max(0.01)
}

/// Weighted normal equations in `N` unknowns.
struct NormalEquations<const N: usize> {
    matrix: [[f64; N]; N],
    right: [f64; N],
}

impl<const N: usize> NormalEquations<N> {
    fn new() -> Self {
        Self {
            matrix: [[0.0; N]; N],
            right: [0.0; N],
        }
    }

    fn add(&mut self, features: &[f64; N], weight: f64, target: f64) {
        for (row, left) in features.iter().enumerate() {
            for (column, right) in features.iter().enumerate() {
                self.matrix[row][column] += weight * left * right;
            }
            self.right[row] += weight * left * target;
        }
    }

    /// Solves by Gauss-Jordan elimination. An unknown that depends linearly on earlier ones is 0.
    fn solve(mut self) -> [f64; N] {
        let whole = self.matrix;
        let mut known = [false; N];
        for pivot in 0..N {
            let height = self.matrix[pivot][pivot];
            known[pivot] = height > 1e-9 * whole[pivot][pivot];
            if !known[pivot] {
                continue;
            }
            for row in (0..N).filter(|&row| row != pivot) {
                let share = self.matrix[row][pivot] / height;
                for column in 0..N {
                    self.matrix[row][column] -= share * self.matrix[pivot][column];
                }
                self.right[row] -= share * self.right[pivot];
            }
        }
        std::array::from_fn(|at| {
            if known[at] {
                self.right[at] / self.matrix[at][at]
            } else {
                0.0
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    /// A nearly normal number: the sum of twelve uniform ones.
    fn normal(dice: &mut Dice) -> f64 {
        let draws = (0..12).map(|_| f64::from(dice.below(1 << 20)) / f64::from(1 << 20));
        draws.sum::<f64>() - 6.0
    }

    fn made_up(truth: &Fit, outliers: u32) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for number in 0..40_000 {
            let dice = &mut Dice::new(5, number);
            let deep = 3 + dice.below(10);
            let mut pair = Pair {
                discs: 12 + dice.below(40),
                shallow: deep % 2 + 2 * dice.below(deep / 2),
                deep,
                mobility: 2 + dice.below(30),
                difference: 0.0,
            };
            pair.difference = truth.mean(&pair) + truth.sigma(&pair) * normal(dice);
            if dice.below(1000) < outliers {
                pair.difference = 64.0;
            }
            pairs.push(pair);
        }
        pairs
    }

    const TRUTH: Fit = Fit {
        mean: [0.3, -0.01, 0.05, -0.03],
        ln_sigma: [0.9, 0.015, -0.12, 0.05, -0.03],
    };

    #[track_caller]
    fn check(found: &Fit, within: f64) {
        for pair in made_up(&TRUTH, 0).iter().step_by(100) {
            let mean = found.mean(pair) - TRUTH.mean(pair);
            let sigma = found.sigma(pair) / TRUTH.sigma(pair) - 1.0;
            assert!(
                mean.abs() < within && sigma.abs() < within,
                "{pair:?}: {mean}, {sigma}"
            );
        }
    }

    #[test]
    fn a_fit_finds_the_coefficients_that_made_the_pairs() {
        let found = Fit::of(&made_up(&TRUTH, 0));
        check(&found, 0.1);
        let pairs = found.mean.iter().zip(TRUTH.mean);
        let all = pairs.chain(found.ln_sigma.iter().zip(TRUTH.ln_sigma));
        for (found, truth) in all {
            assert!((found - truth).abs() < 0.06, "{found}, {truth}");
        }
    }

    #[test]
    fn a_few_wild_values_move_it_little() {
        let pairs = made_up(&TRUTH, 5);
        let outliers = pairs.iter().filter(|pair| pair.difference > 63.0);
        assert!(outliers.count() > 100);
        check(&Fit::of(&pairs), 0.15);
    }

    #[test]
    fn what_cannot_be_told_apart_is_said_once() {
        let mut pairs = made_up(&TRUTH, 0);
        for pair in &mut pairs {
            pair.discs = 64 - pair.deep;
            pair.difference = TRUTH.mean(pair) + TRUTH.sigma(pair) * pair.difference.signum();
        }
        let found = Fit::of(&pairs);
        assert_eq!((found.mean[3], found.ln_sigma[3]), (0.0, 0.0));
        let [low, high] = [12, 4].map(|deep| {
            let at = |pair: &&Pair| pair.deep == deep;
            let pair = pairs.iter().find(at).unwrap();
            found.sigma(pair) / TRUTH.sigma(pair)
        });
        assert!((low / high - 1.0).abs() < 0.05, "{low}, {high}");
        assert_eq!(Fit::of(&[]), Fit::default());
    }
}
