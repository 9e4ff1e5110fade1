//! The state that all connections of a server share.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use othello_core::Color;
use othello_proto::lth::{Complaint, Door, Id, Record, ServerLine};
use tokio::sync::{mpsc, oneshot, watch};

use super::{ServerConfig, ServerNews, matchmaking::MatchmakingQueue, registrar::Registrar};
use crate::record::GameRecord;

/// A server's progress to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Open,
    /// Nobody comes in any more; games go on.
    Closing,
    /// Games are called off.
    Over,
}

/// The state that all connections of a server share.
#[derive(Debug)]
pub(super) struct GamePool {
    pub(super) config: ServerConfig,
    pub(super) matchmaking: MatchmakingQueue,
    /// The moment that all timestamps count from.
    pub(super) origin: Instant,
    registrar: Registrar,
    /// The evaluations in progress by id. While it is locked, no result of one is on its way.
    evaluations: Mutex<HashMap<String, u64>>,
    stage: watch::Sender<Stage>,
    news: mpsc::UnboundedSender<ServerNews>,
}

impl GamePool {
    pub(super) fn new(
        config: ServerConfig,
        registrar: Registrar,
        news: mpsc::UnboundedSender<ServerNews>,
    ) -> Self {
        Self {
            config,
            matchmaking: MatchmakingQueue::default(),
            origin: Instant::now(),
            registrar,
            evaluations: Mutex::default(),
            stage: watch::Sender::new(Stage::Open),
            news,
        }
    }

    pub(super) fn enter(&self, stage: Stage) {
        self.stage.send_replace(stage);
    }

    /// Waits for a stage.
    pub(super) async fn reached(&self, stage: Stage) {
        let mut stages = self.stage.subscribe();
        // The pool, and with it the sender, is there as long as this future.
        let _ = stages.wait_for(|&now| now >= stage).await;
    }

    pub(super) fn tell(&self, news: ServerNews) {
        // Nobody listens once the server is gone.
        let _ = self.news.send(news);
    }

    /// Returns the record of an id; on the evaluation port, its place among the evaluations too. `None` when
    /// the keeper of results is gone.
    pub(super) async fn recall(
        self: &Arc<Self>,
        door: Door,
        id: &Id,
    ) -> Option<(Record, Option<Evaluation>)> {
        let (pending, running, evaluation) = {
            // The results saved so far and the games in progress are taken at one moment, or a
            // game that ends meanwhile would count twice or not at all.
            let mut evaluations = self.evaluations();
            let pending = self.registrar.look_up(id.as_str());
            let running = evaluations.get(id.as_str()).copied().unwrap_or_default();
            let evaluation = (door == Door::Evaluation).then(|| {
                evaluations.insert(id.as_str().to_owned(), running + 1);
                Evaluation {
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
        Some((Record { wins, color }, evaluation))
    }

    /// Saves a result; of an evaluation, in place of its being in progress. The answer is whether it is
    /// kept.
    pub(super) fn save(
        &self,
        record: GameRecord,
        evaluation: Option<Evaluation>,
    ) -> oneshot::Receiver<bool> {
        let mut evaluations = self.evaluations();
        let pending = self.registrar.save(record);
        if let Some(mut evaluation) = evaluation {
            leave(&mut evaluations, &evaluation.id);
            evaluation.saved = true;
        }
        pending
    }

    /// Waits until every result is kept and the files are closed.
    pub(super) async fn close(self) {
        self.registrar.close().await;
    }

    fn evaluations(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.evaluations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// An evaluation in progress, until its result is saved or this is dropped.
#[derive(Debug)]
pub(super) struct Evaluation {
    pool: Arc<GamePool>,
    id: String,
    saved: bool,
}

impl Drop for Evaluation {
    fn drop(&mut self) {
        if !self.saved {
            leave(&mut self.pool.evaluations(), &self.id);
        }
    }
}

fn leave(evaluations: &mut HashMap<String, u64>, id: &str) {
    if let Some(running) = evaluations.get_mut(id) {
        *running -= 1;
        if *running == 0 {
            evaluations.remove(id);
        }
    }
}

/// The reason that is given to clients when the server shuts down.
pub(super) const SHUTDOWN: &str = "The server shuts down. Bye!";

/// The last lines to a client that plays no more, with the reason.
pub(super) fn farewell(reason: &str) -> Vec<u8> {
    let reason = Complaint::Other(reason.into());
    let lines = [ServerLine::Error, ServerLine::Complaint(reason)];
    lines
        .iter()
        .flat_map(|line| format!("{line}\n").into_bytes())
        .collect()
}
