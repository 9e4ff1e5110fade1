//! A player that lives in this process, in the place of a child program.

use std::{
    fmt,
    future::pending,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use boardgame_io::{
    AbortOnDrop, Fault, Incoming, Link, LinkOptions, ProgramReport, SendBufferFull,
};
use othello_net::{Connection, DriveError, DriveOptions, Interrupter, Thinker, drive};
use othello_proto::session::{Decision, PlayerSession, Task};
use tokio::time::timeout;

/// The bytes that a pipe to a player in this process holds.
const PIPE: usize = 16 * 1024;

/// How long a player may go on once its input is closed.
const GRACE: Duration = Duration::from_secs(2);

/// A player at work: its session, driven over a pipe in memory. It ends with this handle.
#[derive(Debug)]
pub(crate) struct Resident {
    link: Link,
    player: AbortOnDrop<Result<(), DriveError>>,
    /// Whether the end of its output was handed out.
    ended: bool,
    /// How it ended, once that was handed out.
    report: Option<ProgramReport>,
}

impl Resident {
    pub(crate) fn start(
        session: impl PlayerSession + Send + 'static,
        thinker: impl Thinker,
    ) -> Self {
        let (host, player) = tokio::io::duplex(PIPE);
        let connection = Connection::from_stream(player);
        let player = tokio::spawn(async move {
            let options = DriveOptions::default();
            let driven = drive(session, connection, thinker, pending(), &options).await;
            driven.map(drop)
        });
        Self {
            link: Link::of(host, LinkOptions::default()),
            player: AbortOnDrop(player),
            ended: false,
            report: None,
        }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), SendBufferFull> {
        self.link.send(bytes)
    }

    pub(crate) fn hang_up(&mut self) {
        self.link.hang_up();
    }

    /// The next thing that comes from the player, its end included. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Option<Incoming> {
        if !self.ended {
            let incoming = self.link.next().await;
            self.ended = matches!(incoming, None | Some(Incoming::End));
            return incoming;
        }
        if self.report.is_some() {
            return None;
        }
        let failure = match (&mut self.player.0).await {
            Ok(driven) => driven.err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        let success = failure.is_none();
        let failed = failure.map(|reason| Fault::PlayerFailed { reason });
        self.report = Some(ProgramReport {
            faults: failed.into_iter().collect(),
            ..ProgramReport::default()
        });
        Some(Incoming::Exited { success })
    }

    /// Hangs up, waits a little for the end, and reports.
    pub(crate) async fn end(mut self) -> ProgramReport {
        self.hang_up();
        let rest = async { while self.next().await.is_some() {} };
        // A player that goes on, such as one that waits for a person, ends with this handle.
        let _ = timeout(GRACE, rest).await;
        self.report.unwrap_or_default()
    }
}

/// Starts a player whenever it is called; `None` when it can do so no more.
pub(crate) struct Maker(pub(crate) Box<dyn FnMut() -> Option<Resident> + Send>);

impl fmt::Debug for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Maker")
    }
}

/// A thinker that outlives the sessions it thinks for, one after the other.
#[derive(Debug)]
pub(crate) struct Shared<T>(Arc<Mutex<T>>);

impl<T> Shared<T> {
    pub(crate) fn new(thinker: T) -> Self {
        Self(Arc::new(Mutex::new(thinker)))
    }

    fn thinker(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Thinker> Thinker for Shared<T> {
    fn think(&mut self, task: &Task, started: Instant) -> Decision {
        self.thinker().think(task, started)
    }

    fn interrupter(&self) -> Interrupter {
        self.thinker().interrupter()
    }
}
