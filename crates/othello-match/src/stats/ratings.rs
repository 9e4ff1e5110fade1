//! The rating list of several engines.

use std::{cmp::Reverse, iter::zip};

use super::{
    Estimate,
    bradley_terry::{BradleyTerry, places},
    elo::ELO_PER_LOGIT,
    estimate::normal_cdf,
};
use crate::record::EngineId;

/// The games that two engines played against each other, or some of them.
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

/// How a rating list is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingSettings {
    /// How many games each engine is taken to have drawn, besides its real ones, against an
    /// engine of rating 0; at least a millionth.
    ///
    /// They keep the rating of an engine finite that only won, and tie groups of engines together
    /// that did not play each other. Two engines gain by them what half a drawn game between
    /// them would say.
    pub virtual_draws: f64,
}

impl Default for RatingSettings {
    /// One virtual draw for each engine.
    fn default() -> Self {
        Self { virtual_draws: 1.0 }
    }
}

/// Games that cannot be rated.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RatingError {
    /// An engine is not among those to be rated.
    #[error("engine {engine} in pairing {index}, of {engines} engines")]
    NoSuchEngine {
        /// The place of the pairing in the list.
        index: usize,
        /// The engine.
        engine: u16,
        /// How many engines there are.
        engines: usize,
    },
    /// An engine plays itself.
    #[error("engine {engine} plays itself in pairing {index}")]
    AgainstItself {
        /// The place of the pairing in the list.
        index: usize,
        /// The engine.
        engine: u16,
    },
    /// There are more points than games give.
    #[error("{half_points} half points in {games} games in pairing {index}")]
    TooManyPoints {
        /// The place of the pairing in the list.
        index: usize,
        /// The half points.
        half_points: u32,
        /// The games.
        games: u32,
    },
    /// The virtual draws are too few, or not a number.
    #[error("expected at least a millionth of a virtual draw, not {0}")]
    VirtualDraws(f64),
}

/// The rating of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The engine.
    pub engine: EngineId,
    /// Its rating in Elo, relative to the mean of all engines, which is 0.
    pub elo: Estimate,
    /// Its games.
    pub games: u64,
    /// Twice its points.
    pub half_points: u64,
    /// Which group it is in, from 0: engines of different groups are not linked by any chain of
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
    /// The ratings, the strongest first, equal ones by their place in the list of engines.
    pub fn ratings(&self) -> &[Rating] {
        &self.ratings
    }

    /// How much stronger one engine is than another, in Elo.
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

    /// How much stronger an engine is than some are in the mean, in Elo; it may be one of them.
    ///
    /// With all engines it is the rating. An engine that lost nearly all its games has so uncertain
    /// a rating that the mean of the others is the better measure.
    ///
    /// # Panics
    ///
    /// When an engine is not in the list, or there are none to compare with.
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

    /// The likelihood, from 0 to 1, that one engine is stronger than another.
    ///
    /// # Panics
    ///
    /// When an engine is not in the list.
    pub fn los(&self, first: EngineId, second: EngineId) -> f64 {
        match self.compare(first, second) {
            (_, 0.0) => 0.5,
            (value, error) => normal_cdf(value / error),
        }
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
/// The model is that of Bradley and Terry (Biometrika 39, 1952) on the logistic Elo scale, with a
/// draw as half a win and half a loss: at the maximum every engine has made as many points as its
/// ratings let expect. The intervals are those of the inverse Fisher information, which takes
/// every game for won or lost and independent; with draws, or with pairs from unbalanced
/// openings, they are wider than need be.
///
/// The list does not depend on the order of the pairings, but for rounding. The same engines may
/// be in several of them.
///
/// # Errors
///
/// When a pairing is impossible: see [`RatingError`].
///
/// # Examples
///
/// ```
/// use othello_match::{record::EngineId, stats::{Pairing, RatingSettings, ratings}};
///
/// let [a, b, c] = [0, 1, 2].map(EngineId);
/// let games = [
///     Pairing { first: a, second: b, half_points_first: 120, games: 100 },
///     Pairing { first: b, second: c, half_points_first: 110, games: 100 },
///     Pairing { first: c, second: a, half_points_first: 70, games: 100 },
/// ];
/// let list = ratings(&games, 3, RatingSettings::default())?;
/// assert_eq!(list.ratings().iter().map(|r| r.engine).collect::<Vec<_>>(), [a, b, c]);
/// assert!(list.difference(a, c).contains(105.0));
/// # Ok::<(), othello_match::stats::RatingError>(())
/// ```
pub fn ratings(
    pairings: &[Pairing],
    engines: usize,
    settings: RatingSettings,
) -> Result<RatingList, RatingError> {
    check(pairings, engines, settings)?;
    let model = BradleyTerry {
        pairings,
        engines,
        virtual_draws: settings.virtual_draws,
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
    // Millionths of an Elo are rounding errors, which must not decide.
    ratings.sort_by_key(|rating| {
        (
            Reverse((rating.elo.value * 1e6).round() as i64),
            rating.engine,
        )
    });
    Ok(RatingList {
        ratings,
        strengths,
        covariance,
    })
}

fn check(
    pairings: &[Pairing],
    engines: usize,
    settings: RatingSettings,
) -> Result<(), RatingError> {
    let draws = settings.virtual_draws;
    if !(1e-6..f64::INFINITY).contains(&draws) {
        return Err(RatingError::VirtualDraws(draws));
    }
    for (index, pairing) in pairings.iter().enumerate() {
        let mut ids = [pairing.first, pairing.second].into_iter();
        if let Some(EngineId(engine)) = ids.find(|id| usize::from(id.0) >= engines) {
            return Err(RatingError::NoSuchEngine {
                index,
                engine,
                engines,
            });
        }
        if pairing.first == pairing.second {
            let engine = pairing.first.0;
            return Err(RatingError::AgainstItself { index, engine });
        }
        let (half_points, games) = (pairing.half_points_first, pairing.games);
        if u64::from(half_points) > 2 * u64::from(games) {
            return Err(RatingError::TooManyPoints {
                index,
                half_points,
                games,
            });
        }
    }
    Ok(())
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

/// For each engine the number of its group, groups being numbered by their first engine.
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
mod tests {
    use super::*;

    /// Pairings from wins of the first and of the second engine.
    fn pairings(results: &[(u16, u16, u32, u32)]) -> Vec<Pairing> {
        let pairing = |&(first, second, won, lost)| Pairing {
            first: EngineId(first),
            second: EngineId(second),
            half_points_first: 2 * won,
            games: won + lost,
        };
        results.iter().map(pairing).collect()
    }

    /// As good as no virtual games, which the published examples do not have.
    const NO_PRIOR: RatingSettings = RatingSettings {
        virtual_draws: 1e-6,
    };

    fn by_engine(list: &RatingList) -> Vec<Rating> {
        let mut ratings = list.ratings().to_vec();
        ratings.sort_by_key(|rating| rating.engine);
        ratings
    }

    /// Citations between four journals of statistics (Stigler 1994; Agresti, Categorical Data
    /// Analysis, table 10.11). Abilities with a sum of 0 and their standard errors as the R
    /// package `BradleyTerry2` prints them in its test `BTabilities.Rout.save`.
    #[test]
    fn journals_of_statistics() {
        let cited = pairings(&[
            (0, 1, 730, 33),
            (0, 2, 498, 320),
            (0, 3, 221, 284),
            (1, 2, 68, 813),
            (1, 3, 17, 276),
            (2, 3, 142, 325),
        ]);
        let list = ratings(&cited, 4, NO_PRIOR).unwrap();
        let published = [
            (0.789_922_1, 0.043_330_47),
            (-2.159_150_4, 0.072_579_74),
            (0.310_352_3, 0.041_641_02),
            (1.058_876_1, 0.053_046_99),
        ];
        for (rating, (ability, error)) in zip(by_engine(&list), published) {
            let expected = Estimate::normal(ability, error).map(|logits| logits * ELO_PER_LOGIT);
            assert!(
                (rating.elo.value - expected.value).abs() < 1e-3,
                "{rating:?}"
            );
            assert!((rating.elo.low - expected.low).abs() < 1e-3, "{rating:?}");
        }
        let order: Vec<_> = list
            .ratings()
            .iter()
            .map(|rating| rating.engine.0)
            .collect();
        assert_eq!(order, [3, 0, 2, 1]);
    }

    /// The American League's east in 1987 (Agresti, Categorical Data Analysis, section 10.6), home
    /// and away together. Differences from Baltimore and their standard errors as the R package
    /// `BradleyTerry2` prints them in its test `baseball.Rout.save`.
    #[test]
    fn american_league() {
        let [
            milwaukee,
            detroit,
            toronto,
            new_york,
            boston,
            cleveland,
            baltimore,
        ] = [0, 1, 2, 3, 4, 5, 6];
        let games = pairings(&[
            (milwaukee, detroit, 7, 6),
            (milwaukee, toronto, 9, 4),
            (milwaukee, new_york, 7, 6),
            (milwaukee, boston, 7, 6),
            (milwaukee, cleveland, 9, 4),
            (milwaukee, baltimore, 11, 2),
            (detroit, toronto, 7, 6),
            (detroit, new_york, 5, 8),
            (detroit, boston, 11, 2),
            (detroit, cleveland, 9, 4),
            (detroit, baltimore, 9, 4),
            (toronto, new_york, 7, 6),
            (toronto, boston, 7, 6),
            (toronto, cleveland, 8, 5),
            (toronto, baltimore, 12, 1),
            (new_york, boston, 6, 7),
            (new_york, cleveland, 7, 6),
            (new_york, baltimore, 10, 3),
            (boston, cleveland, 7, 6),
            (boston, baltimore, 12, 1),
            (cleveland, baltimore, 6, 7),
        ]);
        let list = ratings(&games, 7, NO_PRIOR).unwrap();
        let published = [
            (boston, 1.1077, 0.3339),
            (cleveland, 0.6839, 0.3319),
            (detroit, 1.4364, 0.3396),
            (milwaukee, 1.5814, 0.3433),
            (new_york, 1.2476, 0.3359),
            (toronto, 1.2945, 0.3367),
        ];
        for (team, ability, error) in published {
            let (value, own_error) = list.compare(EngineId(team), EngineId(baltimore));
            assert!((value - ability).abs() < 1e-4, "{team}: {value}");
            assert!((own_error - error).abs() < 1e-4, "{team}: {own_error}");
        }
    }

    /// Without other engines the rating difference is the Elo difference of the score.
    #[test]
    fn two_engines_differ_by_their_elo() {
        let list = ratings(&pairings(&[(0, 1, 64, 36)]), 2, NO_PRIOR).unwrap();
        let difference = list.difference(EngineId(0), EngineId(1));
        assert!((difference.value - super::super::elo_of_score(0.64)).abs() < 1e-3);
        assert!(list.los(EngineId(0), EngineId(1)) > 0.99);
        assert_eq!(list.los(EngineId(0), EngineId(0)), 0.5);
        let mean: f64 = list.ratings().iter().map(|rating| rating.elo.value).sum();
        assert!(mean.abs() < 1e-9);
    }

    /// Over the mean of all it is the rating, over one engine the difference, and an engine that
    /// lost nearly everything no longer widens the intervals of the others.
    #[test]
    fn the_mean_may_leave_out_engines() {
        let games = pairings(&[
            (0, 1, 60, 40),
            (1, 2, 55, 45),
            (2, 0, 30, 70),
            (0, 3, 99, 1),
        ]);
        let list = ratings(&games, 4, NO_PRIOR).unwrap();
        let [a, b, c, d] = [0, 1, 2, 3].map(EngineId);
        let near = |one: Estimate, other: Estimate| {
            let pairs = [
                (one.value, other.value),
                (one.low, other.low),
                (one.high, other.high),
            ];
            pairs.into_iter().all(|(x, y)| (x - y).abs() < 1e-6)
        };
        for rating in list.ratings() {
            let mean = list.over_mean(rating.engine, &[a, b, c, d]);
            assert!(near(mean, rating.elo), "{mean} for {rating:?}");
        }
        assert!(near(list.over_mean(b, &[c]), list.difference(b, c)));
        let three = [a, b, c].map(|engine| list.over_mean(engine, &[a, b, c]));
        let sum: f64 = three.iter().map(|estimate| estimate.value).sum();
        assert!(sum.abs() < 1e-6, "{three:?}");
        let among_four = by_engine(&list)[0].elo.half_width();
        assert!(
            three[0].half_width() < among_four / 2.0,
            "{among_four}, {three:?}"
        );
        // As if the fourth had not played: one game more or less of it says nothing of the others.
        let without = ratings(&games[..3], 3, NO_PRIOR).unwrap();
        for (estimate, rating) in zip(three, by_engine(&without)) {
            assert!(
                (estimate.value - rating.elo.value).abs() < 1e-3,
                "{estimate}"
            );
            assert!((estimate.low - rating.elo.low).abs() < 1e-3, "{estimate}");
        }
    }

    #[test]
    fn perfect_scores_have_finite_ratings_that_grow_with_the_games() {
        let winner = |wins| {
            let list = ratings(&pairings(&[(0, 1, wins, 0)]), 2, RatingSettings::default());
            list.unwrap().difference(EngineId(0), EngineId(1))
        };
        let (few, many, most) = (winner(2), winner(20), winner(1_000_000));
        assert!(0.0 < few.value && few.value < many.value && many.value < most.value);
        assert!(most.value.is_finite() && most.high.is_finite());
        assert!(few.low < 0.0, "two games prove nothing: {few}");
        assert!(many.low > 0.0, "twenty do: {many}");
    }

    #[test]
    fn engines_that_no_games_link_are_in_groups_of_their_own() {
        let games = pairings(&[(0, 3, 5, 5), (1, 4, 8, 2), (2, 5, 0, 0), (3, 6, 1, 0)]);
        let list = ratings(&games, 7, RatingSettings::default()).unwrap();
        let groups: Vec<_> = by_engine(&list).iter().map(|rating| rating.group).collect();
        assert_eq!(groups, [0, 1, 2, 0, 1, 3, 0]);
        let unplayed = by_engine(&list)[2];
        assert_eq!((unplayed.games, unplayed.half_points), (0, 0));
        assert!(unplayed.elo.half_width() > 400.0, "{unplayed:?}");
        let across = list.difference(EngineId(0), EngineId(1));
        let within = list.difference(EngineId(0), EngineId(3));
        assert!(across.half_width() > 1.5 * within.half_width());
    }

    #[test]
    fn the_order_of_pairings_and_of_their_engines_does_not_matter() {
        let games = pairings(&[(0, 1, 7, 3), (1, 2, 6, 4), (2, 0, 2, 8), (0, 1, 1, 1)]);
        let turned = pairings(&[(1, 0, 1, 1), (0, 2, 8, 2), (2, 1, 4, 6), (1, 0, 3, 7)]);
        let settings = RatingSettings::default();
        let (a, b) = (ratings(&games, 3, settings), ratings(&turned, 3, settings));
        for (a, b) in zip(a.unwrap().ratings(), b.unwrap().ratings()) {
            assert_eq!(
                (a.engine, a.games, a.half_points),
                (b.engine, b.games, b.half_points)
            );
            assert!((a.elo.value - b.elo.value).abs() < 1e-9);
            assert!((a.elo.high - b.elo.high).abs() < 1e-9);
        }
    }

    #[test]
    fn equal_engines_keep_their_order() {
        let games = pairings(&[(2, 1, 5, 5), (1, 0, 5, 5), (0, 2, 5, 5)]);
        let list = ratings(&games, 3, RatingSettings::default()).unwrap();
        let order: Vec<_> = list
            .ratings()
            .iter()
            .map(|rating| rating.engine.0)
            .collect();
        assert_eq!(order, [0, 1, 2]);
    }

    #[test]
    fn impossible_pairings_are_errors() {
        let error = |pairing| ratings(&[pairing], 2, RatingSettings::default()).unwrap_err();
        let fine = pairings(&[(0, 1, 1, 0)])[0];
        let second = EngineId(2);
        assert_eq!(
            error(Pairing { second, ..fine }).to_string(),
            "engine 2 in pairing 0, of 2 engines"
        );
        let second = EngineId(0);
        assert_eq!(
            error(Pairing { second, ..fine }).to_string(),
            "engine 0 plays itself in pairing 0"
        );
        let half_points_first = 3;
        assert_eq!(
            error(Pairing {
                half_points_first,
                ..fine
            })
            .to_string(),
            "3 half points in 1 games in pairing 0"
        );
        for virtual_draws in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let settings = RatingSettings { virtual_draws };
            assert!(ratings(&[fine], 2, settings).is_err(), "{virtual_draws}");
        }
        assert!(
            ratings(&[], 0, RatingSettings::default())
                .unwrap()
                .ratings()
                .is_empty()
        );
    }
}
