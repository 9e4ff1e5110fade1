//! The likelihood of ratings.

use std::iter::zip;

use super::cholesky::Cholesky;
use crate::EngineId;

/// The step, in logits, below which the search is close to the maximum.
const SHORT: f64 = 1e-3;

/// The maximum number of steps: a dozen are usual, but rounding could keep a search from converging.
const MAX_STEPS: usize = 200;

/// The maximum number of halvings: fewer find a step that increases the likelihood, except for rounding.
const MAX_HALVINGS: usize = 40;

/// Games between two engines, all or some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// One engine.
    pub first: EngineId,
    /// The other engine.
    pub second: EngineId,
    /// Twice the points of the first engine: 2 for each win, 1 for each draw.
    pub half_points_first: u32,
    /// The games.
    pub games: u32,
}

/// The Bradley–Terry model of some games: the likelihood of strengths, by engine, in logits.
pub(super) struct BradleyTerry<'a> {
    pub(super) pairings: &'a [Pairing],
    pub(super) engines: usize,
    pub(super) virtual_draws: f64,
}

impl BradleyTerry<'_> {
    /// Returns the maximum-likelihood strengths, by Newton's method: the log-likelihood is concave, so
    /// steps halved until they increase it always converge.
    pub(super) fn likeliest(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.engines];
        let mut last = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let mut step = self
                .information(&strengths)
                .solve(self.gradient(&strengths));
            let longest = step.iter().fold(0.0f64, |most, part| most.max(part.abs()));
            // Short steps converge by themselves, until rounding makes them grow again.
            if longest < SHORT {
                if longest >= last {
                    break;
                }
                last = longest;
            } else {
                self.shorten(&mut step, &strengths);
            }
            zip(&mut strengths, &step).for_each(|(strength, part)| *strength += part);
        }
        strengths
    }

    /// Halves a step until it increases the likelihood.
    fn shorten(&self, step: &mut [f64], strengths: &[f64]) {
        let before = self.log_likelihood(strengths);
        for _ in 0..MAX_HALVINGS {
            let next: Vec<_> = zip(strengths, &*step).map(|(s, part)| s + part).collect();
            if self.log_likelihood(&next) > before {
                break;
            }
            for part in step.iter_mut() {
                *part *= 0.5;
            }
        }
    }

    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        let games = self.pairings.iter().map(|pairing| {
            let (i, j) = places(pairing);
            let (won, lost) = points(pairing);
            let apart = strengths[i] - strengths[j];
            won * ln_chance(apart) + lost * ln_chance(-apart)
        });
        let draws = (strengths.iter()).map(|&s| f64::midpoint(ln_chance(s), ln_chance(-s)));
        games.sum::<f64>() + self.virtual_draws * draws.sum::<f64>()
    }

    /// The points of each engine minus the predicted points.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let draws = strengths
            .iter()
            .map(|&s| self.virtual_draws * (0.5 - chance(s)));
        let mut gradient: Vec<_> = draws.collect();
        for pairing in self.pairings {
            let (i, j) = places(pairing);
            let (won, lost) = points(pairing);
            let beyond = won - (won + lost) * chance(strengths[i] - strengths[j]);
            gradient[i] += beyond;
            gradient[j] -= beyond;
        }
        gradient
    }

    /// The Fisher information of the strengths: the variance of the points, every game being won
    /// or lost.
    pub(super) fn information(&self, strengths: &[f64]) -> Cholesky {
        let mut rows = vec![vec![0.0; self.engines]; self.engines];
        for (i, &strength) in strengths.iter().enumerate() {
            rows[i][i] = self.virtual_draws * variance(strength);
        }
        for pairing in self.pairings {
            let (i, j) = places(pairing);
            let games = f64::from(pairing.games) * variance(strengths[i] - strengths[j]);
            rows[i][i] += games;
            rows[j][j] += games;
            rows[i][j] -= games;
            rows[j][i] -= games;
        }
        Cholesky::new(rows).expect("the virtual draws make every engine's own information positive")
    }
}

/// The places of both engines in the list of engines.
pub(super) fn places(pairing: &Pairing) -> (usize, usize) {
    (pairing.first.0.into(), pairing.second.0.into())
}

/// The points of the first and of the second engine.
fn points(pairing: &Pairing) -> (f64, f64) {
    let won = f64::from(pairing.half_points_first) / 2.0;
    (won, f64::from(pairing.games) - won)
}

/// The expected score of an engine that is stronger by `logits`.
fn chance(logits: f64) -> f64 {
    1.0 / (1.0 + (-logits).exp())
}

/// The logarithm of that chance, also where the chance itself underflows.
fn ln_chance(logits: f64) -> f64 {
    logits.min(0.0) - (-logits.abs()).exp().ln_1p()
}

fn variance(logits: f64) -> f64 {
    chance(logits) * chance(-logits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{elo::ELO_PER_LOGIT, ratings::tests::pairings, score_of_elo};

    /// The points of an engine minus the predicted points, including virtual draws: 0 at the maximum.
    fn beyond(model: &BradleyTerry, strengths: &[f64], engine: usize) -> f64 {
        let expected = |apart: f64| score_of_elo(apart * ELO_PER_LOGIT);
        let draws = model.virtual_draws * (0.5 - expected(strengths[engine]));
        let games = model.pairings.iter().map(|pairing| {
            let (i, j) = places(pairing);
            let games = f64::from(pairing.games);
            let first = f64::from(pairing.half_points_first) / 2.0
                - games * expected(strengths[i] - strengths[j]);
            match engine {
                engine if engine == i => first,
                engine if engine == j => -first,
                _ => 0.0,
            }
        });
        draws + games.sum::<f64>()
    }

    /// Engines that lost everything to one, and a little to another: full steps of Newton's method
    /// lead away from the maximum.
    #[test]
    fn lopsided_results_have_a_maximum() {
        let ladders = [
            (
                0.1,
                [
                    (0, 2, 18, 0),
                    (1, 2, 45, 1),
                    (0, 3, 1, 0),
                    (1, 4, 0, 175),
                    (3, 4, 90, 0),
                ],
            ),
            (
                1.0,
                [
                    (0, 1, 970, 0),
                    (0, 2, 0, 735),
                    (1, 3, 0, 144),
                    (2, 4, 0, 368),
                    (3, 4, 3, 0),
                ],
            ),
        ];
        for (virtual_draws, results) in ladders {
            let model = BradleyTerry {
                pairings: &pairings(&results),
                engines: 5,
                virtual_draws,
            };
            let strengths = model.likeliest();
            for engine in 0..5 {
                let beyond = beyond(&model, &strengths, engine);
                assert!(
                    beyond.abs() < 1e-6,
                    "{results:?}: {engine} has {beyond} points too many"
                );
            }
        }
    }
}
