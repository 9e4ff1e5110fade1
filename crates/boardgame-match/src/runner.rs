//! The runner of a match: it plays several games at a time, each exactly once.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    future::Future,
    num::NonZeroUsize,
    panic,
    pin::pin,
    sync::Arc,
};

use boardgame_core::ByColor;
use tokio::task::JoinSet;

use crate::{
    EngineId, GameId,
    calibrate::{Balance, Calibration, CalibrationError, Round},
    limit::Limit,
    log::{Log, LogError},
    record::{PlayedGame, RecordFormat},
    schedule::{Form, Schedule},
    stats::{Sprt, Verdict},
    tally::Tally,
};

/// The engines and openings of a match.
pub trait Players: Send + Sync + 'static {
    /// An engine that plays one game at a time, any number of them.
    type Engine: Send;

    /// Returns an engine that is not started yet.
    fn engine(&self, id: EngineId) -> Self::Engine;

    /// Sets the limit of an engine for its next game.
    fn set_limit(&self, engine: &mut Self::Engine, limit: Limit);

    /// Plays a game from the opening of its number.
    fn play(
        &self,
        id: GameId,
        engines: ByColor<&mut Self::Engine>,
    ) -> impl Future<Output = PlayedGame> + Send;

    /// Ends an engine.
    fn close(&self, engine: Self::Engine) -> impl Future<Output = ()> + Send;
}

/// The options of a [`Runner`].
#[derive(Clone, Debug)]
pub struct RunnerOptions {
    /// The games to play.
    pub schedule: Schedule,
    /// The limits of the engines, in the order of their [`EngineId`]s.
    pub limits: Vec<Limit>,
    /// The number of games played at a time.
    pub concurrency: NonZeroUsize,
    /// A test that ends the match of the first two engines as soon as it is decided.
    pub sprt: Option<Sprt>,
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

/// Returns the verdict of a sequential test of the first two engines, or `None` while it is undecided.
pub fn verdict(sprt: &Sprt, tally: &Tally) -> Option<Verdict> {
    let state = sprt.test(&tally.duel(EngineId(0), EngineId(1)).pairs);
    (state.verdict != Verdict::Continue).then_some(state.verdict)
}

/// Plays the games of a match, several at a time.
///
/// Each of a fixed number of lanes plays one game at a time. An engine stays in its lane while the next game of
/// the lane is its own, too, and is ended otherwise.
pub struct Runner<P: Players> {
    players: Arc<P>,
    options: RunnerOptions,
    /// The lanes in which no game is in progress.
    free: Vec<Lane<P>>,
    /// The games in progress, each with its lane.
    tasks: JoinSet<(Lane<P>, PlayedGame)>,
    in_progress: BTreeSet<GameId>,
    queue: VecDeque<GameId>,
}

impl<P: Players> Runner<P> {
    /// Returns a runner that has started no engine yet.
    pub fn new(players: P, options: RunnerOptions) -> Self {
        let lanes = options.concurrency.get();
        Self {
            players: Arc::new(players),
            options,
            free: (0..lanes).map(|_| Lane::default()).collect(),
            tasks: JoinSet::new(),
            in_progress: BTreeSet::new(),
            queue: VecDeque::new(),
        }
    }

    /// Plays the games that are missing in a match, and ends all engines. `tally` and `balance` have the games
    /// that the log has already. `observer` is called after each game that was logged. A balance changes the
    /// limit of its engine between games.
    ///
    /// # Errors
    ///
    /// Fails if a game cannot be logged.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime, or if [`Players::play`] does.
    pub async fn run<F: RecordFormat>(
        mut self,
        log: &mut Log<F>,
        tally: &mut Tally,
        mut balance: Option<&mut Balance>,
        mut observer: impl FnMut(&Tally, &PlayedGame),
        cancel: impl Future<Output = ()>,
    ) -> Result<Ending, LogError> {
        let mut cancel = pin!(cancel);
        let ending = loop {
            let sprt = self.options.sprt.as_ref();
            if let Some(verdict) = sprt.and_then(|sprt| verdict(sprt, tally)) {
                break Ending::Decided(verdict);
            }
            self.begin_games(tally);
            let next = tokio::select! {
                biased;
                () = &mut cancel => break Ending::Cancelled,
                next = self.next_played() => next,
            };
            let Some(played) = next else {
                break Ending::Complete;
            };
            log.append(&played)?;
            tally.add::<F>(&played);
            if let Some(balance) = balance.as_deref_mut() {
                let engine = balance.engine();
                let left = |balance: &Balance| self.remaining(tally, balance);
                if let Some(limit) = balance.adjust::<F>(&played, self.limit(engine), left) {
                    log.append_limit(engine, limit)?;
                    self.set_limit(engine, limit);
                }
            }
            observer(tally, &played);
        };
        self.close().await;
        Ok(ending)
    }

    /// Plays the games of a schedule that the tally lacks, without a log.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime, or if [`Players::play`] does.
    pub async fn play_all<F: RecordFormat>(
        &mut self,
        schedule: Schedule,
        tally: &mut Tally,
        mut observer: impl FnMut(&PlayedGame),
    ) {
        self.options.schedule = schedule;
        self.begin_games(tally);
        while let Some(played) = self.next_played().await {
            tally.add::<F>(&played);
            observer(&played);
            self.begin_games(tally);
        }
    }

    /// Scales the limit of the first of two engines until their games cost both as much CPU time, and returns
    /// it. `names` are those of the engines; `observer` is called after each round.
    ///
    /// # Errors
    ///
    /// Fails if there is no limit to scale, an engine fails, or no limit is found.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime, or if [`Players::play`] does.
    pub async fn calibrate<F: RecordFormat>(
        &mut self,
        names: &[String; 2],
        mut observer: impl FnMut(&Round),
    ) -> Result<Limit, CalibrationError> {
        let engine = EngineId(0);
        let mut calibration = Calibration::new(self.limit(engine));
        let mut tally = Tally::new(2);
        loop {
            self.set_limit(engine, calibration.limit());
            let pairs = calibration.pairs();
            let schedule = Schedule::new(Form::Pairs { pairs }, 2)?;
            let add = |played: &_| calibration.add::<F>(played);
            self.play_all::<F>(schedule, &mut tally, add).await;
            let round = calibration.end_round(names)?;
            observer(&round);
            if let Some(limit) = calibration.find(&round)? {
                return Ok(limit);
            }
        }
    }

    fn limit(&self, engine: EngineId) -> Limit {
        self.options.limits[usize::from(engine.0)]
    }

    /// Sets the limit of an engine in the games that begin from here on.
    pub fn set_limit(&mut self, engine: EngineId, limit: Limit) {
        self.options.limits[usize::from(engine.0)] = limit;
    }

    /// Returns the number of games between the engines of a balance that are not over yet.
    fn remaining(&self, tally: &Tally, balance: &Balance) -> usize {
        let results = tally.results();
        let known = self.options.schedule.known(results).into_iter();
        let open = known.filter(|id| balance.concerns(*id) && !results.contains_key(id));
        open.count()
    }

    /// Begins a game in each free lane while there are games to play.
    fn begin_games(&mut self, tally: &Tally) {
        while let Some(mut lane) = self.free.pop() {
            let Some(id) = self.next_game(tally) else {
                self.free.push(lane);
                return;
            };
            let players = Arc::clone(&self.players);
            let limits = ByColor {
                black: self.limit(id.black),
                white: self.limit(id.white),
            };
            self.in_progress.insert(id);
            self.tasks.spawn(async move {
                let played = lane.play(&*players, id, limits).await;
                (lane, played)
            });
        }
    }

    /// Returns the next game that is neither played nor in progress. Only a Swiss tournament has new games once
    /// a round is over, so the schedule is asked again when no game is in progress.
    fn next_game(&mut self, tally: &Tally) -> Option<GameId> {
        if self.queue.is_empty() && self.in_progress.is_empty() {
            let mut known = self.options.schedule.known(tally.results());
            known.retain(|id| !tally.results().contains_key(id));
            self.queue = known.into();
        }
        self.queue.pop_front()
    }

    /// Returns the next game that is over, or `None` if none is in progress. Cancel-safe.
    async fn next_played(&mut self) -> Option<PlayedGame> {
        let (lane, played) = match self.tasks.join_next().await? {
            Ok(over) => over,
            Err(error) => match error.try_into_panic() {
                Ok(payload) => panic::resume_unwind(payload),
                Err(error) => panic!("a game was lost: {error}"),
            },
        };
        self.in_progress.remove(&played.id);
        self.free.push(lane);
        Some(played)
    }

    /// Aborts the games in progress and ends all engines.
    pub async fn close(mut self) {
        self.tasks.shutdown().await;
        for lane in self.free {
            lane.close(&*self.players).await;
        }
    }
}

/// A place for one game at a time, with the engines of its last game.
struct Lane<P: Players> {
    engines: BTreeMap<EngineId, P::Engine>,
}

impl<P: Players> Default for Lane<P> {
    fn default() -> Self {
        Self {
            engines: BTreeMap::new(),
        }
    }
}

impl<P: Players> Lane<P> {
    /// Plays a game, for which the engines of the last game are kept if they play it and ended otherwise.
    async fn play(&mut self, players: &P, id: GameId, limits: ByColor<Limit>) -> PlayedGame {
        let mut take = |id, limit| {
            let kept = self.engines.remove(&id);
            let mut engine = kept.unwrap_or_else(|| players.engine(id));
            players.set_limit(&mut engine, limit);
            engine
        };
        let mut engines = ByColor {
            black: take(id.black, limits.black),
            white: take(id.white, limits.white),
        };
        std::mem::take(self).close(players).await;
        let played = players.play(id, engines.as_mut()).await;
        self.engines.insert(id.black, engines.black);
        self.engines.insert(id.white, engines.white);
        played
    }

    async fn close(self, players: &P) {
        for engine in self.engines.into_values() {
            players.close(engine).await;
        }
    }
}

#[cfg(test)]
mod tests;
