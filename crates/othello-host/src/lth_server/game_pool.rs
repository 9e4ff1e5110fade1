//! The state that all connections of a server share.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use othello_core::Color;
use othello_proto::lth::{BUILT_IN_PLAYER_NAME, ClientRecord, Complaint, Id, Port, ServerLine};
use tokio::sync::{mpsc, oneshot, watch};

use super::{
    config::ServerConfig,
    matchmaking::MatchmakingQueue,
    news::ServerNews,
    operator::ResetError,
    playing::{GamesInProgress, NotAdmitted, Playing},
    results::NoRoom,
    results_thread::ResultsThread,
};
use crate::record::GameRecord;

/// A phase of a server's run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShutdownPhase {
    /// Clients come and play.
    Running,
    /// No new clients; games go on.
    Draining,
    /// Games are called off.
    CallingOff,
}

/// The state that all connections of a server share.
#[derive(Debug)]
pub(crate) struct GamePool {
    pub(crate) config: ServerConfig,
    pub(crate) matchmaking: MatchmakingQueue,
    /// The origin of all timestamps.
    pub(crate) origin: Instant,
    results: ResultsThread,
    /// The evaluations in progress by id. While it is locked, no result of one is on its way.
    evaluations: Mutex<HashMap<String, u64>>,
    playing: GamesInProgress,
    phase: watch::Sender<ShutdownPhase>,
    news: mpsc::UnboundedSender<ServerNews>,
    /// The number of games that were set up.
    games: AtomicU64,
}

impl GamePool {
    pub(crate) fn new(
        config: ServerConfig,
        results: ResultsThread,
        news: mpsc::UnboundedSender<ServerNews>,
    ) -> Self {
        Self {
            config,
            matchmaking: MatchmakingQueue::default(),
            origin: Instant::now(),
            results,
            evaluations: Mutex::default(),
            playing: GamesInProgress::default(),
            phase: watch::Sender::new(ShutdownPhase::Running),
            news,
            games: AtomicU64::new(0),
        }
    }

    /// Returns the number of the next game, from 1.
    pub(crate) fn next_game(&self) -> u64 {
        self.games.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn set_phase(&self, phase: ShutdownPhase) {
        self.phase.send_replace(phase);
    }

    /// Waits until the server is in a phase or past it.
    pub(crate) async fn reached(&self, phase: ShutdownPhase) {
        let mut phases = self.phase.subscribe();
        // The pool, and with it the sender, outlives this future.
        let _ = phases.wait_for(|&now| now >= phase).await;
    }

    pub(crate) fn notify(&self, news: ServerNews) {
        // The receiver may be gone with the server.
        let _ = self.news.send(news);
    }

    /// Returns the record of an id and, on the evaluation port, the evaluation it starts now. `None` if the
    /// results thread has ended.
    pub(crate) async fn look_up(
        self: &Arc<Self>,
        port: Port,
        id: &Id,
    ) -> Option<(ClientRecord, Option<EvaluationGame>)> {
        let (pending, running, evaluation) = {
            // Saved results and games in progress are read at the same moment; otherwise a game that ends
            // meanwhile would count twice or not at all.
            let mut evaluations = self.evaluations();
            let pending = self.results.look_up(id.as_str());
            let running = evaluations.get(id.as_str()).copied().unwrap_or_default();
            let evaluation = (port == Port::Evaluation).then(|| {
                evaluations.insert(id.as_str().to_owned(), running + 1);
                EvaluationGame {
                    pool: Arc::clone(self),
                    id: id.as_str().to_owned(),
                    saved: false,
                }
            });
            (pending, running, evaluation)
        };
        let tally = pending.await.ok()?;
        let color = match tally.evaluations.wrapping_add(running) % 2 {
            0 => Color::Black,
            _ => Color::White,
        };
        let wins = u32::try_from(tally.wins).unwrap_or(u32::MAX);
        Some((ClientRecord { wins, color }, evaluation))
    }

    /// Returns the reason that an id may not play another game, if there is one.
    pub(crate) fn no_room(&self, id: &Id, playing: &Playing) -> oneshot::Receiver<Option<NoRoom>> {
        self.results.no_room(id.as_str(), playing.others())
    }

    /// Begins a game of an id, which counts until its result is saved or the returned value is dropped.
    pub(crate) fn begin(&self, id: &Id) -> Result<Playing, NotAdmitted> {
        let students = self.config.students.as_ref();
        if students.is_some_and(|all| !self.config.guests && all.get(id.as_str()).is_none()) {
            return Err(NotAdmitted::Unknown);
        }
        let playing = self.playing.begin(id, self.config.games_at_a_time);
        playing.ok_or(NotAdmitted::Playing)
    }

    /// Returns the name that others see of a client.
    pub(crate) fn shown(&self, id: &str) -> String {
        let Some(students) = &self.config.students else {
            return id.to_owned();
        };
        match students.get(id) {
            Some(student) => student.name.clone(),
            None if id == BUILT_IN_PLAYER_NAME => id.to_owned(),
            None => GUEST.to_owned(),
        }
    }

    /// Sets the counts of a student, or of a client without students, to zero.
    pub(crate) async fn reset(&self, name: &str) -> Result<(), ResetError> {
        let students = self.config.students.as_ref();
        let id = students.map_or(Some(name), |students| students.id_of(name));
        let id = id.ok_or_else(|| ResetError::Unknown(name.to_owned()))?;
        match self.results.reset(id).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(ResetError::NotKept),
            Err(_) => Err(ResetError::Ended),
        }
    }

    /// Saves a result. An evaluation counts as finished, no longer as in progress, from the same moment on.
    /// The answer is true once the result would survive a crash.
    pub(crate) fn save(
        &self,
        record: GameRecord,
        evaluation: Option<EvaluationGame>,
    ) -> oneshot::Receiver<bool> {
        let mut evaluations = self.evaluations();
        let pending = self.results.save(record);
        if let Some(mut evaluation) = evaluation {
            remove_evaluation(&mut evaluations, &evaluation.id);
            evaluation.saved = true;
        }
        pending
    }

    /// Waits until every result is saved and the files are closed.
    pub(crate) async fn close(self) {
        self.results.close().await;
    }

    fn evaluations(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.evaluations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of clients that are no students.
const GUEST: &str = "guest";

/// A game on the evaluation port, in progress until its result is saved or this is dropped.
#[derive(Debug)]
pub(crate) struct EvaluationGame {
    pool: Arc<GamePool>,
    id: String,
    saved: bool,
}

impl Drop for EvaluationGame {
    fn drop(&mut self) {
        if !self.saved {
            remove_evaluation(&mut self.pool.evaluations(), &self.id);
        }
    }
}

fn remove_evaluation(evaluations: &mut HashMap<String, u64>, id: &str) {
    if let Some(running) = evaluations.get_mut(id) {
        *running -= 1;
        if *running == 0 {
            evaluations.remove(id);
        }
    }
}

/// The message to clients when the server shuts down.
pub(crate) const SHUTDOWN: &str = "The server shuts down. Bye!";

/// Returns the last lines to a client that plays no more, with the reason.
pub(crate) fn closing_lines(reason: &str) -> Vec<u8> {
    let reason = Complaint::Other(reason.into());
    let lines = [ServerLine::Error, ServerLine::Complaint(reason)];
    lines
        .iter()
        .flat_map(|line| format!("{line}\n").into_bytes())
        .collect()
}
