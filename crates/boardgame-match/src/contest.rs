//! A match between engines from openings.

use std::{collections::BTreeSet, future::Future, num::NonZeroUsize, sync::Arc, time::Duration};

use boardgame_core::ByColor;

use crate::{
    EngineId, GameId, GameSpec, MatchObserver, Seat as _,
    blocking::on_another_thread,
    calibrate::{Balance, CalibrationError, Round},
    engine::{Engine, EngineSeat, Patience, Rules, play},
    fault::Fault,
    limit::Limit,
    log::{Log, LogError},
    record::PlayedGame,
    runner::{Ending, Players, Runner, RunnerOptions, verdict},
    schedule::Schedule,
    stats::Sprt,
    tally::Tally,
};

/// The games from which a match begins, by number.
pub trait Openings<E: Engine>: Send + Sync + 'static {
    /// Returns the game that begins with the opening of a number: the same whenever it is asked for. It is called on
    /// a thread on which it may take its time.
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
    /// The time by which a move may exceed its limit.
    pub tolerance: Duration,
    /// The maximum times that engines are waited for.
    pub patience: Patience,
    /// A test that ends the match of the first two engines as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// The seed of the numbers that programs choose at random by.
    pub seed: u64,
    /// The observer of the games while they are played.
    pub observer: Option<Arc<dyn MatchObserver<Rules<E>>>>,
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

impl<E: Engine, O: Openings<E>> Match<E, O> {
    /// Returns true if no game is left to play.
    pub fn is_over(&self, tally: &Tally) -> bool {
        let played = |id| tally.results().contains_key(id);
        let sprt = self.sprt.as_ref();
        let is_decided = sprt.is_some_and(|sprt| verdict(sprt, tally).is_some());
        is_decided || self.schedule.known(tally.results()).iter().all(played)
    }

    /// Returns the games on record that are part of the schedule: a log may hold those of a larger one.
    pub fn games_of<'a>(
        &self,
        games: &'a [PlayedGame],
    ) -> impl Iterator<Item = &'a PlayedGame> + use<'a, E, O> {
        let results = games.iter().map(|game| (game.id, game.result)).collect();
        let known: BTreeSet<_> = self.schedule.known(&results).into_iter().collect();
        games.iter().filter(move |game| known.contains(&game.id))
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
        let openings = Arc::clone(&self.openings);
        let game = on_another_thread(move || openings.game(0)).await;
        for engine in &self.engines {
            let seat = EngineSeat::new(engine.clone(), self.patience, false);
            let tried = seat.try_out(&game).await;
            tried.map_err(|fault| CannotStart {
                engine: engine.to_string(),
                fault,
            })?;
        }
        Ok(())
    }

    /// Plays the games that are missing; see [`Runner::run`]. [`Match::observer`] is told of each game that was logged
    /// before `observer` is.
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
        let runner = self.runner();
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

    /// Scales the limit of `engine`, which plays in this process, until its games against `like` cost as much CPU
    /// time as those of `like` do, and returns it. `observer` is called after each round.
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
        let trial = Self {
            openings: Arc::clone(&self.openings),
            engines: engines.to_vec(),
            // The games of a calibration are not part of the match.
            observer: None,
            ..*self
        };
        let mut runner = trial.runner();
        let found = runner.calibrate::<E::Format>(&names, observer).await;
        runner.close().await;
        found
    }

    /// Returns a runner of the games, which has started no engine yet.
    fn runner(&self) -> Runner<Contestants<E, O>> {
        let options = RunnerOptions {
            schedule: self.schedule,
            limits: self.engines.iter().map(Engine::limit).collect(),
            concurrency: self.concurrency,
            sprt: self.sprt,
        };
        let engines = Contestants {
            engines: self.engines.clone(),
            openings: Arc::clone(&self.openings),
            tolerance: self.tolerance,
            patience: self.patience,
            seed: self.seed,
            alone: self.concurrency.get() == 1,
            observer: self.observer.clone(),
        };
        Runner::new(engines, options)
    }
}

/// The engines and openings of a match, as a runner needs them.
struct Contestants<E: Engine, O> {
    engines: Vec<E>,
    openings: Arc<O>,
    tolerance: Duration,
    patience: Patience,
    seed: u64,
    /// True if one game is played at a time.
    alone: bool,
    observer: Option<Arc<dyn MatchObserver<Rules<E>>>>,
}

impl<E: Engine, O: Openings<E>> Players for Contestants<E, O> {
    type Engine = EngineSeat<E>;

    fn engine(&self, id: EngineId) -> EngineSeat<E> {
        let engine = self.engines[usize::from(id.0)].clone();
        EngineSeat::new(engine, self.patience, self.alone)
    }

    fn set_limit(&self, engine: &mut EngineSeat<E>, limit: Limit) {
        engine.set_limit(limit);
    }

    async fn play(&self, id: GameId, engines: ByColor<&mut EngineSeat<E>>) -> PlayedGame {
        let openings = Arc::clone(&self.openings);
        let game = GameSpec {
            tolerance: self.tolerance,
            seed: game_seed(self.seed, id),
            time: engines.as_ref().map(|seat| seat.engine().time()),
            ..on_another_thread(move || openings.game(id.opening)).await
        };
        let observer = self.observer.as_deref();
        if let Some(observer) = observer {
            let names = engines.as_ref().map(|seat| seat.engine().name());
            observer.game_begins(id, names, &game);
        }
        let tell = |event: &_| {
            if let Some(observer) = observer {
                observer.game_event(id, event);
            }
        };
        play(id, &game, engines, tell).await
    }

    async fn close(&self, mut engine: EngineSeat<E>) {
        engine.close().await;
    }
}

/// Returns the seed of a game: 1 to 2³¹ − 1, which programs of any language can read, and different for games
/// next to each other.
fn game_seed(seed: u64, id: GameId) -> u64 {
    let GameId {
        opening,
        black,
        white,
    } = id;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(format!("{seed} {opening} {} {}", black.0, white.0).as_bytes());
    u64::from(hasher.finalize() >> 1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_of_a_match_have_seeds_of_their_own() {
        let seeds = |seed| {
            let ids = (0..500).flat_map(|opening| {
                [(0, 1), (1, 0)].map(|(black, white)| GameId {
                    opening,
                    black: EngineId(black),
                    white: EngineId(white),
                })
            });
            ids.map(|id| game_seed(seed, id)).collect::<BTreeSet<_>>()
        };
        assert_eq!(seeds(1), seeds(1));
        assert_eq!(seeds(1).len(), 1000);
        assert_eq!(seeds(1).intersection(&seeds(2)).count(), 0);
    }
}
