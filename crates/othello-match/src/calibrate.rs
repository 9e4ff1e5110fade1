//! Finding the limit at which an engine costs as much CPU time as another.
//!
//! Programs of others offer levels, whose cost nobody states. Games against such a program tell
//! it, and the limit of the engine that can be limited is scaled until both cost the same. Each
//! round plays openings that none before it played. In the match itself a [`Balance`] goes on with
//! it, since what else the machine does changes the cost of one engine more than that of another; it
//! sees to it that the costs of all games together come out equal.

mod balance;

use std::{sync::Arc, time::Duration};

pub use balance::Balance;

use crate::{
    engine::Kind,
    fault::Fault,
    limit::Limit,
    record::{EngineId, PlayedGame},
    runner::{Hall, Match},
    schedule::{Form, Schedule, ScheduleError},
    tally::Tally,
};

/// The pairs of games of a round.
const PAIRS: u32 = 4;

/// The rounds after which the estimate has to do.
const MAX_ROUNDS: u32 = 25;

/// The distance from 1 that the ratio of the costs may have in the end.
const AGREED: f64 = 0.02;

/// The standard error that the ratio may have in the end.
const UNCERTAIN: f64 = 0.02;

/// The distance from 1 that the ratio may have when there are no more rounds.
const TOLERABLE: f64 = 0.05;

/// The factors by which an engine's limit may change in one round.
const STEP: f64 = 8.0;

/// Up to which factor between two limits cost is taken to grow as the limit does.
const PROPORTIONAL: f64 = 1.25;

/// The result of a round of a calibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The limit that was tried.
    pub limit: Limit,
    /// The cost of a game, by the games with this limit and with those near it.
    pub estimate: Estimate,
}

/// A comparison of the costs of two engines.
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
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// Only our own engine's limit is scaled: it can be told any.
    #[error("expected our own engine, whose limit can be scaled at will, found {name}")]
    NotOurs {
        /// The engine.
        name: String,
    },
    /// The engine has no limit that can be scaled.
    #[error("expected a limit of time or nodes to begin with")]
    NoLimit,
    /// An engine failed.
    #[error("{name} {fault}")]
    Fault {
        /// The engine.
        name: String,
        /// The fault.
        fault: Fault,
    },
    /// The CPU time of an engine is not known, or it made no move.
    #[error("the CPU time of {name} is not known")]
    Unmetered {
        /// The engine.
        name: String,
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

/// Scales the limit of `engine`, our own, until its games against `like` cost as much CPU time as those of
/// `like` do, and returns it. `observer` hears of each round.
///
/// # Errors
///
/// When the engine is not ours or has no limit to scale, when one fails, or no limit is found.
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
    let engines = [engine, like].map(|id| contest.engines[usize::from(id.0)].clone());
    if !matches!(engines[0].kind, Kind::Own(_)) {
        let name = engines[0].name.clone();
        return Err(CalibrationError::NotOurs { name });
    }
    let names = engines.each_ref().map(|engine| engine.name.clone());
    let first = engines[0].limit;
    let trial = Match {
        schedule: Schedule::new(Form::Pairs { pairs: PAIRS }, 2)?,
        openings: Arc::clone(&contest.openings),
        engines: engines.to_vec(),
        sprt: None,
        ..*contest
    };
    let mut hall = Hall::new(&trial);
    let found = search(&mut hall, names, first, &mut observer).await;
    hall.close().await;
    found
}

/// Plays rounds until a limit is found.
async fn search(
    hall: &mut Hall<'_>,
    names: [String; 2],
    first: Limit,
    observer: &mut impl FnMut(&Round),
) -> Result<Limit, CalibrationError> {
    let mut tally = Tally::new(2);
    let mut samples = Samples::default();
    let (mut limit, mut ratio) = (first, f64::NAN);
    for round in 1..=MAX_ROUNDS {
        hall.set_limit(EngineId(0), limit);
        let pairs = PAIRS * round;
        let schedule = Schedule::new(Form::Pairs { pairs }, 2)?;
        let mut fault = None;
        hall.play_all(schedule, &mut tally, |played| {
            samples.add([EngineId(0), EngineId(1)], played);
            fault = fault.take().or_else(|| {
                played
                    .faults
                    .first()
                    .cloned()
                    .map(|(side, fault)| CalibrationError::Fault {
                        name: played.names[side as usize].clone(),
                        fault,
                    })
            });
        })
        .await;
        if let Some(error) = fault {
            return Err(error);
        }
        let estimate = samples.estimate(limit);
        for (cost, name) in [estimate.cost, estimate.aim].into_iter().zip(&names) {
            if cost <= 0.0 {
                return Err(CalibrationError::Unmetered { name: name.clone() });
            }
        }
        observer(&Round { limit, estimate });
        ratio = estimate.ratio();
        let off = (ratio - 1.0).abs();
        let last = round == MAX_ROUNDS;
        if (off <= AGREED && estimate.error <= UNCERTAIN) || (last && off <= TOLERABLE) {
            return Ok(limit);
        }
        let factor = (1.0 / ratio).clamp(1.0 / STEP, STEP);
        limit = limit.scaled(factor).ok_or(CalibrationError::NoLimit)?;
        if round == 1 {
            // In their first games programs are slower than in any later one.
            samples = Samples::default();
        }
    }
    let games = 2 * PAIRS * MAX_ROUNDS;
    Err(CalibrationError::NoAgreement { games, ratio })
}

/// The costs of the games so far.
#[derive(Debug, Default)]
struct Samples(Vec<Sample>);

/// The cost of a game.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// The nodes or seconds of the engine's limit.
    amount: f64,
    /// CPU seconds of the engine with the limit.
    cost: f64,
    /// CPU seconds of the other.
    aim: f64,
}

impl Samples {
    /// Adds a game of the engine that is limited and the other.
    fn add(&mut self, [engine, like]: [EngineId; 2], played: &PlayedGame) {
        let (mut cost, mut aim) = (0.0, 0.0);
        for (color, thought) in played.own_moves() {
            let cpu = Duration::from_micros(thought.cpu_us.unwrap_or(0)).as_secs_f64();
            if played.id.engine(color) == engine {
                cost += cpu;
            } else if played.id.engine(color) == like {
                aim += cpu;
            }
        }
        let own = usize::from(played.id.white == engine);
        if let Some(amount) = played.limits[own].amount() {
            self.0.push(Sample { amount, cost, aim });
        }
    }

    /// Returns the cost of a limit, by the games with limits near it. Both engines of a game play it, so
    /// that a long one costs both more: the error is that of their ratio.
    fn estimate(&self, limit: Limit) -> Estimate {
        let now = limit.amount().unwrap_or(f64::NAN);
        let near =
            |sample: &&Sample| (1.0 / PROPORTIONAL..=PROPORTIONAL).contains(&(sample.amount / now));
        let scaled: Vec<[f64; 2]> = self
            .0
            .iter()
            .filter(near)
            .map(|sample| [sample.cost * now / sample.amount, sample.aim])
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
        let sample = |&(amount, cost, aim)| Sample { amount, cost, aim };
        Samples(games.iter().map(sample).collect())
    }

    fn nodes(nodes: u64) -> Limit {
        Limit {
            nodes: Some(nodes),
            ..Limit::default()
        }
    }

    #[test]
    fn a_ratio_is_that_of_the_sums_with_the_error_of_their_residuals() {
        let estimate = samples(&[(10.0, 1.0, 2.0), (10.0, 3.0, 2.0)]).estimate(nodes(10));
        let expected = Estimate {
            games: 2,
            cost: 2.0,
            aim: 2.0,
            error: 0.5,
        };
        assert_eq!(estimate, expected);
        // Games that cost both engines more leave no doubt about the ratio.
        let alike = samples(&[(10.0, 1.0, 2.0), (10.0, 4.0, 8.0)]).estimate(nodes(10));
        assert!(alike.error < 1e-12, "{alike:?}");
    }

    #[test]
    fn games_with_a_limit_nearby_count_in_proportion_and_others_do_not() {
        let games = samples(&[(80.0, 99.0, 1.0), (10.0, 2.0, 1.0), (12.0, 2.4, 1.0)]);
        let estimate = games.estimate(nodes(12));
        assert_eq!(estimate.games, 2);
        assert!((estimate.ratio() - 2.4).abs() < 1e-12, "{estimate:?}");
    }
}
