//! The thread that looks up and saves results, so that no game waits for the disk.

use std::{
    iter,
    sync::{Arc, mpsc},
    thread,
};

use tokio::sync::{mpsc::UnboundedSender, oneshot, watch};

use super::{
    news::ServerNews,
    results::{NoRoom, Results, Tally},
    scores::StudentScores,
    students::Students,
};
use crate::record::{GameRecord, JournalError};

/// A request to the thread, with the channel of its answer.
enum Request {
    LookUp(String, oneshot::Sender<Tally>),
    NoRoom(String, u64, oneshot::Sender<Option<NoRoom>>),
    Reset(String, oneshot::Sender<bool>),
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
    scores: watch::Receiver<Arc<[StudentScores]>>,
}

impl ResultsThread {
    /// Starts the thread, which ends when the handle is dropped and all requests are served. A failure of the
    /// log is sent to `news`.
    pub(crate) fn start(
        results: Results,
        students: Option<Arc<Students>>,
        news: UnboundedSender<ServerNews>,
    ) -> std::io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        let publisher = Publisher::new(students, &results);
        let scores = publisher.scores.subscribe();
        thread::Builder::new()
            .name("results".into())
            .spawn(move || {
                serve(results, &inbox, &news, &publisher);
                drop(end);
            })?;
        Ok(Self {
            requests,
            ended,
            scores,
        })
    }

    /// Returns a handle whose requests are never answered, and a guard that keeps its end open.
    #[cfg(test)]
    pub(crate) fn hung() -> (Self, impl Sized) {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        let (_, scores) = watch::channel(Arc::default());
        let thread = Self {
            requests,
            ended,
            scores,
        };
        (thread, (inbox, end))
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

    /// Requests the reason why an id with a number of games in progress may not play, if there is one.
    pub(crate) fn no_room(&self, id: &str, playing: u64) -> oneshot::Receiver<Option<NoRoom>> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::NoRoom(id.to_owned(), playing, reply));
        answer
    }

    /// Sets the counts of an id to zero. The answer is true if that would now survive a crash, otherwise nothing
    /// changes.
    pub(crate) fn reset(&self, id: &str) -> oneshot::Receiver<bool> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::Reset(id.to_owned(), reply));
        answer
    }

    /// Returns the scores of the students, which change when results are saved; none without students.
    pub(crate) fn scores(&self) -> watch::Receiver<Arc<[StudentScores]>> {
        self.scores.clone()
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

/// The scores of students, for those who watch.
struct Publisher {
    students: Option<Arc<Students>>,
    scores: watch::Sender<Arc<[StudentScores]>>,
}

impl Publisher {
    fn new(students: Option<Arc<Students>>, results: &Results) -> Self {
        let publisher = Self {
            students,
            scores: watch::Sender::default(),
        };
        publisher.update(results);
        publisher
    }

    fn update(&self, results: &Results) {
        if let Some(students) = &self.students {
            self.scores.send_replace(results.scores(students).into());
        }
    }
}

/// Requests that are answered once the results among them are written.
#[derive(Default)]
struct Batch {
    found: Vec<(oneshot::Sender<Tally>, Tally)>,
    records: Vec<GameRecord>,
    saved: Vec<oneshot::Sender<bool>>,
}

impl Batch {
    /// Writes the results, adds those that fail to `unsaved`, and answers.
    fn settle(
        mut self,
        results: &mut Results,
        news: &UnboundedSender<ServerNews>,
        unsaved: &mut Vec<GameRecord>,
    ) {
        let is_durable = self.records.is_empty() || {
            let written = written(results.write(&self.records), news);
            if !written {
                unsaved.append(&mut self.records);
            }
            written
        };
        // The receivers may be gone.
        for (reply, tally) in self.found {
            let _ = reply.send(tally);
        }
        for reply in self.saved {
            let _ = reply.send(is_durable);
        }
    }
}

/// Returns `true` if lines were written; a failure is sent to `news`.
fn written(result: Result<bool, JournalError>, news: &UnboundedSender<ServerNews>) -> bool {
    result.unwrap_or_else(|error| {
        tracing::error!(%error, "results cannot be written");
        let _ = news.send(ServerNews::StorageFailed(error));
        false
    })
}

/// Serves requests until all handles are dropped. All waiting results are written before any reply, since replies to
/// look-ups reveal results, too.
fn serve(
    mut results: Results,
    inbox: &mpsc::Receiver<Request>,
    news: &UnboundedSender<ServerNews>,
    publisher: &Publisher,
) {
    let mut unsaved = Vec::new();
    while let Ok(first) = inbox.recv() {
        let mut batch = Batch::default();
        let mut has_changed = false;
        for request in iter::once(first).chain(inbox.try_iter()) {
            match request {
                // Games that end after the request do not count.
                Request::LookUp(id, reply) => batch.found.push((reply, results.tally(&id))),
                Request::NoRoom(id, playing, reply) => {
                    let _ = reply.send(results.no_room(&id, playing));
                }
                Request::Reset(id, reply) => {
                    // The games before it come before it in the log.
                    std::mem::take(&mut batch).settle(&mut results, news, &mut unsaved);
                    let is_reset = written(results.reset(&id), news);
                    has_changed = true;
                    let _ = reply.send(is_reset);
                }
                Request::Save(record, reply) => {
                    results.count(&record);
                    has_changed = true;
                    batch.records.push(*record);
                    batch.saved.push(reply);
                }
            }
        }
        batch.settle(&mut results, news, &mut unsaved);
        if has_changed {
            publisher.update(&results);
        }
    }
    if !unsaved.is_empty() {
        let _ = news.send(ServerNews::Unsaved(unsaved));
    }
}
