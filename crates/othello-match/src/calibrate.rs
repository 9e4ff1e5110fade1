//! Calibration of our engine by games of its own.

use std::sync::Arc;

use boardgame_match::{
    EngineId,
    calibrate::{Calibration, CalibrationError, Round},
    limit::Limit,
    schedule::{Form, Schedule, ScheduleError},
    tally::Tally,
};

use crate::{
    engine::Kind,
    record::Othello,
    runner::{Match, Runner},
};

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
    let calibration = Calibration::new(engines[0].limit);
    let trial = Match {
        schedule: schedule(&calibration)?,
        openings: Arc::clone(&contest.openings),
        engines: engines.to_vec(),
        sprt: None,
        ..*contest
    };
    let mut runner = Runner::new(&trial);
    let found = play_rounds(&mut runner, calibration, &names, observer).await;
    runner.close().await;
    found
}

/// Returns the schedule of all rounds up to the current one.
fn schedule(calibration: &Calibration) -> Result<Schedule, ScheduleError> {
    let pairs = calibration.pairs();
    Schedule::new(Form::Pairs { pairs }, 2)
}

/// Plays rounds until a limit is found.
async fn play_rounds(
    runner: &mut Runner<'_>,
    mut calibration: Calibration,
    names: &[String; 2],
    mut observer: impl FnMut(&Round),
) -> Result<Limit, CalibrationError> {
    let mut tally = Tally::new(2);
    loop {
        runner.set_limit(EngineId(0), calibration.limit());
        let schedule = schedule(&calibration)?;
        let add = |played: &_| calibration.add::<Othello>(played);
        runner.play_all(schedule, &mut tally, add).await;
        let round = calibration.end_round(names)?;
        observer(&round);
        if let Some(limit) = calibration.find(&round)? {
            return Ok(limit);
        }
    }
}
