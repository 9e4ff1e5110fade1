//! The runs of a process, written by games and read by watchers.

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

/// Bounds on the games and events kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of finished games of a run that are kept with their moves: the newest.
    pub games: usize,
    /// The number of finished games of a run that are listed: the newest.
    pub listed: usize,
    /// The number of events that wait for a reader, at least 1; a reader further behind gets a new snapshot.
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

/// The error of requesting a game that is not there.
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
    /// The games kept with their moves.
    games: HashMap<(u32, u64), Arc<LiveGame>>,
    /// The finished games of each run, oldest first.
    over: HashMap<u32, VecDeque<u64>>,
}

impl Default for Runs {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Runs {
    /// Creates a process's runs, none yet.
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Shared {
            limits,
            inner: Mutex::default(),
            events: broadcast::Sender::new(limits.events.max(1)),
        }))
    }

    /// Adds a run. `total` is the number of games planned, if known.
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
    /// Fails if there is no run with this id.
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

    /// Returns the number of readers that have started to read events.
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
        // Without readers nobody needs the event.
        let _ = self.0.events.send(Arc::new(event));
    }
}

/// The writer of a run. Its calls wait for no reader. When it is dropped, the run ends, and games in progress are
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

    /// Starts a game after its opening, or starts it over. The ids of games increase. `clocks` are the times that the
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

    /// Starts the clock of the side to move in a started game.
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

    /// Makes a move in a started game; an illegal one changes nothing.
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

    /// Ends a started game.
    pub fn finish(&self, id: u64, end: GameEnd, faults: Vec<String>) {
        let mut inner = self.runs.lock();
        let Some(game) = inner.game_in_progress(self.id, id) else {
            return;
        };
        game.finish(end, faults);
        let game = game.clone();
        self.insert_finished(&mut inner, game);
    }

    /// Adds a finished game, in place of one with the same id.
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
    /// Returns a game in progress.
    fn game_in_progress(&mut self, run: u32, id: u64) -> Option<&mut LiveGame> {
        let game = self.games.get_mut(&(run, id))?;
        (!game.is_over()).then(|| Arc::make_mut(game))
    }
}

#[cfg(test)]
mod tests;
