//! Finding the limit at which an engine costs as much CPU time as another.
//!
//! Programs of others offer levels, whose cost nobody states. Games against such a program tell
//! it, and the limit of the engine that can be limited is scaled until both cost the same. Each
//! round plays openings that none before it played.

use std::{sync::Arc, time::Duration};

use crate::{
    limit::Limit,
    record::{EngineId, PlayedGame},
    runner::{self, Match},
    schedule::{Form, Schedule, ScheduleError},
    tally::Tally,
};

/// The pairs of games of a round.
const PAIRS: u32 = 4;

/// The rounds after which the estimate has to do.
const MOST_ROUNDS: u32 = 25;

/// How far from 1 the ratio of the costs may be in the end.
const AGREED: f64 = 0.02;

/// How large the standard error of the ratio may be in the end: half of the 5 % that a match is to
/// keep to.
const UNCERTAIN: f64 = 0.025;

/// How far from 1 the ratio may be when there are no more rounds.
const TOLERABLE: f64 = 0.05;

/// What an engine's limit may be multiplied by in one round.
const STEP: f64 = 8.0;

/// Up to which factor between two limits cost is taken to grow as the limit does.
const PROPORTIONAL: f64 = 1.25;

/// What a round of a calibration found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The limit that was tried.
    pub limit: Limit,
    /// What it costs, by the games with this limit and with those near it.
    pub estimate: Estimate,
}

/// How the costs of two engines compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The games it is made from.
    pub games: usize,
    /// The mean CPU time of a game of the engine with the limit, in seconds.
    pub cost: f64,
    /// The mean CPU time of a game of the other engine, in seconds.
    pub aim: f64,
    /// The standard error of their ratio.
    pub error: f64,
}

impl Estimate {
    /// The engine's cost as a share of the other's.
    pub fn ratio(&self) -> f64 {
        self.cost / self.aim
    }
}

/// There is no limit to be found.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// The engine has no limit that can be scaled.
    #[error("expected a limit of time or nodes to begin with, found none")]
    NoLimit,
    /// The CPU time of an engine is not known, or it made no move.
    #[error("the CPU time of engine {} is not known", engine.0 + 1)]
    Unmetered {
        /// The engine.
        engine: EngineId,
    },
    /// There is no schedule for two engines.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The costs did not come to agree.
    #[error("after {games} games the engine still costs {ratio:.2} times the other")]
    NoAgreement {
        /// The games played.
        games: u32,
        /// The ratio of the costs.
        ratio: f64,
    },
}

/// Scales the limit of `engine` until its games against `like` cost as much CPU time as those of
/// `like` do, and returns it. `observer` hears of each round.
///
/// # Errors
///
/// When the engine has no limit to scale, or no limit is found.
///
/// # Panics
///
/// Outside a tokio runtime with time and I/O enabled, or if the match has no such engines.
pub async fn calibrate(
    contest: &Match,
    engine: EngineId,
    like: EngineId,
    mut observer: impl FnMut(&Round),
) -> Result<Limit, CalibrationError> {
    let mut engines = [engine, like].map(|id| contest.engines[usize::from(id.0)].clone());
    let first = engines[0].limit;
    let mut tally = Tally::new(engines.iter().map(|engine| engine.limit));
    let mut samples = Samples::default();
    let (mut factor, mut ratio) = (1.0, f64::NAN);
    for round in 1..=MOST_ROUNDS {
        let limit = first.scaled(factor).ok_or(CalibrationError::NoLimit)?;
        engines[0].limit = limit;
        let pairs = PAIRS * round;
        let trial = Match {
            engines: engines.to_vec(),
            openings: Arc::clone(&contest.openings),
            schedule: Schedule::new(Form::Pairs { pairs }, 2)?,
            sprt: None,
            ..*contest
        };
        let observer_of_games = |played: &PlayedGame| samples.add(factor, played);
        runner::play_all(&trial, &mut tally, observer_of_games).await;
        let estimate = samples.estimate(factor);
        let unmetered = |cost: f64, engine| {
            let metered = cost > 0.0;
            metered
                .then_some(())
                .ok_or(CalibrationError::Unmetered { engine })
        };
        unmetered(estimate.cost, engine)?;
        unmetered(estimate.aim, like)?;
        observer(&Round { limit, estimate });
        ratio = estimate.ratio();
        let off = (ratio - 1.0).abs();
        let last = round == MOST_ROUNDS;
        if (off <= AGREED && estimate.error <= UNCERTAIN) || (last && off <= TOLERABLE) {
            return Ok(limit);
        }
        factor *= (1.0 / ratio).clamp(1.0 / STEP, STEP);
    }
    let games = 2 * PAIRS * MOST_ROUNDS;
    Err(CalibrationError::NoAgreement { games, ratio })
}

/// What the games so far cost.
#[derive(Debug, Default)]
struct Samples(Vec<Sample>);

/// What a game cost.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// What the first limit was multiplied by.
    factor: f64,
    /// CPU seconds of the engine with the limit.
    cost: f64,
    /// CPU seconds of the other.
    aim: f64,
}

impl Samples {
    fn add(&mut self, factor: f64, played: &PlayedGame) {
        let mut seconds = [0.0; 2];
        for (color, thought) in played.own_moves() {
            let engine = played.id.engine(color);
            let cpu = Duration::from_micros(thought.cpu_us.unwrap_or(0));
            seconds[usize::from(engine.0)] += cpu.as_secs_f64();
        }
        let [cost, aim] = seconds;
        self.0.push(Sample { factor, cost, aim });
    }

    /// What the first limit times `factor` costs, by the games with limits near it. Both engines
    /// of a game play it, so that a long one costs both more: the error is that of their ratio.
    fn estimate(&self, factor: f64) -> Estimate {
        let near = |sample: &&Sample| {
            let apart = sample.factor / factor;
            (1.0 / PROPORTIONAL..=PROPORTIONAL).contains(&apart)
        };
        let scaled: Vec<[f64; 2]> = self
            .0
            .iter()
            .filter(near)
            .map(|sample| [sample.cost * factor / sample.factor, sample.aim])
            .collect();
        let games = scaled.len() as f64;
        let cost: f64 = scaled.iter().map(|[cost, _]| cost).sum();
        let aim: f64 = scaled.iter().map(|[_, aim]| aim).sum();
        let ratio = cost / aim;
        let squares: f64 = scaled
            .iter()
            .map(|[cost, aim]| (cost - ratio * aim).powi(2))
            .sum();
        Estimate {
            games: scaled.len(),
            cost: cost / games,
            aim: aim / games,
            error: (squares * games / (games - 1.0)).sqrt() / aim,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(games: &[(f64, f64, f64)]) -> Samples {
        let sample = |&(factor, cost, aim)| Sample { factor, cost, aim };
        Samples(games.iter().map(sample).collect())
    }

    #[test]
    fn a_ratio_is_that_of_the_sums_with_the_error_of_their_residuals() {
        let estimate = samples(&[(1.0, 1.0, 2.0), (1.0, 3.0, 2.0)]).estimate(1.0);
        let expected = Estimate {
            games: 2,
            cost: 2.0,
            aim: 2.0,
            error: 0.5,
        };
        assert_eq!(estimate, expected);
        // Games that cost both engines more leave no doubt about the ratio.
        let alike = samples(&[(1.0, 1.0, 2.0), (1.0, 4.0, 8.0)]).estimate(1.0);
        assert!(alike.error < 1e-12, "{alike:?}");
    }

    #[test]
    fn games_with_a_limit_nearby_count_in_proportion_and_others_do_not() {
        let games = samples(&[(8.0, 99.0, 1.0), (1.0, 2.0, 1.0), (1.2, 2.4, 1.0)]);
        let estimate = games.estimate(1.2);
        assert_eq!(estimate.games, 2);
        assert!((estimate.ratio() - 2.4).abs() < 1e-12, "{estimate:?}");
    }
}
