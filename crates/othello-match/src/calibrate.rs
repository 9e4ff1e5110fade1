//! Calibration of our engine by games of its own.

use std::sync::Arc;

use boardgame_match::{
    EngineId,
    calibrate::{CalibrationError, Round},
    limit::Limit,
};

use crate::{engine::Kind, record::Othello, runner::Match};

/// Scales the limit of `engine`, our own, until its games against `like` cost as much CPU time as those of
/// `like` do, and returns it. `observer` is called after each round.
///
/// # Errors
///
/// Fails if the engine is not ours or has no limit to scale, an engine fails, or no limit is found.
///
/// # Panics
///
/// Panics outside a tokio runtime with time and I/O enabled, or if the match has no such engines.
pub async fn calibrate(
    contest: &Match,
    engine: EngineId,
    like: EngineId,
    observer: impl FnMut(&Round),
) -> Result<Limit, CalibrationError> {
    let engines = [engine, like].map(|id| contest.engines[usize::from(id.0)].clone());
    if !matches!(engines[0].kind, Kind::Own(_)) {
        let name = engines[0].name.clone();
        return Err(CalibrationError::NotOurs { name });
    }
    let names = engines.each_ref().map(|engine| engine.name.clone());
    let trial = Match {
        openings: Arc::clone(&contest.openings),
        engines: engines.to_vec(),
        ..*contest
    };
    let mut runner = trial.runner();
    let found = runner.calibrate::<Othello>(&names, observer).await;
    runner.close().await;
    found
}
