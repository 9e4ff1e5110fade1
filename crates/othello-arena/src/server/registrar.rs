//! The one thread that keeps results, so that nothing that plays waits for the disk.

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use tokio::sync::{mpsc::UnboundedSender, oneshot};

use super::{ServerNews, ledger::Ledger};
use crate::{record::GameRecord, store::Tally};

/// The time that a file that failed is left alone, unless a game ends before.
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
        ledger: Ledger,
        news: UnboundedSender<ServerNews>,
    ) -> std::io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        thread::Builder::new()
            .name("registrar".into())
            .spawn(move || {
                Keeper::new(ledger, news).serve(&inbox);
                drop(end);
            })?;
        Ok(Self { requests, ended })
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
    ledger: Ledger,
    news: UnboundedSender<ServerNews>,
    /// True if a file failed the last time.
    failing: bool,
}

impl Keeper {
    fn new(ledger: Ledger, news: UnboundedSender<ServerNews>) -> Self {
        Self {
            ledger,
            news,
            failing: false,
        }
    }

    fn serve(mut self, inbox: &mpsc::Receiver<Request>) {
        loop {
            let patience = if self.ledger.is_behind() {
                RETRY
            } else {
                Duration::MAX
            };
            let first = match inbox.recv_timeout(patience) {
                Ok(request) => Some(request),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            self.serve_batch(first.into_iter().chain(inbox.try_iter()));
        }
        self.flush();
        let unsaved = self.ledger.into_unsaved();
        if !unsaved.is_empty() {
            // Nobody listens once the server is gone.
            let _ = self.news.send(ServerNews::Unsaved(unsaved));
        }
    }

    /// No reply is given before all results of the batch are kept: a look-up tells results too.
    fn serve_batch(&mut self, batch: impl Iterator<Item = Request>) {
        let (mut found, mut saved) = (Vec::new(), Vec::new());
        for request in batch {
            match request {
                Request::LookUp(id, reply) => found.push((reply, self.ledger.tally(&id))),
                Request::Save(record, reply) => {
                    self.ledger.enter(*record);
                    saved.push(reply);
                }
            }
        }
        let kept = self.flush();
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
        let flushed = self.ledger.flush();
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
        if let Some(news) = news {
            let _ = self.news.send(news);
        }
        flushed.kept
    }
}
