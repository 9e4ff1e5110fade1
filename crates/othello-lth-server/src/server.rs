//! The ports of the server, its connections and its shutdown.

use std::{
    future::{Future, pending},
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use boardgame_core::{ByColor, ClockState};
use othello_core::{Color, Game};
use othello_engine::Level;
use othello_host::record::GameRecord;
use othello_proto::lth::{DARK_PORT, EVALUATION_PORT, Port, TESTING_PORT, TimeLimit, WHITE_PORT};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::{
    connection::{refuse_stream, serve},
    connection_slots::{ConnectionSlots, Refusals},
    game_pool::{GamePool, ShutdownPhase},
    results::{Recovered, ResultBounds, Results, StorageError},
    results_thread::ResultsThread,
};

/// The name of the log of games in its folder.
pub const LOG_NAME: &str = "games.jsonl";

/// The pause before accepting again after accepting a connection failed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The maximum number of accepted connections that wait to be admitted.
const MAX_ARRIVALS: usize = 64;

/// The maximum number of refused clients that are told the reason at a time; other connections are only closed.
const MAX_TOLD_REFUSALS: usize = 64;

/// The maximum time for writing the last results and closing the files.
const MAX_CLOSING: Duration = Duration::from_secs(10);

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The port where clients choose their colour.
    pub testing: Option<SocketAddr>,
    /// The port where each id plays the two colours in turn.
    pub evaluation: Option<SocketAddr>,
    /// The port of Dark in competitions.
    pub dark: Option<SocketAddr>,
    /// The port of White in competitions.
    pub white: Option<SocketAddr>,
    /// The time limit of clients, which the built-in player keeps to as well.
    pub limit: TimeLimit,
    /// The minimum time between two lines to a client.
    pub line_delay: Duration,
    /// The level of the built-in player.
    pub built_in_player_level: Level,
    /// The file of results by id; `None` keeps them in memory.
    pub store: Option<PathBuf>,
    /// The folder for the log of games; `None` logs nothing.
    pub log: Option<PathBuf>,
    /// The maximum number of connections served at a time; more are refused.
    pub max_connections: usize,
    /// The maximum number of connections served at a time on one port.
    pub max_per_port: usize,
    /// The maximum number of connections served at a time on one port from one address, or one /64 network
    /// of IPv6.
    pub max_per_address: usize,
    /// The number of connections that one address, or one /64 network of IPv6, may make in a minute; those of five
    /// minutes at once.
    pub max_per_minute: u32,
    /// The bounds on what the results take.
    pub bounds: ResultBounds,
    /// The time that a client has for its name, and again for its colour.
    pub reception_timeout: Duration,
    /// The maximum time that a client waits for an opponent on the competition ports.
    pub max_wait: Duration,
    /// The time that games may go on after a shutdown is requested; then they are called off.
    pub shutdown_grace: Duration,
}

impl ServerConfig {
    /// Returns the default settings for an address: the document's ports, 5 minutes a game, the built-in
    /// player at its lowest level, results in memory, 768 connections, 384 of them on a port and 128 from an
    /// address on a port, 120 a minute from an address, the [default bounds](ResultBounds::DEFAULT) of results, a
    /// minute for the name and for the colour, 15 minutes for an opponent, and 10 s to shut down.
    ///
    /// All students of a course may have one address, so an address is given a large part of a port, but no
    /// address takes a whole port and no port the whole server. All connections together stay below the 1024
    /// open files that many systems allow a process.
    pub const fn on(address: IpAddr) -> Self {
        Self {
            testing: Some(SocketAddr::new(address, TESTING_PORT)),
            evaluation: Some(SocketAddr::new(address, EVALUATION_PORT)),
            dark: Some(SocketAddr::new(address, DARK_PORT)),
            white: Some(SocketAddr::new(address, WHITE_PORT)),
            limit: TimeLimit {
                length: Duration::from_mins(5),
                scope: othello_proto::lth::LimitScope::Game,
            },
            line_delay: Duration::ZERO,
            built_in_player_level: Level::MIN,
            store: None,
            log: None,
            max_connections: 768,
            max_per_port: 384,
            max_per_address: 128,
            max_per_minute: 120,
            bounds: ResultBounds::DEFAULT,
            reception_timeout: Duration::from_mins(1),
            max_wait: Duration::from_mins(15),
            shutdown_grace: Duration::from_secs(10),
        }
    }

    /// Returns the settings with free ports, chosen by the system, in place of those given.
    #[must_use]
    pub fn on_free_ports(mut self) -> Self {
        let ports = [
            &mut self.testing,
            &mut self.evaluation,
            &mut self.dark,
            &mut self.white,
        ];
        for address in ports.into_iter().flatten() {
            address.set_port(0);
        }
        self
    }
}

impl Default for ServerConfig {
    /// Returns [`ServerConfig::on`] for the loopback address.
    fn default() -> Self {
        Self::on(IpAddr::V4(Ipv4Addr::LOCALHOST))
    }
}

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
    /// The store of results or the log of games could not be opened.
    #[error(transparent)]
    Files(#[from] StorageError),
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

/// A game in progress, for the observer of a server.
#[derive(Clone, Debug)]
pub struct GameInProgress {
    /// The number of the game in this run of the server, from 1.
    pub number: u64,
    /// The event that the game is part of, as its record names it.
    pub event: &'static str,
    /// The ids of the clients; the built-in player has a name of its own.
    pub names: ByColor<String>,
    /// The game so far.
    pub game: Game,
    /// The clocks after the last move.
    pub clocks: ByColor<ClockState>,
    /// The time that the last move took, zero before the first.
    pub took: Duration,
}

/// An event for the observer of a server.
#[derive(Debug)]
pub enum ServerNews {
    /// A game began: the clock of the side to move runs.
    Began(GameInProgress),
    /// A move was made in a game.
    Moved(GameInProgress),
    /// The game with a [number](GameInProgress::number) is over, and its result is saved: in the log or in the store,
    /// where there are any.
    Over(u64, GameRecord),
    /// The game with a number is over, but its result could be written neither to the log nor to the store. It is
    /// tried again for as long as the server runs.
    SaveFailed(u64, GameRecord),
    /// The log or the store could not be written; told once, until [`StorageRestored`](Self::StorageRestored).
    StorageFailed(StorageError),
    /// Writing works again, and the log and the store have all results.
    StorageRestored,
    /// The files were not closed in time, as on a disk that hangs: the last results may be missing in them.
    CloseTimedOut,
    /// The server has ended, and these results are missing in the log or, without a log, in the store.
    Unsaved(Vec<GameRecord>),
}

/// A server that listens on its ports.
#[derive(Debug)]
pub struct Server {
    config: ServerConfig,
    results: ResultsThread,
    recovered: Recovered,
    listeners: Vec<(Port, TcpListener)>,
    addresses: Addresses,
    news: mpsc::UnboundedSender<ServerNews>,
    heard: mpsc::UnboundedReceiver<ServerNews>,
}

impl Server {
    /// Opens the files and listens on the ports.
    ///
    /// # Errors
    ///
    /// When a port is taken, or a file cannot be opened.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with time and I/O enabled.
    pub async fn bind(config: ServerConfig) -> Result<Self, ServerError> {
        let log = config.log.as_ref().map(|folder| folder.join(LOG_NAME));
        let (mut results, recovered) = Results::open(config.store.as_deref(), log.as_deref())?;
        results.set_bounds(config.bounds);
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
        let results = ResultsThread::start(results, news.clone()).map_err(ServerError::Thread)?;
        Ok(Self {
            config,
            results,
            recovered,
            listeners,
            addresses,
            news,
            heard,
        })
    }

    /// Returns what was recovered from the log when the server was set up.
    pub const fn recovered(&self) -> Recovered {
        self.recovered
    }

    /// Returns the addresses that the server listens on.
    pub const fn addresses(&self) -> Addresses {
        self.addresses
    }

    /// Serves until `shutdown` resolves; then accepts no more connections, lets the games in progress finish
    /// within [`ServerConfig::shutdown_grace`], tells the clients that still play that the server shuts down,
    /// and returns once every result is saved and the files are closed.
    pub async fn run(self, observer: impl FnMut(ServerNews), shutdown: impl Future<Output = ()>) {
        self.run_with_abort(observer, shutdown, pending()).await;
    }

    /// Serves as [`run`](Self::run) does, but calls the games in progress off as soon as `abort` resolves,
    /// which is polled from the shutdown on.
    pub async fn run_with_abort(
        self,
        mut observer: impl FnMut(ServerNews),
        shutdown: impl Future<Output = ()>,
        abort: impl Future<Output = ()>,
    ) {
        let mut heard = self.heard;
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
            }
        }
        drop(acceptors);
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
    /// Permits to tell refused clients the reason.
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

/// Logs a panic of a task, which ends its own game and no other.
fn log_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection failed");
    }
}

/// A connection that was accepted.
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
                // Such as too many open files: there are fewer once clients have left.
                tracing::warn!(?port, %error, "cannot accept");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
