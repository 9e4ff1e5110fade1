//! The one thread that keeps results, so that nothing that plays waits for the disk.

use std::{sync::mpsc, thread};

use tokio::sync::oneshot;

use crate::{
    record::{GameRecord, Journal, JournalError, Winner},
    store::{Entry, GameResult, Store, StoreError, Tally},
};

/// A result to be kept.
#[derive(Clone, Debug)]
pub(crate) struct Filing {
    pub(crate) record: GameRecord,
    /// Whether Black and White are clients, whose results count.
    pub(crate) clients: [bool; 2],
    /// Whether the game was an evaluation.
    pub(crate) evaluation: bool,
}

/// A result could not be kept, or looked up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistrarError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log of games failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The thread that keeps results is gone.
    #[error("the keeper of results is gone")]
    Gone,
}

type Reply<T> = oneshot::Sender<Result<T, RegistrarError>>;

enum Request {
    LookUp(String, Reply<Tally>),
    File(Box<Filing>, Reply<()>),
}

/// Serves requests in the order in which they were made: whoever looks an id up after a game was
/// filed sees that game counted.
#[derive(Debug)]
pub(crate) struct Registrar {
    requests: mpsc::Sender<Request>,
    ended: oneshot::Receiver<()>,
}

impl Registrar {
    /// Starts the thread; it ends when the registrar is dropped and all is done.
    pub(crate) fn start(store: Store, journal: Option<Journal>) -> std::io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        thread::Builder::new()
            .name("registrar".into())
            .spawn(move || {
                serve(&store, journal, inbox);
                drop(store);
                drop(end);
            })?;
        Ok(Self { requests, ended })
    }

    /// Waits until all is done and the files are closed.
    pub(crate) async fn close(self) {
        drop(self.requests);
        let _ = self.ended.await;
    }

    /// What an id has played.
    pub(crate) fn look_up(&self, id: &str) -> Pending<Tally> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::LookUp(id.to_owned(), reply));
        Pending(answer)
    }

    /// Keeps a result. The request is made at once, the answer comes when it is on disk.
    pub(crate) fn file(&self, filing: Filing) -> Pending<()> {
        let (reply, answer) = oneshot::channel();
        self.request(Request::File(Box::new(filing), reply));
        Pending(answer)
    }

    fn request(&self, request: Request) {
        // A thread that is gone is noticed by the answer that does not come.
        let _ = self.requests.send(request);
    }
}

/// An answer of the registrar on its way.
#[derive(Debug)]
pub(crate) struct Pending<T>(oneshot::Receiver<Result<T, RegistrarError>>);

impl<T> Pending<T> {
    pub(crate) async fn done(self) -> Result<T, RegistrarError> {
        self.0.await.unwrap_or(Err(RegistrarError::Gone))
    }
}

fn serve(store: &Store, mut journal: Option<Journal>, inbox: mpsc::Receiver<Request>) {
    for request in inbox {
        // Who asked may be gone.
        match request {
            Request::LookUp(id, reply) => {
                let _ = reply.send(store.tally(&id).map_err(Into::into));
            }
            Request::File(filing, reply) => {
                let _ = reply.send(keep(store, journal.as_mut(), &filing));
            }
        }
    }
}

/// Keeps a result in the store, then in the log: the log may lack a last game that counts.
fn keep(
    store: &Store,
    journal: Option<&mut Journal>,
    filing: &Filing,
) -> Result<(), RegistrarError> {
    let record = &filing.record;
    let [black, white] = filing.clients;
    let seats = [
        (black, &record.black, Winner::Black),
        (white, &record.white, Winner::White),
    ];
    let entries: Vec<_> = seats
        .into_iter()
        .filter(|(client, ..)| *client && record.winner != Winner::None)
        .map(|(_, id, color)| Entry {
            id,
            result: match record.winner {
                Winner::Draw => GameResult::Drawn,
                winner if winner == color => GameResult::Won,
                _ => GameResult::Lost,
            },
            evaluation: filing.evaluation,
        })
        .collect();
    if !entries.is_empty() {
        store.add(&entries)?;
    }
    if let Some(journal) = journal {
        journal.append(record)?;
    }
    Ok(())
}
