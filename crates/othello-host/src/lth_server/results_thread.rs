//! The thread that looks up and saves results, so that no game waits for the disk.

use std::{iter, sync::mpsc, thread};

use tokio::sync::{mpsc::UnboundedSender, oneshot};

use super::{
    news::ServerNews,
    results::{NoRoom, Results, Tally},
};
use crate::record::GameRecord;

/// A request to the thread, with the channel of its answer.
enum Request {
    LookUp(String, oneshot::Sender<Tally>),
    NoRoom(String, oneshot::Sender<Option<NoRoom>>),
    Save(Box<GameRecord>, oneshot::Sender<bool>),
}

/// A handle to the thread that looks up and saves results.
///
/// Requests are served in order: a look-up after a game was saved counts that game. Games waiting at the same time
/// are written together.
#[derive(Debug)]
pub(crate) struct ResultsThread {
    requests: mpsc::Sender<Request>,
    ended: oneshot::Receiver<()>,
}

impl ResultsThread {
    /// Starts the thread, which ends when the handle is dropped and all requests are served. A failure of the
    /// log is sent to `news`.
    pub(crate) fn start(
        results: Results,
        news: UnboundedSender<ServerNews>,
    ) -> std::io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        thread::Builder::new()
            .name("results".into())
            .spawn(move || {
                serve(results, &inbox, &news);
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

    /// Waits until all requests are served and the log is closed.
    pub(crate) async fn close(self) {
        drop(self.requests);
        let _ = self.ended.await;
    }

    /// Requests the counts of an id.
    pub(crate) fn look_up(&self, id: &str) -> oneshot::Receiver<Tally> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::LookUp(id.to_owned(), reply));
        answer
    }

    /// Requests the reason why an id may not play, if there is one.
    pub(crate) fn no_room(&self, id: &str) -> oneshot::Receiver<Option<NoRoom>> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::NoRoom(id.to_owned(), reply));
        answer
    }

    /// Saves a result. The request is made at once. The answer is true if the result would now survive a
    /// crash.
    pub(crate) fn save(&self, record: GameRecord) -> oneshot::Receiver<bool> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::Save(Box::new(record), reply));
        answer
    }

    fn request(&self, request: Request) {
        // If the thread has ended, no answer comes.
        let _ = self.requests.send(request);
    }
}

/// Serves requests until all handles are dropped. All waiting results are written before any reply, since replies to
/// look-ups reveal results, too.
fn serve(
    mut results: Results,
    inbox: &mpsc::Receiver<Request>,
    news: &UnboundedSender<ServerNews>,
) {
    let mut unsaved = Vec::new();
    while let Ok(first) = inbox.recv() {
        let (mut found, mut records, mut saved) = (Vec::new(), Vec::new(), Vec::new());
        for request in iter::once(first).chain(inbox.try_iter()) {
            match request {
                // Games that end after the request do not count.
                Request::LookUp(id, reply) => found.push((reply, results.tally(&id))),
                Request::NoRoom(id, reply) => drop(reply.send(results.no_room(&id))),
                Request::Save(record, reply) => {
                    results.count(&record);
                    records.push(*record);
                    saved.push(reply);
                }
            }
        }
        let is_durable = records.is_empty() || {
            let written = results.write(&records).unwrap_or_else(|error| {
                tracing::error!(%error, "results cannot be written");
                let _ = news.send(ServerNews::StorageFailed(error));
                false
            });
            if !written {
                unsaved.append(&mut records);
            }
            written
        };
        // The receivers may be gone.
        for (reply, tally) in found {
            let _ = reply.send(tally);
        }
        for reply in saved {
            let _ = reply.send(is_durable);
        }
    }
    if !unsaved.is_empty() {
        let _ = news.send(ServerNews::Unsaved(unsaved));
    }
}
