//! The runs of a process, which those that play write to and those that watch read from.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use boardgame_core::ByColor;
use othello_core::{Game, Move};
use tokio::sync::broadcast;

use super::{
    Event, GameEnd, GameView, Kind, MoveDetails, Run, RunInfo, Standings, State, Subscription,
    game::{LiveGame, now},
};

/// Bounds on what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of games of a run that are over and kept with their moves: the newest.
    pub games: usize,
    /// The number of games of a run that are over and listed: the newest.
    pub listed: usize,
    /// The number of events that wait for a reader, at least 1; one that falls further behind gets a new snapshot.
    pub events: usize,
}

impl Default for Limits {
    /// Returns 1,000 games with their moves, 4,000 listed and 1,024 events: a few megabytes a run.
    fn default() -> Self {
        Self {
            games: 1000,
            listed: 4000,
            events: 1024,
        }
    }
}

/// The error of asking for a game that there is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// There is no such run.
    #[error("expected the id of a run, found {0}")]
    Run(u32),
    /// The run has no such game.
    #[error("expected the id of a game of run {run}, found {game}")]
    Game {
        /// The id of the run.
        run: u32,
        /// The id of the game.
        game: u64,
    },
    /// The moves of the game are no longer kept.
    #[error("the moves of game {game} are no longer kept, only those of the newest games of a run")]
    Dropped {
        /// The id of the game.
        game: u64,
    },
}

/// The runs of a process.
#[derive(Clone, Debug)]
pub struct Runs(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: Limits,
    inner: Mutex<Inner>,
    events: broadcast::Sender<Arc<Event>>,
}

#[derive(Debug, Default)]
struct Inner {
    state: State,
    /// The games that are kept with their moves.
    games: HashMap<(u32, u64), Arc<LiveGame>>,
    /// The games of each run that are over, oldest first.
    over: HashMap<u32, VecDeque<u64>>,
}

impl Default for Runs {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Runs {
    /// Returns no runs yet.
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Shared {
            limits,
            inner: Mutex::default(),
            events: broadcast::Sender::new(limits.events.max(1)),
        }))
    }

    /// Adds a run. `total` is the number of games planned, if it is known.
    pub fn add(&self, kind: Kind, name: impl Into<String>, total: Option<u64>) -> RunWriter {
        let mut inner = self.lock();
        let run = RunInfo {
            id: inner.state.runs.len() as u32 + 1,
            name: name.into(),
            kind,
            live: true,
            finished: 0,
            total,
        };
        let id = run.id;
        self.publish(&mut inner, Event::Run { run });
        drop(inner);
        let runs = self.clone();
        RunWriter { runs, id }
    }

    /// Returns all runs.
    pub fn state(&self) -> State {
        self.lock().state.clone()
    }

    /// Returns a run with its games.
    ///
    /// # Errors
    ///
    /// Fails if there is none of the id.
    pub fn run(&self, id: u32) -> Result<Run, LookupError> {
        let run = self.lock().state.run(id).cloned();
        run.ok_or(LookupError::Run(id))
    }

    /// Returns a game with its moves.
    ///
    /// # Errors
    ///
    /// Fails if there is no such game, or its moves are no longer kept.
    pub fn game(&self, run: u32, game: u64) -> Result<GameView, LookupError> {
        let inner = self.lock();
        if let Some(kept) = inner.games.get(&(run, game)).cloned() {
            drop(inner);
            return Ok(kept.view());
        }
        let found = inner.state.run(run).ok_or(LookupError::Run(run))?;
        Err(if found.games.iter().any(|listed| listed.id == game) {
            LookupError::Dropped { game }
        } else {
            LookupError::Game { run, game }
        })
    }

    /// Returns a snapshot of all runs followed by the events from here on.
    pub fn subscribe(&self) -> Subscription {
        Subscription::new(self.clone())
    }

    /// Returns the number of readers that have begun to read events.
    pub fn readers(&self) -> usize {
        self.0.events.receiver_count()
    }

    /// Returns a snapshot, and a receiver of the events that follow it.
    pub(crate) fn snapshot(&self) -> (Arc<Event>, broadcast::Receiver<Arc<Event>>) {
        // Events are sent while the lock is held.
        let inner = self.lock();
        let receiver = self.0.events.subscribe();
        let state = inner.state.clone();
        drop(inner);
        (Arc::new(Event::Snapshot { now: now(), state }), receiver)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, inner: &mut Inner, event: Event) {
        inner.state.apply(&event);
        // Without readers there is nobody to tell.
        let _ = self.0.events.send(Arc::new(event));
    }
}

/// The writer of a run. Its calls wait for no reader. When it is dropped, the run ends, and its games in progress are
/// called off.
#[derive(Debug)]
pub struct RunWriter {
    runs: Runs,
    id: u32,
}

impl RunWriter {
    /// Returns the id of the run.
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Starts a game whose opening is made, or starts it again. The ids of games grow. `clocks` are the times that the
    /// next move of each side may take.
    pub fn start(
        &self,
        id: u64,
        names: ByColor<&str>,
        opening: &Game,
        clocks: ByColor<Option<Duration>>,
    ) {
        let game = LiveGame::new(id, names, opening, clocks);
        let summary = Arc::new(game.summary());
        let mut inner = self.runs.lock();
        inner.games.insert((self.id, id), Arc::new(game));
        let run = self.id;
        let event = Event::Started { run, game: summary };
        self.runs.publish(&mut inner, event);
    }

    /// Sets the clock of the side to move running in a game that was started.
    pub fn begin(&self, id: u64) {
        let mut inner = self.runs.lock();
        let Some(game) = inner.game_in_progress(self.id, id) else {
            return;
        };
        game.begin();
        let summary = Arc::new(game.summary());
        let run = self.id;
        let event = Event::Started { run, game: summary };
        self.runs.publish(&mut inner, event);
    }

    /// Makes a move in a game that was started; one that is not legal changes nothing.
    pub fn play(
        &self,
        id: u64,
        mv: impl Into<Move>,
        details: MoveDetails,
        clocks: ByColor<Option<Duration>>,
    ) {
        let mut inner = self.runs.lock();
        let Some(game) = inner.game_in_progress(self.id, id) else {
            return;
        };
        let Some(mv) = game.play(mv.into(), details, clocks) else {
            return;
        };
        let event = Event::Moved {
            run: self.id,
            mv,
            game: Arc::new(game.summary()),
        };
        self.runs.publish(&mut inner, event);
    }

    /// Ends a game that was started.
    pub fn finish(&self, id: u64, end: GameEnd, faults: Vec<String>) {
        let mut inner = self.runs.lock();
        let Some(game) = inner.game_in_progress(self.id, id) else {
            return;
        };
        game.finish(end, faults);
        let game = game.clone();
        self.insert_finished(&mut inner, game);
    }

    /// Adds a game that is over, in place of one of the same id.
    pub(crate) fn add_finished(&self, game: LiveGame) {
        self.insert_finished(&mut self.runs.lock(), game);
    }

    /// Sets the standings.
    pub fn set_standings(&self, standings: Standings) {
        let event = Event::Standings {
            run: self.id,
            standings: Arc::new(standings),
        };
        self.runs.publish(&mut self.runs.lock(), event);
    }

    fn insert_finished(&self, inner: &mut Inner, game: LiveGame) {
        let Limits { games, listed, .. } = self.runs.0.limits;
        let id = game.id();
        let summary = Arc::new(game.summary());
        inner.games.insert((self.id, id), Arc::new(game));
        let over = inner.over.entry(self.id).or_default();
        over.push_back(id);
        if let Some(&last) = over.len().checked_sub(games + 1).and_then(|i| over.get(i)) {
            inner.games.remove(&(self.id, last));
        }
        let surplus = over.len().saturating_sub(listed);
        let dropped: Vec<u64> = over.drain(..surplus).collect();
        for id in &dropped {
            inner.games.remove(&(self.id, *id));
        }
        let finished = inner.state.run(self.id).map_or(0, |run| run.info.finished);
        let event = Event::Finished {
            run: self.id,
            game: summary,
            finished: finished + 1,
            dropped,
        };
        self.runs.publish(inner, event);
    }
}

impl Drop for RunWriter {
    fn drop(&mut self) {
        let mut inner = self.runs.lock();
        let Some(run) = inner.state.run(self.id) else {
            return;
        };
        let in_progress = run.games.iter().filter(|game| game.end.is_none());
        let in_progress: Vec<u64> = in_progress.map(|game| game.id).collect();
        for id in in_progress {
            if let Some(game) = inner.game_in_progress(self.id, id) {
                game.finish(GameEnd::called_off("called off"), Vec::new());
                let game = game.clone();
                self.insert_finished(&mut inner, game);
            }
        }
        if let Some(run) = inner.state.run(self.id) {
            let run = RunInfo {
                live: false,
                ..run.info.clone()
            };
            self.runs.publish(&mut inner, Event::Run { run });
        }
    }
}

impl Inner {
    /// Returns a game that was started and is not over.
    fn game_in_progress(&mut self, run: u32, id: u64) -> Option<&mut LiveGame> {
        let game = self.games.get_mut(&(run, id))?;
        (!game.is_over()).then(|| Arc::make_mut(game))
    }
}

#[cfg(test)]
mod tests;
