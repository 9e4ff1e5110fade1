//! A match between engines from openings.

mod runner;

use std::{collections::BTreeSet, future::Future, num::NonZeroUsize, sync::Arc, time::Duration};

use crate::{
    EngineId, ForfeitScore, GameSpec, MatchObserver,
    blocking::on_another_thread,
    calibrate::{Balance, CalibrationError, Round},
    engine::{Engine, EngineSeat, Patience, Rules},
    fault::Fault,
    limit::Limit,
    log::{Log, LogError},
    record::PlayedGame,
    schedule::Schedule,
    stats::{Sprt, Verdict},
    tally::Tally,
};
use runner::Runner;

/// The openings of a match, by number.
pub trait Openings<E: Engine>: Send + Sync + 'static {
    /// Returns the game that begins with the opening of a number: the same whenever it is asked for. It is called on
    /// a thread that it may block.
    fn game(&self, number: u32) -> GameSpec<Rules<E>>;
}

/// A match between engines.
pub struct Match<E: Engine, O> {
    /// The engines, in the order of their [`EngineId`]s.
    pub engines: Vec<E>,
    /// The openings.
    pub openings: Arc<O>,
    /// The games to play.
    pub schedule: Schedule,
    /// The number of games played at a time.
    pub concurrency: NonZeroUsize,
    /// The time that a move may exceed its limit by.
    pub tolerance: Duration,
    /// The limits on waiting for engines.
    pub patience: Patience,
    /// A test that ends the match of the first two engines as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// The seed for the random choices of programs.
    pub seed: u64,
    /// The observer of the games while they are played.
    pub observer: Option<Arc<dyn MatchObserver<Rules<E>>>>,
}

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided(Verdict),
    /// The match was cancelled. Games in progress are not in the log.
    Cancelled,
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

impl<E: Engine, O> Clone for Match<E, O> {
    fn clone(&self) -> Self {
        Self {
            engines: self.engines.clone(),
            openings: Arc::clone(&self.openings),
            schedule: self.schedule.clone(),
            observer: self.observer.clone(),
            patience: self.patience.clone(),
            ..*self
        }
    }
}

impl<E: Engine, O: Openings<E>> Match<E, O> {
    /// Returns true if no game is left to play.
    pub fn is_over(&self, tally: &Tally) -> bool {
        let played = |id| tally.results().contains_key(id);
        self.verdict(tally).is_some() || self.schedule.known(tally).iter().all(played)
    }

    /// Returns the verdict of the sequential test, or `None` while it is undecided.
    fn verdict(&self, tally: &Tally) -> Option<Verdict> {
        let pairs = tally.duel(EngineId(0), EngineId(1)).pairs;
        let verdict = self.sprt?.test(&pairs).verdict;
        (verdict != Verdict::Continue).then_some(verdict)
    }

    /// Returns the games on record that are part of the schedule: a log may hold the games of a larger one. `forfeit`
    /// is the margin of a game lost by a fault.
    pub fn games_of<'a>(
        &self,
        games: &'a [PlayedGame],
        forfeit: Option<ForfeitScore>,
    ) -> impl Iterator<Item = &'a PlayedGame> + use<'a, E, O> {
        let mut all = Tally::new(self.engines.len(), forfeit);
        for game in games {
            all.insert(game.id, game.result, game.margin::<E::Format>(forfeit));
        }
        let known: BTreeSet<_> = self.schedule.known(&all).into_iter().collect();
        games.iter().filter(move |game| known.contains(&game.id))
    }

    /// Starts and ends every engine once, since an engine that cannot start would lose all its games.
    ///
    /// # Errors
    ///
    /// Fails with the first engine that does not start.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime with time and I/O enabled.
    pub async fn try_engines(&self) -> Result<(), CannotStart> {
        let openings = Arc::clone(&self.openings);
        let game = on_another_thread(move || openings.game(0)).await;
        for engine in &self.engines {
            let seat = EngineSeat::new(engine.clone(), self.patience.clone(), false);
            let tried = seat.try_out(&game).await;
            tried.map_err(|fault| CannotStart {
                engine: engine.to_string(),
                fault,
            })?;
        }
        Ok(())
    }

    /// Plays the games that are missing, several at a time, and ends all engines. `tally` and `balance` already
    /// include the games of the log. A balance changes the limit of its engine between games. After each logged game
    /// [`Match::observer`] is called, then `observer`.
    ///
    /// # Errors
    ///
    /// Fails if a game cannot be logged.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime with time and I/O enabled.
    pub async fn run(
        &self,
        log: &mut Log<E::Format>,
        tally: &mut Tally,
        balance: Option<&mut Balance>,
        mut observer: impl FnMut(&Tally, &PlayedGame),
        cancel: impl Future<Output = ()>,
    ) -> Result<Ending, LogError> {
        let runner = Runner::new(self.clone());
        let both = |tally: &Tally, played: &PlayedGame| {
            if let Some(first) = &self.observer {
                first.game_over(tally, played);
            }
            observer(tally, played);
        };
        let ending = runner.run(log, tally, balance, both, cancel).await;
        if let Some(observer) = &self.observer {
            observer.match_over(tally);
        }
        ending
    }

    /// Scales the limit of `engine`, which plays in this process, until its games against `like` cost both
    /// engines the same CPU time, and returns it. `observer` is called after each round.
    ///
    /// # Errors
    ///
    /// Fails if the engine is a program or has no limit to scale, an engine fails, or no limit is found.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime with time and I/O enabled, or if the match has no such engines.
    pub async fn calibrate(
        &self,
        engine: EngineId,
        like: EngineId,
        observer: impl FnMut(&Round),
    ) -> Result<Limit, CalibrationError> {
        let engines = [engine, like].map(|id| self.engines[usize::from(id.0)].clone());
        let names = engines.each_ref().map(|engine| engine.name().to_owned());
        if !engines[0].is_local() {
            let [name, _] = names;
            return Err(CalibrationError::NotOurs { name });
        }
        let mut runner = Runner::new(Self {
            engines: engines.to_vec(),
            // The games of a calibration are not part of the match.
            observer: None,
            ..self.clone()
        });
        let found = runner.calibrate(&names, observer).await;
        runner.close().await;
        found
    }
}

#[cfg(test)]
mod tests;
