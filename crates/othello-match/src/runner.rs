//! Matches between engines from openings.

use std::{future::Future, num::NonZeroUsize, sync::Arc, time::Duration};

use boardgame_core::ByColor;
use boardgame_match::{
    EngineId, GameId, GameSpec, Seat as _,
    calibrate::Balance,
    engine::{Patience, play},
    fault::Fault,
    limit::Limit,
    log::{Log, LogError},
    record::PlayedGame,
    runner::{Ending, Players, Runner, RunnerOptions, verdict},
    schedule::Schedule,
    stats::Sprt,
    tally::Tally,
};

use othello_core::{Board, Game};

use crate::{engine::EngineSpec, engine_seat::EngineSeat, openings::Openings, record::Othello};

/// A match between engines.
pub struct Match {
    /// The engines, in the order of their [`EngineId`]s.
    pub engines: Vec<EngineSpec>,
    /// The openings.
    pub openings: Arc<Openings>,
    /// The games to play.
    pub schedule: Schedule,
    /// The number of games played at a time.
    pub concurrency: NonZeroUsize,
    /// The time by which a move may exceed its limit.
    pub tolerance: Duration,
    /// The maximum times that engines are waited for.
    pub patience: Patience,
    /// A test that ends the match of the first two engines as soon as it is decided.
    pub sprt: Option<Sprt>,
}

/// The error of an engine that cannot play from the openings of its match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{engine} cannot play from {opening}: its protocol begins every game where all games do \
     (openings: start)"
)]
pub struct CannotPlay {
    /// The engine.
    pub engine: String,
    /// The first opening that it cannot play from.
    pub opening: String,
}

/// The error of an engine that does not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{engine} {fault}")]
pub struct CannotStart {
    /// The engine, with its command.
    pub engine: String,
    /// The fault.
    pub fault: Fault,
}

impl Match {
    /// Checks that every engine can play from every opening.
    ///
    /// # Errors
    ///
    /// Fails with the first engine that cannot.
    pub fn check(&self) -> Result<(), CannotPlay> {
        for engine in &self.engines {
            if let Some((number, opening)) = self.openings.find(|game| !engine.takes(game)) {
                let moves = opening.game.transcript();
                return Err(CannotPlay {
                    engine: engine.name.clone(),
                    opening: format!("opening {} ({} {moves})", number + 1, opening.game.start()),
                });
            }
        }
        Ok(())
    }

    /// Returns true if no game is left to play.
    pub fn is_over(&self, tally: &Tally) -> bool {
        let played = |id| tally.results().contains_key(id);
        let sprt = self.sprt.as_ref();
        let is_decided = sprt.is_some_and(|sprt| verdict(sprt, tally).is_some());
        is_decided || self.schedule.known(tally.results()).iter().all(played)
    }

    /// Starts and ends every engine once, because an engine that cannot begin a game would lose all of them.
    ///
    /// # Errors
    ///
    /// Fails with the first engine that does not start.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime with time and I/O enabled.
    pub async fn try_engines(&self) -> Result<(), CannotStart> {
        let game = game_from(&self.openings.get(0).game);
        for spec in &self.engines {
            let seat = EngineSeat::new(spec.clone(), self.patience, false);
            let tried = seat.try_out(&game).await;
            tried.map_err(|fault| CannotStart {
                engine: spec.to_string(),
                fault,
            })?;
        }
        Ok(())
    }

    /// Returns a runner of the games, which has started no engine yet.
    pub(crate) fn runner(&self) -> Runner<Engines> {
        let options = RunnerOptions {
            schedule: self.schedule,
            limits: self.engines.iter().map(|engine| engine.limit).collect(),
            concurrency: self.concurrency,
            sprt: self.sprt,
        };
        let engines = Engines {
            specs: self.engines.clone(),
            openings: Arc::clone(&self.openings),
            tolerance: self.tolerance,
            patience: self.patience,
            alone: self.concurrency.get() == 1,
        };
        Runner::new(engines, options)
    }
}

/// Plays the games that are missing in a match; see [`Runner::run`].
///
/// # Errors
///
/// Fails if a game cannot be logged.
///
/// # Panics
///
/// Panics outside a tokio runtime with time and I/O enabled.
pub async fn run(
    contest: &Match,
    log: &mut Log<Othello>,
    tally: &mut Tally,
    balance: Option<&mut Balance>,
    observer: impl FnMut(&Tally, &PlayedGame),
    cancel: impl Future<Output = ()>,
) -> Result<Ending, LogError> {
    let runner = contest.runner();
    runner.run(log, tally, balance, observer, cancel).await
}

/// The engines and openings of a match, as a runner needs them.
pub(crate) struct Engines {
    specs: Vec<EngineSpec>,
    openings: Arc<Openings>,
    tolerance: Duration,
    patience: Patience,
    /// True if one game is played at a time.
    alone: bool,
}

impl Players for Engines {
    type Engine = EngineSeat;

    fn engine(&self, id: EngineId) -> EngineSeat {
        let spec = self.specs[usize::from(id.0)].clone();
        EngineSeat::new(spec, self.patience, self.alone)
    }

    fn set_limit(&self, engine: &mut EngineSeat, limit: Limit) {
        engine.set_limit(limit);
    }

    async fn play(&self, id: GameId, engines: ByColor<&mut EngineSeat>) -> PlayedGame {
        let game = GameSpec {
            tolerance: self.tolerance,
            ..game_from(&self.openings.get(id.opening).game)
        };
        play(id, &game, engines, |_| {}).await
    }

    async fn close(&self, mut engine: EngineSeat) {
        engine.close().await;
    }
}

/// Returns a game that begins with the moves of an opening.
pub fn game_from(opening: &Game) -> GameSpec<Board> {
    GameSpec {
        opening: opening.moves().to_vec(),
        ..GameSpec::new(opening.start())
    }
}
