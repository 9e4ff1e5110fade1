//! Finding the limit at which an engine costs as much CPU time as another.
//!
//! Programs of others offer levels, whose cost nobody states. Games against such a program tell
//! it, and the limit of the engine that can be limited is scaled until both cost the same.

use std::{sync::Arc, time::Duration};

use crate::{
    limit::Limit,
    record::EngineId,
    runner::{self, Match},
    schedule::{Form, Schedule, ScheduleError},
    tally::Tally,
};

/// The pairs of games of each round; the last number goes for all that follow.
const PAIRS: [u32; 3] = [2, 4, 8];

/// The rounds after which there is no agreement.
const MOST_ROUNDS: usize = 10;

/// How far the costs may differ, as a share: half of the 5 % that a match is to keep to, since
/// the games of a match differ from those of the calibration.
const AGREED: f64 = 0.025;

/// What an engine's limit may be multiplied by in one round.
const STEP: f64 = 8.0;

/// What a round of a calibration found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// The limit that was tried.
    pub limit: Limit,
    /// The games played.
    pub games: u32,
    /// The mean CPU time of a game of the engine with that limit.
    pub cost: Duration,
    /// The mean CPU time of a game of the other engine.
    pub aim: Duration,
}

impl Round {
    /// The engine's cost as a share of the other's.
    pub fn ratio(&self) -> f64 {
        self.cost.as_secs_f64() / self.aim.as_secs_f64()
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
    #[error("after {MOST_ROUNDS} rounds the engine still costs {ratio:.2} times the other")]
    NoAgreement {
        /// The last round's ratio.
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
    let pair = [engine, like].map(|id| contest.engines[usize::from(id.0)].clone());
    let mut limit = pair[0].limit;
    let mut ratio = f64::NAN;
    for round in 0..MOST_ROUNDS {
        let pairs = PAIRS[round.min(PAIRS.len() - 1)];
        let mut engines = pair.to_vec();
        engines[0].limit = limit;
        let trial = Match {
            engines,
            openings: Arc::clone(&contest.openings),
            schedule: Schedule::new(Form::Pairs { pairs }, 2)?,
            sprt: None,
            ..*contest
        };
        let mut tally = Tally::new(trial.engines.iter().map(|engine| engine.limit));
        runner::play_all(&trial, &mut tally).await;
        let cost = |place: u16, engine: EngineId| {
            let cost = tally.usage(EngineId(place)).cpu_per_game();
            cost.filter(|cost| !cost.is_zero())
                .ok_or(CalibrationError::Unmetered { engine })
        };
        let found = Round {
            limit,
            games: pairs * 2,
            cost: cost(0, engine)?,
            aim: cost(1, like)?,
        };
        observer(&found);
        ratio = found.ratio();
        if round + 1 >= PAIRS.len() && (ratio - 1.0).abs() <= AGREED {
            return Ok(limit);
        }
        let factor = (1.0 / ratio).clamp(1.0 / STEP, STEP);
        limit = limit.scaled(factor).ok_or(CalibrationError::NoLimit)?;
    }
    Err(CalibrationError::NoAgreement { ratio })
}
