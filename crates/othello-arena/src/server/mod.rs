//! The LTH server: testing, evaluation and competition, many games at once.

mod built_in_player;
mod connection;
mod connection_slots;
mod game_pool;
mod matchmaking;
mod registrar;
mod result_book;

use std::{
    future::{Future, pending},
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use othello_core::{Color, Game};
use othello_engine::Level;
use othello_proto::lth::{DARK_PORT, Door, EVALUATION_PORT, TESTING_PORT, TimeLimit, WHITE_PORT};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
    task::JoinSet,
    time::{sleep, timeout},
};

use self::{
    connection::{refuse, serve},
    connection_slots::{ConnectionSlots, Refusals},
    game_pool::{GamePool, Stage},
    registrar::Registrar,
    result_book::ResultBook,
};
use crate::record::GameRecord;

pub use self::result_book::{KeepError, Recovered};

/// The name of the log of games in its folder.
pub const LOG_NAME: &str = "games.jsonl";

/// The pause of accepting when the system has no more connections to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Connections on their way from the ports to the server.
const ARRIVALS: usize = 64;

/// The refused clients that are told the reason at a time; the connections of others are only closed.
const MAX_TOLD: usize = 64;

/// The longest that writing the last results and closing the files may take.
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
    /// The time limit of clients. The house keeps to it too.
    pub limit: TimeLimit,
    /// The least time between two lines to a client.
    pub line_delay: Duration,
    /// The level of the house.
    pub house: Level,
    /// The file of results by id; `None` keeps them in memory.
    pub store: Option<PathBuf>,
    /// The folder for the log of games; `None` logs nothing.
    pub log: Option<PathBuf>,
    /// The connections served at a time; more are refused.
    pub max_connections: usize,
    /// The connections served at a time on one port.
    pub max_per_port: usize,
    /// The connections served at a time on one port from one address, or one /64 network of IPv6.
    pub max_per_address: usize,
    /// The time that a client has for its name, and for its colour.
    pub patience: Duration,
    /// The longest that a client waits for an opponent on the competition ports.
    pub max_wait: Duration,
    /// The time that games may go on once the server is to shut down; then they are called off.
    pub shutdown: Duration,
}

impl ServerConfig {
    /// The document's ports on an address, 5 minutes a game, the weakest house, results in
    /// memory, 768 connections, 384 a port and 128 an address on it, a minute of patience, a quarter of
    /// an hour for an opponent, and 10 s to shut down.
    ///
    /// A course may sit behind one address, so this has a good part of a port; but neither an address nor
    /// a port has it all, and the whole leaves files to a process that may open 1024.
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
            house: Level::MIN,
            store: None,
            log: None,
            max_connections: 768,
            max_per_port: 384,
            max_per_address: 128,
            patience: Duration::from_mins(1),
            max_wait: Duration::from_mins(15),
            shutdown: Duration::from_secs(10),
        }
    }

    /// The same ports, but any that are free: the system chooses them.
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
    /// That of [`ServerConfig::on`] for this machine alone.
    fn default() -> Self {
        Self::on(IpAddr::V4(Ipv4Addr::LOCALHOST))
    }
}

/// A server could not be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// An address could not be bound.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        source: io::Error,
    },
    /// The store of results or the log of games could not be opened.
    #[error(transparent)]
    Files(#[from] KeepError),
    /// The thread that keeps results could not be started.
    #[error("no thread for the results: {0}")]
    Thread(io::Error),
}

/// The addresses that a server listens on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    /// Where clients choose their colour.
    pub testing: Option<SocketAddr>,
    /// Where each id plays the two colours in turn.
    pub evaluation: Option<SocketAddr>,
    /// Where Dark connects in competitions.
    pub dark: Option<SocketAddr>,
    /// Where White connects in competitions.
    pub white: Option<SocketAddr>,
}

/// News for whoever runs a server.
#[derive(Debug)]
pub enum ServerNews {
    /// A move was made in a game.
    Moved(Game),
    /// A game is over, and its result is kept: in the log or in the store, where there are any.
    Over(GameRecord),
    /// A game is over, but neither the log nor the store takes its result. It is tried again and again.
    NotKept(GameRecord),
    /// The log or the store could not be written; told once, until all is well again.
    StorageFailed(KeepError),
    /// The log and the store have all results again.
    StorageRestored,
    /// The files did not close in time, as on a disk that hangs: the last results may not be in them.
    NotClosed,
    /// The server has ended, and the log or, without one, the store lacks these results.
    Unsaved(Vec<GameRecord>),
}

/// A server that listens.
///
/// # Examples
///
/// ```
/// use othello_arena::server::{Server, ServerConfig};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), othello_arena::server::ServerError> {
/// let server = Server::bind(ServerConfig::default().on_free_ports()).await?;
/// let testing = server.addresses().testing.expect("it was asked for");
/// println!("telnet {} {}", testing.ip(), testing.port());
/// let shutdown = async {};
/// server.run(|news| println!("{news:?}"), shutdown).await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Server {
    config: ServerConfig,
    registrar: Registrar,
    recovered: Recovered,
    listeners: Vec<(Door, TcpListener)>,
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
        let (book, recovered) = ResultBook::open(config.store.as_deref(), log.as_deref())?;
        let mut listeners = Vec::new();
        let mut listen = async |door, address: Option<SocketAddr>| {
            let Some(address) = address else {
                return Ok(None);
            };
            let refused = |source| ServerError::Bind { address, source };
            let listener = TcpListener::bind(address).await.map_err(refused)?;
            let bound = listener.local_addr().map_err(refused)?;
            listeners.push((door, listener));
            Ok::<_, ServerError>(Some(bound))
        };
        let addresses = Addresses {
            testing: listen(Door::Testing, config.testing).await?,
            evaluation: listen(Door::Evaluation, config.evaluation).await?,
            dark: listen(Door::Competition(Color::Black), config.dark).await?,
            white: listen(Door::Competition(Color::White), config.white).await?,
        };
        let (news, heard) = mpsc::unbounded_channel();
        let registrar = Registrar::start(book, news.clone()).map_err(ServerError::Thread)?;
        Ok(Self {
            config,
            registrar,
            recovered,
            listeners,
            addresses,
            news,
            heard,
        })
    }

    /// The log's share in the results when the server was set up.
    pub const fn recovered(&self) -> Recovered {
        self.recovered
    }

    /// The addresses that it listens on.
    pub const fn addresses(&self) -> Addresses {
        self.addresses
    }

    /// Serves until `shutdown` resolves; then accepts nobody, lets the games in progress finish
    /// within [`ServerConfig::shutdown`], tells those who still play that it shuts down, and
    /// returns once every result is kept and the files are closed.
    pub async fn run(self, observer: impl FnMut(ServerNews), shutdown: impl Future<Output = ()>) {
        self.run_until(observer, shutdown, pending()).await;
    }

    /// As [`run`](Self::run), but calls the games in progress off as soon as `hurry` resolves, which is
    /// polled from the shutdown on.
    pub async fn run_until(
        self,
        mut observer: impl FnMut(ServerNews),
        shutdown: impl Future<Output = ()>,
        hurry: impl Future<Output = ()>,
    ) {
        let mut heard = self.heard;
        let grace = self.config.shutdown;
        let slots = ConnectionSlots::new(&self.config);
        let pool = Arc::new(GamePool::new(self.config, self.registrar, self.news));
        let mut connections = Connections::new(Arc::clone(&pool), slots);
        let mut acceptors = JoinSet::new();
        let (sender, mut arrivals) = mpsc::channel(ARRIVALS);
        for (door, listener) in self.listeners {
            acceptors.spawn(accept(door, listener, sender.clone()));
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
        pool.enter(Stage::Closing);
        let call_off = async {
            tokio::select! {
                () = sleep(grace) => {}
                () = hurry => {}
            }
            pool.enter(Stage::Over);
        };
        drain(connections, &mut heard, &mut observer, call_off).await;
        if let Some(pool) = Arc::into_inner(pool)
            && timeout(MAX_CLOSING, pool.close()).await.is_err()
        {
            observer(ServerNews::NotClosed);
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

/// The connections of a server, those served and those being refused.
struct Connections {
    pool: Arc<GamePool>,
    slots: Arc<ConnectionSlots>,
    refusals: Refusals,
    /// Permits for refused clients that are being told why.
    told: Arc<Semaphore>,
    clients: JoinSet<()>,
}

impl Connections {
    fn new(pool: Arc<GamePool>, slots: Arc<ConnectionSlots>) -> Self {
        Self {
            pool,
            slots,
            refusals: Refusals::default(),
            told: Arc::new(Semaphore::new(MAX_TOLD)),
            clients: JoinSet::new(),
        }
    }

    /// Serves a new connection, or refuses it.
    fn admit(&mut self, arrival: Arrival) {
        let Arrival {
            door,
            stream,
            address,
        } = arrival;
        match self.slots.take(door, address) {
            Ok(slot) => {
                let pool = Arc::clone(&self.pool);
                self.clients.spawn(async move {
                    serve(&pool, door, stream).await;
                    drop(slot);
                });
            }
            Err(reason) => {
                self.refusals.log(door, address, reason);
                // Dropping the stream closes it.
                if let Ok(permit) = Arc::clone(&self.told).try_acquire_owned() {
                    self.clients.spawn(async move {
                        refuse(stream, &reason.to_string()).await;
                        drop(permit);
                    });
                }
            }
        }
    }
}

/// A task that panicked takes its own game with it, and no other.
fn log_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection failed");
    }
}

/// A connection that was accepted.
struct Arrival {
    door: Door,
    stream: TcpStream,
    address: IpAddr,
}

async fn accept(door: Door, listener: TcpListener, arrivals: mpsc::Sender<Arrival>) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                tracing::debug!(?door, %peer, "accepted");
                let address = peer.ip();
                let arrival = Arrival {
                    door,
                    stream,
                    address,
                };
                if arrivals.send(arrival).await.is_err() {
                    return;
                }
            }
            Err(error) => {
                // Such as too many open files: those connected leave some day.
                tracing::warn!(?door, %error, "cannot accept");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
