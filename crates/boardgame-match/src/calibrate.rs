//! Search for the limit at which an engine uses as much CPU time as another.
//!
//! Third-party programs have levels of unknown cost. A [`Calibration`] measures that cost in games against an
//! engine whose limit can be scaled, and scales the limit until both engines use the same time. Each round of
//! it plays new openings. During the match itself a [`Balance`] keeps adjusting the limit, because other load
//! on the machine changes the cost of one engine more than that of the other.

mod balance;

use std::time::Duration;

pub use balance::Balance;

use crate::{
    EngineId,
    fault::Fault,
    limit::Limit,
    record::{GameResult, PlayedGame, RecordFormat, Side},
    schedule::ScheduleError,
};

/// The pairs of games of a round.
const PAIRS: u32 = 4;

/// The maximum number of rounds.
const MAX_ROUNDS: u32 = 25;

/// The maximum distance of the final ratio of costs from 1.
const MAX_DEVIATION: f64 = 0.02;

/// The maximum standard error of the final ratio.
const MAX_ERROR: f64 = 0.02;

/// The maximum distance of the ratio from 1 after the last round, whatever its standard error.
const MAX_LAST_DEVIATION: f64 = 0.05;

/// The maximum factor by which the limit changes in one round.
const MAX_STEP: f64 = 8.0;

/// The maximum factor between two limits within which cost is assumed to be proportional to the limit.
const PROPORTIONAL: f64 = 1.25;

/// The result of a round of a calibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The limit in the round.
    pub limit: Limit,
    /// The cost of a game, estimated from the games with this limit and with similar ones.
    pub estimate: Estimate,
}

/// A comparison of the costs of two engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number of games it is based on.
    pub games: usize,
    /// The mean CPU time of a game of the engine with the limit, in seconds.
    pub cost: f64,
    /// The mean CPU time of a game of the other engine, in seconds.
    pub aim: f64,
    /// The standard error of their ratio.
    pub error: f64,
}

impl Estimate {
    /// Returns the ratio of the engine's cost to the other's.
    pub fn ratio(&self) -> f64 {
        self.cost / self.aim
    }
}

/// An error of a calibration.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum CalibrationError {
    /// The engine is a program whose limit cannot be scaled.
    #[error("expected our own engine, whose limit can be scaled at will, found {name}")]
    NotOurs { name: String },
    /// The engine has no limit that can be scaled.
    #[error("expected a limit of time or nodes to begin with")]
    NoLimit,
    /// An engine failed.
    #[error("{name} {fault}")]
    Fault { name: String, fault: Fault },
    /// The CPU time of an engine is not known, or it made no move.
    #[error("the CPU time of {name} is not known")]
    Unmetered { name: String },
    /// There is no schedule for two engines.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The costs still differ after the last round.
    #[error("after {games} games the engine still costs {ratio:.2} times the other")]
    NoAgreement { games: u32, ratio: f64 },
}

/// A search for the limit at which an engine uses as much CPU time in its games as its opponent.
///
/// The engine with the limit is number 0 of two. In a round, play the games of the first
/// [`pairs`](Self::pairs) openings that are still missing, with the [`limit`](Self::limit), and
/// [`add`](Self::add) each; then call [`end_round`](Self::end_round) and [`find`](Self::find), which may
/// return the limit.
#[derive(Debug)]
pub struct Calibration {
    limit: Limit,
    /// The rounds that are over.
    rounds: u32,
    samples: Samples,
    /// The first fault of an engine.
    fault: Option<CalibrationError>,
}

impl Calibration {
    /// Starts a calibration with a first limit.
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            rounds: 0,
            samples: Samples::default(),
            fault: None,
        }
    }

    /// Returns the limit of the current round.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// Returns the number of pairs of games of all rounds up to the current one.
    pub const fn pairs(&self) -> u32 {
        PAIRS * (self.rounds + 1)
    }

    /// Adds a game of the current round.
    pub fn add<F: RecordFormat>(&mut self, played: &PlayedGame) {
        self.samples.add::<F>([EngineId(0), EngineId(1)], played);
        if let (None, Some((side, fault))) = (&self.fault, deciding_fault(played)) {
            self.fault = Some(CalibrationError::Fault {
                name: played.names[side as usize].clone(),
                fault: fault.clone(),
            });
        }
    }

    /// Ends the current round and returns its result; `names` are the two engines' names.
    ///
    /// # Errors
    ///
    /// Fails if an engine had a fault or its CPU time is not known.
    pub fn end_round(&mut self, names: &[String; 2]) -> Result<Round, CalibrationError> {
        if let Some(error) = self.fault.take() {
            return Err(error);
        }
        let estimate = self.samples.estimate(self.limit);
        for (cost, name) in [estimate.cost, estimate.aim].into_iter().zip(names) {
            if cost <= 0.0 {
                return Err(CalibrationError::Unmetered { name: name.clone() });
            }
        }
        self.rounds += 1;
        Ok(Round {
            limit: self.limit,
            estimate,
        })
    }

    /// Returns the final limit, or `None` after choosing the limit of the next round.
    ///
    /// # Errors
    ///
    /// Fails if the limit cannot be scaled, or the costs do not agree after the maximum number of rounds.
    pub fn find(&mut self, round: &Round) -> Result<Option<Limit>, CalibrationError> {
        let ratio = round.estimate.ratio();
        let deviation = (ratio - 1.0).abs();
        let is_last = self.rounds == MAX_ROUNDS;
        let agrees = deviation <= MAX_DEVIATION && round.estimate.error <= MAX_ERROR;
        if agrees || (is_last && deviation <= MAX_LAST_DEVIATION) {
            return Ok(Some(round.limit));
        }
        let factor = (1.0 / ratio).clamp(1.0 / MAX_STEP, MAX_STEP);
        let scaled = round.limit.scaled(factor);
        self.limit = scaled.ok_or(CalibrationError::NoLimit)?;
        if is_last {
            let games = 2 * PAIRS * MAX_ROUNDS;
            return Err(CalibrationError::NoAgreement { games, ratio });
        }
        if self.rounds == 1 {
            // Programs are slowest in their first games.
            self.samples = Samples::default();
        }
        Ok(None)
    }
}

/// The costs of the games so far.
#[derive(Debug, Default)]
struct Samples(Vec<Sample>);

/// The cost of a game.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// The engine's limit, in nodes or seconds.
    amount: f64,
    /// The CPU time of the engine with the limit, in seconds.
    cost: f64,
    /// The CPU time of the other engine, in seconds.
    aim: f64,
}

impl Samples {
    /// Adds a game of the engine with the limit and the other.
    fn add<F: RecordFormat>(&mut self, [engine, like]: [EngineId; 2], played: &PlayedGame) {
        let (mut cost, mut aim) = (0.0, 0.0);
        for (color, thought) in played.own_moves::<F>() {
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

    /// Returns the cost of a limit, estimated from the games with similar limits. A long game costs both
    /// engines more, so the error is computed for the ratio of sums.
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

/// Returns the fault that decided a game, and the side at fault: a resignation is none.
fn deciding_fault(played: &PlayedGame) -> Option<(Side, &Fault)> {
    let GameResult::Forfeit { by } = played.result else {
        return None;
    };
    let last = played.faults.iter().rfind(|(side, _)| *side == by);
    let last = last.map(|(side, fault)| (*side, fault));
    last.filter(|(_, fault)| **fault != Fault::Resigned)
}

#[cfg(test)]
mod tests;
