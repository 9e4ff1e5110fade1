//! The rating list of several engines.

use std::{cmp::Reverse, iter::zip};

use super::{
    Estimate,
    bradley_terry::{BradleyTerry, Pairing, places},
    elo::ELO_PER_LOGIT,
};
use crate::EngineId;

/// The number of virtual draws of each engine, in addition to its real games, against an engine of rating 0.
///
/// They keep the rating of an engine that only won finite, and connect groups of engines that did not play each
/// other. For two engines they count like half a drawn game between them.
const VIRTUAL_DRAWS: f64 = 1.0;

/// The rating of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The engine.
    pub engine: EngineId,
    /// Its rating in Elo, relative to the mean of all engines, which is 0.
    pub elo: Estimate,
    /// The number of its games.
    pub games: u64,
    /// Twice its points.
    pub half_points: u64,
    /// The number of its group, from 0: engines of different groups are not linked by any chain of
    /// games, and comparing them means nothing.
    pub group: usize,
}

/// The ratings of engines, the strongest first.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingList {
    ratings: Vec<Rating>,
    /// By engine, in logits.
    strengths: Vec<f64>,
    /// By engines, in squared logits.
    covariance: Vec<Vec<f64>>,
}

impl RatingList {
    /// Returns the ratings, strongest first, equal ones in the order of the engines.
    pub fn ratings(&self) -> &[Rating] {
        &self.ratings
    }

    /// Returns by how many Elo one engine is stronger than another.
    ///
    /// Its interval is not the sum of theirs, because their errors are not independent.
    ///
    /// # Panics
    ///
    /// When an engine is not in the list.
    pub fn difference(&self, first: EngineId, second: EngineId) -> Estimate {
        let (value, error) = self.compare(first, second);
        Estimate::normal(value, error).map(|logits| logits * ELO_PER_LOGIT)
    }

    /// Returns by how many Elo an engine is stronger than the mean of some engines, which may include it.
    ///
    /// For all engines this is the rating. The rating of an engine that lost nearly all its games is so uncertain
    /// that the mean of the others is a better reference.
    ///
    /// # Panics
    ///
    /// When an engine is not in the list, or `of` is empty.
    pub fn over_mean(&self, engine: EngineId, of: &[EngineId]) -> Estimate {
        assert!(!of.is_empty(), "expected engines to take the mean of");
        let mut weights = vec![0.0; self.strengths.len()];
        weights[usize::from(engine.0)] += 1.0;
        for other in of {
            weights[usize::from(other.0)] -= 1.0 / of.len() as f64;
        }
        let times = |row: &[f64]| {
            zip(row, &weights)
                .map(|(entry, weight)| entry * weight)
                .sum()
        };
        let rows: Vec<f64> = self.covariance.iter().map(|row| times(row)).collect();
        let (value, variance): (f64, f64) = (times(&self.strengths), times(&rows));
        Estimate::normal(value, variance.max(0.0).sqrt()).map(|logits| logits * ELO_PER_LOGIT)
    }

    /// The difference and its standard error, in logits.
    fn compare(&self, first: EngineId, second: EngineId) -> (f64, f64) {
        let (i, j) = (usize::from(first.0), usize::from(second.0));
        let variance = self.covariance[i][i] + self.covariance[j][j] - 2.0 * self.covariance[i][j];
        let value = self.strengths[i] - self.strengths[j];
        (value, variance.max(0.0).sqrt())
    }
}

/// Rates engines by maximum likelihood, so that the mean of their ratings is 0.
///
/// The model is Bradley and Terry's (Biometrika 39, 1952) on the logistic Elo scale, with a
/// draw as half a win and half a loss: at the maximum every engine has made as many points as its
/// rating predicts. The intervals come from the inverse Fisher information, which treats
/// every game as won or lost and independent; with draws, or with pairs from unbalanced
/// openings, they are wider than necessary.
///
/// The list does not depend on the order of the pairings, except for rounding. The same engines may
/// be in several of them.
///
/// # Panics
///
/// When an engine of a pairing is not among the `engines`.
///
/// # Examples
///
/// ```
/// use boardgame_match::{EngineId, stats::{Pairing, ratings}};
///
/// let [a, b, c] = [0, 1, 2].map(EngineId);
/// let games = [
///     Pairing { first: a, second: b, half_points_first: 120, games: 100 },
///     Pairing { first: b, second: c, half_points_first: 110, games: 100 },
///     Pairing { first: c, second: a, half_points_first: 70, games: 100 },
/// ];
/// let list = ratings(&games, 3);
/// assert_eq!(list.ratings().iter().map(|r| r.engine).collect::<Vec<_>>(), [a, b, c]);
/// assert!(list.difference(a, c).contains(105.0));
/// ```
pub fn ratings(pairings: &[Pairing], engines: usize) -> RatingList {
    rate(pairings, engines, VIRTUAL_DRAWS)
}

fn rate(pairings: &[Pairing], engines: usize, virtual_draws: f64) -> RatingList {
    let model = BradleyTerry {
        pairings,
        engines,
        virtual_draws,
    };
    let mut strengths = model.likeliest();
    let covariance = centred(model.information(&strengths).inverse());
    let mean = strengths.iter().sum::<f64>() / engines as f64;
    for strength in &mut strengths {
        *strength -= mean;
    }
    let groups = groups(pairings, engines);
    let mut ratings: Vec<_> = (0..engines)
        .map(|i| {
            let error = covariance[i][i].max(0.0).sqrt();
            let (games, half_points) = totals(pairings, i);
            Rating {
                engine: EngineId(i as u16),
                elo: Estimate::normal(strengths[i], error).map(|logits| logits * ELO_PER_LOGIT),
                games,
                half_points,
                group: groups[i],
            }
        })
        .collect();
    // Millionths of an Elo are rounding errors and must not decide.
    ratings.sort_by_key(|rating| {
        (
            Reverse((rating.elo.value * 1e6).round() as i64),
            rating.engine,
        )
    });
    RatingList {
        ratings,
        strengths,
        covariance,
    }
}

/// The covariance of the distances from the mean.
fn centred(mut covariance: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = covariance.len() as f64;
    let means: Vec<f64> = (covariance.iter().map(|row| row.iter().sum::<f64>() / size)).collect();
    let mean = means.iter().sum::<f64>() / size;
    for (row, of_row) in zip(&mut covariance, &means) {
        for (entry, of_column) in zip(row, &means) {
            *entry += mean - of_row - of_column;
        }
    }
    covariance
}

/// The games and half points of an engine.
fn totals(pairings: &[Pairing], engine: usize) -> (u64, u64) {
    let own = pairings.iter().filter_map(|pairing| {
        let (i, j) = places(pairing);
        let (games, first) = (
            u64::from(pairing.games),
            u64::from(pairing.half_points_first),
        );
        match engine {
            engine if engine == i => Some((games, first)),
            engine if engine == j => Some((games, 2 * games - first)),
            _ => None,
        }
    });
    own.fold((0, 0), |sum, (games, half)| (sum.0 + games, sum.1 + half))
}

/// The group number of each engine; groups are numbered in the order of their first engine.
fn groups(pairings: &[Pairing], engines: usize) -> Vec<usize> {
    let mut first: Vec<_> = (0..engines).collect();
    for pairing in pairings.iter().filter(|pairing| pairing.games > 0) {
        let (i, j) = places(pairing);
        let (keep, drop) = (first[i].min(first[j]), first[i].max(first[j]));
        first
            .iter_mut()
            .filter(|of| **of == drop)
            .for_each(|of| *of = keep);
    }
    let number = |of| (0..of).filter(|&engine| first[engine] == engine).count();
    first.iter().map(|&of| number(of)).collect()
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // What is compared so is exact.
pub(super) mod tests;
