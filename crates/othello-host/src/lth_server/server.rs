//! The ports of the server, its connections and its shutdown.

use std::{
    future::{Future, pending},
    io,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use othello_core::Color;
use othello_proto::lth::Port;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    config::ServerConfig,
    connection::{refuse_stream, serve},
    connection_slots::{ConnectionSlots, Refusals},
    game_pool::{GamePool, ShutdownPhase},
    news::ServerNews,
    operator::{Operator, Reset, ResetError},
    results::Results,
    results_thread::ResultsThread,
    scores::StudentScores,
};
use crate::record::JournalError;

/// The pause after a failure to accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The maximum number of accepted connections waiting for admission.
const MAX_ARRIVALS: usize = 64;

/// The maximum number of refused clients that are sent a reason at a time; others are only closed.
const MAX_TOLD_REFUSALS: usize = 64;

/// The maximum time for writing the last results and closing the log.
const MAX_CLOSING: Duration = Duration::from_secs(10);

/// The error of a server that cannot be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// An address could not be bound.
    #[error("cannot listen on {address}: {reason}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        reason: io::Error,
    },
    /// The log of games could not be opened.
    #[error(transparent)]
    Log(#[from] JournalError),
    /// The thread that saves results could not be started.
    #[error("no thread for the results: {0}")]
    Thread(io::Error),
}

/// The addresses that a server listens on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    /// The address where clients choose their colour.
    pub testing: Option<SocketAddr>,
    /// The address where each id plays the two colours in turn.
    pub evaluation: Option<SocketAddr>,
    /// The address where Dark connects in competitions.
    pub dark: Option<SocketAddr>,
    /// The address where White connects in competitions.
    pub white: Option<SocketAddr>,
}

/// A server that listens on its ports.
#[derive(Debug)]
pub struct Server {
    config: ServerConfig,
    results: ResultsThread,
    unreadable: u64,
    listeners: Vec<(Port, TcpListener)>,
    addresses: Addresses,
    news: mpsc::UnboundedSender<ServerNews>,
    heard: mpsc::UnboundedReceiver<ServerNews>,
    operator: Operator,
    resets: mpsc::UnboundedReceiver<Reset>,
}

impl Server {
    /// Opens the log and listens on the ports.
    ///
    /// # Errors
    ///
    /// When a port is taken, or the log cannot be opened.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with time and I/O enabled.
    pub async fn bind(config: ServerConfig) -> Result<Self, ServerError> {
        let (results, unreadable) = Results::open(config.store.as_deref(), config.bounds)?;
        let mut listeners = Vec::new();
        let mut listen = async |port, address: Option<SocketAddr>| {
            let Some(address) = address else {
                return Ok(None);
            };
            let refused = |reason| ServerError::Bind { address, reason };
            let listener = TcpListener::bind(address).await.map_err(refused)?;
            let bound = listener.local_addr().map_err(refused)?;
            listeners.push((port, listener));
            Ok::<_, ServerError>(Some(bound))
        };
        let addresses = Addresses {
            testing: listen(Port::Testing, config.testing).await?,
            evaluation: listen(Port::Evaluation, config.evaluation).await?,
            dark: listen(Port::Competition(Color::Black), config.dark).await?,
            white: listen(Port::Competition(Color::White), config.white).await?,
        };
        let (news, heard) = mpsc::unbounded_channel();
        let students = config.students.clone();
        let results = ResultsThread::start(results, students, news.clone());
        let results = results.map_err(ServerError::Thread)?;
        let (operator, resets) = mpsc::unbounded_channel();
        Ok(Self {
            config,
            results,
            unreadable,
            listeners,
            addresses,
            news,
            heard,
            operator: Operator::new(operator),
            resets,
        })
    }

    /// Returns the number of lines of the log that are not games.
    pub const fn unreadable(&self) -> u64 {
        self.unreadable
    }

    /// Returns the addresses that the server listens on.
    pub const fn addresses(&self) -> Addresses {
        self.addresses
    }

    /// Returns the scores of the students, best first in each class, which change as results are saved. There are none
    /// without [`ServerConfig::students`].
    pub fn scores(&self) -> watch::Receiver<Arc<[StudentScores]>> {
        self.results.scores()
    }

    /// Returns the handle for commands while the server runs.
    pub fn operator(&self) -> Operator {
        self.operator.clone()
    }

    /// Serves until `shutdown` resolves; then accepts no more connections, lets the games in progress finish
    /// within [`ServerConfig::shutdown_grace`], informs clients still playing of the shutdown, and returns once
    /// every result is saved and the log is closed.
    pub async fn run(self, observer: impl FnMut(ServerNews), shutdown: impl Future<Output = ()>) {
        self.run_with_abort(observer, shutdown, pending()).await;
    }

    /// Serves like [`run`](Self::run), but calls off the games in progress as soon as `abort` resolves, which
    /// is polled from the shutdown on.
    pub async fn run_with_abort(
        self,
        mut observer: impl FnMut(ServerNews),
        shutdown: impl Future<Output = ()>,
        abort: impl Future<Output = ()>,
    ) {
        let (mut heard, mut resets) = (self.heard, self.resets);
        let grace = self.config.shutdown_grace;
        let slots = ConnectionSlots::new(&self.config);
        let pool = Arc::new(GamePool::new(self.config, self.results, self.news));
        let mut connections = Connections::new(Arc::clone(&pool), slots);
        let mut acceptors = JoinSet::new();
        let (sender, mut arrivals) = mpsc::channel(MAX_ARRIVALS);
        for (port, listener) in self.listeners {
            acceptors.spawn(accept(port, listener, sender.clone()));
        }
        let mut shutdown = pin!(shutdown);
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                Some(arrival) = arrivals.recv() => connections.admit(arrival),
                Some(ended) = connections.clients.join_next() => log_panic(ended),
                Some(news) = heard.recv() => observer(news),
                Some((name, reply)) = resets.recv() => {
                    let pool = Arc::clone(&pool);
                    connections.clients.spawn(async move {
                        let reset = timeout(MAX_CLOSING, pool.reset(&name)).await;
                        // The operator may be gone.
                        let _ = reply.send(reset.unwrap_or(Err(ResetError::Late)));
                    });
                }
            }
        }
        drop((acceptors, resets));
        drop(arrivals);
        pool.set_phase(ShutdownPhase::Draining);
        let call_off = async {
            tokio::select! {
                () = sleep(grace) => {}
                () = abort => {}
            }
            pool.set_phase(ShutdownPhase::CallingOff);
        };
        drain(connections, &mut heard, &mut observer, call_off).await;
        if let Some(pool) = Arc::into_inner(pool)
            && timeout(MAX_CLOSING, pool.close()).await.is_err()
        {
            observer(ServerNews::CloseTimedOut);
        }
        while let Ok(news) = heard.try_recv() {
            observer(news);
        }
    }
}

/// Waits until all clients are gone; `call_off` is polled meanwhile.
async fn drain(
    mut connections: Connections,
    heard: &mut mpsc::UnboundedReceiver<ServerNews>,
    observer: &mut impl FnMut(ServerNews),
    call_off: impl Future<Output = ()>,
) {
    let mut call_off = pin!(call_off);
    let mut called_off = false;
    loop {
        tokio::select! {
            biased;
            Some(news) = heard.recv() => observer(news),
            ended = connections.clients.join_next() => match ended {
                Some(ended) => log_panic(ended),
                None => return,
            },
            () = &mut call_off, if !called_off => called_off = true,
        }
    }
}

/// The connections of a server: those served and those being refused.
struct Connections {
    pool: Arc<GamePool>,
    slots: ConnectionSlots,
    refusals: Refusals,
    /// Permits to send refused clients the reason.
    refusal_permits: Arc<Semaphore>,
    clients: JoinSet<()>,
}

impl Connections {
    fn new(pool: Arc<GamePool>, slots: ConnectionSlots) -> Self {
        Self {
            pool,
            slots,
            refusals: Refusals::default(),
            refusal_permits: Arc::new(Semaphore::new(MAX_TOLD_REFUSALS)),
            clients: JoinSet::new(),
        }
    }

    /// Serves a new connection, or refuses it.
    fn admit(&mut self, arrival: Arrival) {
        let Arrival {
            port,
            stream,
            address,
        } = arrival;
        match self.slots.take(port, address) {
            Ok(slot) => {
                let pool = Arc::clone(&self.pool);
                self.clients
                    .spawn(async move { serve(&pool, port, stream, slot).await });
            }
            Err(reason) => {
                self.refusals.log(port, address, reason);
                // Dropping the stream closes it.
                if let Ok(permit) = Arc::clone(&self.refusal_permits).try_acquire_owned() {
                    self.clients.spawn(async move {
                        refuse_stream(stream, &reason.to_string()).await;
                        drop(permit);
                    });
                }
            }
        }
    }
}

/// Logs a panic of a task, which ends only its own game.
fn log_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection failed");
    }
}

/// An accepted connection.
struct Arrival {
    port: Port,
    stream: TcpStream,
    address: IpAddr,
}

async fn accept(port: Port, listener: TcpListener, arrivals: mpsc::Sender<Arrival>) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                tracing::debug!(?port, %peer, "accepted");
                let address = peer.ip();
                let arrival = Arrival {
                    port,
                    stream,
                    address,
                };
                if arrivals.send(arrival).await.is_err() {
                    return;
                }
            }
            Err(error) => {
                // Such as too many open files, until clients have left.
                tracing::warn!(?port, %error, "cannot accept");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
