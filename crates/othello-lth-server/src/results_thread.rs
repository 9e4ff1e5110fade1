//! The thread that looks up and saves results, so that no game waits for the disk.

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use othello_host::record::GameRecord;
use tokio::sync::{mpsc::UnboundedSender, oneshot};

use crate::{
    ServerNews,
    results::{NoRoom, Results},
    store::Tally,
};

/// The pause before a file that failed is tried again, unless a game ends before.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// A request to the thread, with the channel of its answer.
enum Request {
    LookUp(String, oneshot::Sender<Tally>),
    NoRoom(String, oneshot::Sender<Option<NoRoom>>),
    Save(Box<GameRecord>, oneshot::Sender<bool>),
}

/// A handle to the thread that looks up and saves results.
///
/// Requests are served in the order in which they are made: a look-up after a game was saved counts that
/// game. Games that wait at the same time are written together.
#[derive(Debug)]
pub(crate) struct ResultsThread {
    requests: mpsc::Sender<Request>,
    ended: oneshot::Receiver<()>,
}

impl ResultsThread {
    /// Starts the thread, which ends when the handle is dropped and all requests are served. Failures of the
    /// files are sent to `news`.
    pub(crate) fn start(
        results: Results,
        news: UnboundedSender<ServerNews>,
    ) -> std::io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        thread::Builder::new()
            .name("results".into())
            .spawn(move || {
                Worker::new(results, news).serve(&inbox);
                drop(end);
            })?;
        Ok(Self { requests, ended })
    }

    /// Returns a handle whose requests are never answered, and a guard that keeps its end open.
    #[cfg(test)]
    pub(crate) fn hung() -> (Self, impl Sized) {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        (Self { requests, ended }, (inbox, end))
    }

    /// Waits until all requests are served and the files are closed.
    pub(crate) async fn close(self) {
        drop(self.requests);
        let _ = self.ended.await;
    }

    /// Asks for the games of an id.
    pub(crate) fn look_up(&self, id: &str) -> oneshot::Receiver<Tally> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::LookUp(id.to_owned(), reply));
        answer
    }

    /// Asks for the reason that an id may not play, if there is one.
    pub(crate) fn no_room(&self, id: &str) -> oneshot::Receiver<Option<NoRoom>> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::NoRoom(id.to_owned(), reply));
        answer
    }

    /// Saves a result. The request is made at once. The answer comes when every file was tried, and is true
    /// if the result would now survive a crash. If not, it is tried again for as long as the server runs.
    pub(crate) fn save(&self, record: GameRecord) -> oneshot::Receiver<bool> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::Save(Box::new(record), reply));
        answer
    }

    fn request(&self, request: Request) {
        // That the thread has ended is noticed by the answer that does not come.
        let _ = self.requests.send(request);
    }
}

/// The state of the thread.
struct Worker {
    results: Results,
    news: UnboundedSender<ServerNews>,
    /// True if a file failed the last time.
    failing: bool,
    /// The time to try again to write games that a file lacks.
    retry_at: Option<Instant>,
}

impl Worker {
    fn new(results: Results, news: UnboundedSender<ServerNews>) -> Self {
        Self {
            results,
            news,
            failing: false,
            retry_at: None,
        }
    }

    fn serve(mut self, inbox: &mpsc::Receiver<Request>) {
        loop {
            let pause = self.retry_at.map_or(Duration::MAX, |at| {
                at.saturating_duration_since(Instant::now())
            });
            let first = match inbox.recv_timeout(pause) {
                Ok(request) => Some(request),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            self.serve_batch(first.into_iter().chain(inbox.try_iter()));
        }
        self.flush();
        let unsaved = self.results.into_unsaved();
        if !unsaved.is_empty() {
            // The receiver may be gone with the server.
            let _ = self.news.send(ServerNews::Unsaved(unsaved));
        }
    }

    /// Serves requests that wait at the same time. All results of the batch are written before any reply, since
    /// the reply to a look-up tells results too. A batch of look-ups alone tries files that fail again only when
    /// it is time.
    fn serve_batch(&mut self, batch: impl Iterator<Item = Request>) {
        let (mut found, mut saved) = (Vec::new(), Vec::new());
        for request in batch {
            match request {
                Request::LookUp(id, reply) => found.push((reply, self.results.tally(&id))),
                Request::NoRoom(id, reply) => drop(reply.send(self.results.no_room(&id))),
                Request::Save(record, reply) => {
                    self.results.add(*record);
                    saved.push(reply);
                }
            }
        }
        let is_due = self.retry_at.is_some_and(|at| at <= Instant::now());
        let is_durable = (is_due || !saved.is_empty()) && self.flush();
        // The receivers may be gone.
        for (reply, tally) in found {
            let _ = reply.send(tally);
        }
        for reply in saved {
            let _ = reply.send(is_durable);
        }
    }

    /// Brings the files up to date, and reports once when that begins or ceases to fail. Returns true if every
    /// result would survive a crash.
    fn flush(&mut self) -> bool {
        let flushed = self.results.flush();
        let failed = flushed.error.is_some();
        let news = match flushed.error {
            Some(error) if !self.failing => {
                tracing::error!(%error, "results cannot be written");
                Some(ServerNews::StorageFailed(error))
            }
            None if self.failing => {
                tracing::warn!("all results are written again");
                Some(ServerNews::StorageRestored)
            }
            _ => None,
        };
        self.failing = failed;
        self.retry_at = self
            .results
            .is_behind()
            .then(|| Instant::now() + RETRY_PAUSE);
        if let Some(news) = news {
            let _ = self.news.send(news);
        }
        flushed.is_durable
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::LOG_NAME;

    #[test]
    fn look_ups_leave_files_that_fail_alone() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join(LOG_NAME);
        let (mut results, _) = Results::open(None, Some(&log)).unwrap();
        let game = othello_core::Game::default();
        let verdict = boardgame_session::Verdict::played(boardgame_core::Margin::DRAW);
        results.add(GameRecord::from_verdict(
            "testing",
            ["a", "b"].into(),
            &game,
            &verdict,
        ));
        let (news, _heard) = unbounded_channel();
        let mut worker = Worker::new(results, news);
        let look_up = || {
            let (reply, _) = oneshot::channel();
            std::iter::once(Request::LookUp("a".into(), reply))
        };
        // Longer than the test takes.
        worker.retry_at = Some(Instant::now() + 1000 * RETRY_PAUSE);
        worker.serve_batch(look_up());
        assert!(worker.results.is_behind(), "not tried");
        worker.retry_at = Some(Instant::now());
        worker.serve_batch(look_up());
        assert!(!worker.results.is_behind(), "tried");
    }
}
