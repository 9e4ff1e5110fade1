//! The one thread that keeps results, so that nothing that plays waits for the disk.

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::{mpsc::UnboundedSender, oneshot};

use super::{ServerNews, result_book::ResultBook};
use crate::{record::GameRecord, store::Tally};

/// The pause before a file that failed is tried again, unless a game ends before.
const RETRY: Duration = Duration::from_secs(1);

enum Request {
    LookUp(String, oneshot::Sender<Tally>),
    Save(Box<GameRecord>, oneshot::Sender<bool>),
}

/// Serves requests in the order in which they were made: whoever looks an id up after a game was
/// saved sees that game counted. What has come in meanwhile is written together.
#[derive(Debug)]
pub(crate) struct Registrar {
    requests: mpsc::Sender<Request>,
    ended: oneshot::Receiver<()>,
}

impl Registrar {
    /// Starts the thread; it ends when the registrar is dropped and all is done. What whoever runs the
    /// server must know of its files goes to `news`.
    pub(super) fn start(
        book: ResultBook,
        news: UnboundedSender<ServerNews>,
    ) -> std::io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        thread::Builder::new()
            .name("registrar".into())
            .spawn(move || {
                Keeper::new(book, news).serve(&inbox);
                drop(end);
            })?;
        Ok(Self { requests, ended })
    }

    /// One whose requests nobody answers, and what holds its end open.
    #[cfg(test)]
    pub(super) fn hung() -> (Self, impl Sized) {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        (Self { requests, ended }, (inbox, end))
    }

    /// Waits until all is done and the files are closed.
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

    /// Saves a result. The request is made at once; the answer comes when all was tried to keep it, and
    /// is whether it would survive a crash now. If not, it is tried again for as long as the server runs.
    pub(crate) fn save(&self, record: GameRecord) -> oneshot::Receiver<bool> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::Save(Box::new(record), reply));
        answer
    }

    fn request(&self, request: Request) {
        // A thread that is gone is noticed by the answer that does not come.
        let _ = self.requests.send(request);
    }
}

/// The thread's own.
struct Keeper {
    book: ResultBook,
    news: UnboundedSender<ServerNews>,
    /// True if a file failed the last time.
    failing: bool,
    /// The time of the next try of a file that lacks games.
    retry_at: Option<Instant>,
}

impl Keeper {
    fn new(book: ResultBook, news: UnboundedSender<ServerNews>) -> Self {
        Self {
            book,
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
        let unsaved = self.book.into_unsaved();
        if !unsaved.is_empty() {
            // Nobody listens once the server is gone.
            let _ = self.news.send(ServerNews::Unsaved(unsaved));
        }
    }

    /// No reply is given before all results of the batch are kept: a look-up tells results too. A batch of
    /// look-ups alone leaves files that fail alone until it is time to try them again.
    fn serve_batch(&mut self, batch: impl Iterator<Item = Request>) {
        let (mut found, mut saved) = (Vec::new(), Vec::new());
        for request in batch {
            match request {
                Request::LookUp(id, reply) => found.push((reply, self.book.tally(&id))),
                Request::Save(record, reply) => {
                    self.book.enter(*record);
                    saved.push(reply);
                }
            }
        }
        let is_due = self.retry_at.is_some_and(|at| at <= Instant::now());
        let kept = (is_due || !saved.is_empty()) && self.flush();
        // Who asked may be gone.
        for (reply, tally) in found {
            let _ = reply.send(tally);
        }
        for reply in saved {
            let _ = reply.send(kept);
        }
    }

    /// Brings the files up to date, says once when that begins or ceases to fail, and returns whether all
    /// is kept.
    fn flush(&mut self) -> bool {
        let flushed = self.book.flush();
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
        self.retry_at = self.book.is_behind().then(|| Instant::now() + RETRY);
        if let Some(news) = news {
            let _ = self.news.send(news);
        }
        flushed.kept
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::server::LOG_NAME;

    #[test]
    fn look_ups_leave_files_that_fail_alone() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join(LOG_NAME);
        let (mut book, _) = ResultBook::open(None, Some(&log)).unwrap();
        let game = othello_core::Game::default();
        let verdict = boardgame_session::Verdict::played(boardgame_core::Margin::DRAW);
        book.enter(GameRecord::decided("testing", ["a", "b"], &game, &verdict));
        let (news, _heard) = unbounded_channel();
        let mut keeper = Keeper::new(book, news);
        let look_up = || {
            let (reply, _) = oneshot::channel();
            std::iter::once(Request::LookUp("a".into(), reply))
        };
        // Longer than the test takes.
        keeper.retry_at = Some(Instant::now() + 1000 * RETRY);
        keeper.serve_batch(look_up());
        assert!(keeper.book.is_behind(), "not tried");
        keeper.retry_at = Some(Instant::now());
        keeper.serve_batch(look_up());
        assert!(!keeper.book.is_behind(), "tried");
    }
}
