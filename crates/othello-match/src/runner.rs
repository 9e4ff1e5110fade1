//! Plays the games of a match, several at a time, each exactly once.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    future::Future,
    num::NonZeroUsize,
    panic,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use boardgame_core::ByColor;
use boardgame_match::{
    EngineId, GameId, Seat as _,
    calibrate::Balance,
    fault::Fault,
    limit::Limit,
    log::{Log, LogError},
    record::PlayedGame,
    schedule::Schedule,
    stats::{Sprt, Verdict},
    tally::Tally,
};
use tokio::task::JoinSet;

use crate::{
    engine::EngineSpec,
    engine_seat::{EngineSeat, Patience},
    game,
    openings::Openings,
    record::Othello,
};

/// A match: who plays whom from where, and how.
pub struct Match {
    /// The engines; their [`EngineId`]s are their places.
    pub engines: Vec<EngineSpec>,
    /// The openings.
    pub openings: Arc<Openings>,
    /// The games to play.
    pub schedule: Schedule,
    /// The number of games played at a time.
    pub concurrency: NonZeroUsize,
    /// By how much a move may exceed its time.
    pub tolerance: Duration,
    /// The times that engines are waited for.
    pub patience: Patience,
    /// A test that ends the match of the first two engines as soon as it is decided.
    pub sprt: Option<Sprt>,
}

/// An engine cannot be given the openings of its match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{engine} cannot play from {opening}: its protocol begins every game where all games do \
     (openings: start)"
)]
pub struct CannotPlay {
    /// The engine.
    pub engine: String,
    /// The first opening that it cannot be given.
    pub opening: String,
}

/// An engine of a match does not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{engine} {fault}")]
pub struct CannotStart {
    /// The engine, with its command.
    pub engine: String,
    /// The fault.
    pub fault: Fault,
}

impl Match {
    /// Checks that every engine can be given every opening.
    ///
    /// # Errors
    ///
    /// The first engine that cannot.
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

    /// Returns whether nothing is left to play.
    pub fn is_over(&self, tally: &Tally) -> bool {
        let played = |id| tally.results().contains_key(id);
        decided(self, tally).is_some() || self.schedule.known(tally.results()).iter().all(played)
    }

    /// Starts and ends every engine once: one that does not come so far as to begin a game would
    /// lose all of them.
    ///
    /// # Errors
    ///
    /// The first engine that does not start.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with time and I/O enabled.
    pub async fn try_engines(&self) -> Result<(), CannotStart> {
        let opening = self.openings.get(0).game;
        for spec in &self.engines {
            let seat = EngineSeat::new(spec.clone(), self.patience, false);
            let tried = seat.try_out(&opening).await;
            tried.map_err(|fault| CannotStart {
                engine: spec.to_string(),
                fault,
            })?;
        }
        Ok(())
    }
}

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided(Verdict),
    /// It was called off. Games in progress are not on record.
    Cancelled,
}

/// Plays what is missing of a match; `tally` and `balance` have the games that `log` has already.
/// `observer` hears of each game once it is on record. A balance changes a limit as the match goes.
///
/// # Errors
///
/// When a game cannot be put on record.
///
/// # Panics
///
/// Outside a tokio runtime with time and I/O enabled.
pub async fn run(
    contest: &Match,
    log: &mut Log<Othello>,
    tally: &mut Tally,
    mut balance: Option<&mut Balance>,
    mut observer: impl FnMut(&Tally, &PlayedGame),
    cancel: impl Future<Output = ()>,
) -> Result<Ending, LogError> {
    let mut runner = Runner::new(contest);
    let mut cancel = pin!(cancel);
    let ending = loop {
        if let Some(verdict) = decided(contest, tally) {
            break Ending::Decided(verdict);
        }
        runner.begin_games(tally);
        let over = tokio::select! {
            biased;
            () = &mut cancel => break Ending::Cancelled,
            over = runner.next_over() => over,
        };
        let Some(played) = over else {
            break Ending::Complete;
        };
        log.append(&played)?;
        tally.add::<Othello>(&played);
        if let Some(balance) = balance.as_deref_mut() {
            let engine = balance.engine();
            let left = |balance: &Balance| to_come(contest, tally, balance);
            if let Some(limit) = balance.adjust::<Othello>(&played, runner.limit(engine), left) {
                log.append_limit(engine, limit)?;
                runner.set_limit(engine, limit);
            }
        }
        observer(tally, &played);
    };
    runner.close().await;
    Ok(ending)
}

/// The number of games to come that a balance weighs, those in progress among them.
fn to_come(contest: &Match, tally: &Tally, balance: &Balance) -> usize {
    let known = contest.schedule.known(tally.results());
    let open = known
        .iter()
        .filter(|&id| balance.concerns(*id) && !tally.results().contains_key(id));
    open.count()
}

/// The verdict of the match's test, if it has one that is decided.
pub fn decided(contest: &Match, tally: &Tally) -> Option<Verdict> {
    let sprt = contest.sprt.as_ref()?;
    let state = sprt.test(&tally.duel(EngineId(0), EngineId(1)).pairs);
    (state.verdict != Verdict::Continue).then_some(state.verdict)
}

/// Plays games of a match, several at a time.
pub(crate) struct Runner<'a> {
    contest: &'a Match,
    schedule: Schedule,
    engines: Arc<[EngineSpec]>,
    /// The lanes on which no game is played.
    free: Vec<Lane>,
    /// The games in progress, each with its lane.
    at_work: JoinSet<(Lane, PlayedGame)>,
    in_progress: BTreeSet<GameId>,
    queue: VecDeque<GameId>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(contest: &'a Match) -> Self {
        let lanes = contest.concurrency.get();
        Self {
            contest,
            schedule: contest.schedule,
            engines: contest.engines.clone().into(),
            free: (0..lanes).map(|_| Lane::default()).collect(),
            at_work: JoinSet::new(),
            in_progress: BTreeSet::new(),
            queue: VecDeque::new(),
        }
    }

    /// Plays what is missing of a schedule and keeps no record of it but `tally`.
    pub(crate) async fn play_all(
        &mut self,
        schedule: Schedule,
        tally: &mut Tally,
        mut observer: impl FnMut(&PlayedGame),
    ) {
        self.schedule = schedule;
        self.begin_games(tally);
        while let Some(played) = self.next_over().await {
            tally.add::<Othello>(&played);
            observer(&played);
            self.begin_games(tally);
        }
    }

    fn limit(&self, engine: EngineId) -> Limit {
        self.engines[usize::from(engine.0)].limit
    }

    /// Lets our own engine think more or less in the games that begin from here on.
    pub(crate) fn set_limit(&mut self, engine: EngineId, limit: Limit) {
        let mut engines = self.engines.to_vec();
        engines[usize::from(engine.0)].limit = limit;
        self.engines = engines.into();
    }

    /// Begins as many games as there are free lanes.
    fn begin_games(&mut self, tally: &Tally) {
        while let Some(mut lane) = self.free.pop() {
            let Some(id) = self.next_game(tally) else {
                self.free.push(lane);
                return;
            };
            let opening = self.contest.openings.get(id.opening).game;
            let (tolerance, setup) = (self.contest.tolerance, self.setup());
            self.in_progress.insert(id);
            self.at_work.spawn(async move {
                let mut seats = lane.take(id, &setup).await;
                let played = game::play(id, opening, seats.as_mut(), tolerance, |_| {}).await;
                lane.put(id, seats);
                (lane, played)
            });
        }
    }

    /// The next game that is neither played nor in progress. A Swiss tournament learns of more
    /// once a round is over, and other forms know all from the start: nothing is new while a game
    /// is in progress.
    fn next_game(&mut self, tally: &Tally) -> Option<GameId> {
        if self.queue.is_empty() && self.in_progress.is_empty() {
            let mut known = self.schedule.known(tally.results());
            known.retain(|id| !tally.results().contains_key(id));
            self.queue = known.into();
        }
        self.queue.pop_front()
    }

    /// The next game that is over, or `None` when none is in progress.
    async fn next_over(&mut self) -> Option<PlayedGame> {
        let (lane, played) = match self.at_work.join_next().await? {
            Ok(over) => over,
            // A game does not panic; if one does, it is a defect to be seen.
            Err(error) => match error.try_into_panic() {
                Ok(payload) => panic::resume_unwind(payload),
                Err(error) => panic!("a game was lost: {error}"),
            },
        };
        self.in_progress.remove(&played.id);
        self.free.push(lane);
        Some(played)
    }

    /// Ends the games in progress and all engines.
    pub(crate) async fn close(mut self) {
        self.at_work.shutdown().await;
        for lane in self.free {
            lane.close().await;
        }
    }

    fn setup(&self) -> Setup {
        Setup {
            engines: Arc::clone(&self.engines),
            patience: self.contest.patience,
            alone: self.contest.concurrency.get() == 1,
        }
    }
}

/// Everything that it takes to start an engine.
struct Setup {
    engines: Arc<[EngineSpec]>,
    patience: Patience,
    alone: bool,
}

/// A place for one game at a time, with the engines of its last game, which stay for the next if they
/// play it.
#[derive(Default)]
struct Lane {
    seats: BTreeMap<EngineId, EngineSeat>,
}

impl Lane {
    /// Takes the seats of a game, and ends the other engines of this lane.
    async fn take(&mut self, id: GameId, setup: &Setup) -> ByColor<EngineSeat> {
        let mut seat = |engine: EngineId| {
            let spec = &setup.engines[usize::from(engine.0)];
            let mut seat = self
                .seats
                .remove(&engine)
                .unwrap_or_else(|| EngineSeat::new(spec.clone(), setup.patience, setup.alone));
            seat.set_limit(spec.limit);
            seat
        };
        let seats = ByColor {
            black: seat(id.black),
            white: seat(id.white),
        };
        std::mem::take(self).close().await;
        seats
    }

    fn put(&mut self, id: GameId, seats: ByColor<EngineSeat>) {
        self.seats.insert(id.black, seats.black);
        self.seats.insert(id.white, seats.white);
    }

    async fn close(self) {
        for mut seat in self.seats.into_values() {
            seat.close().await;
        }
    }
}
