//! The connections of a server, each within bounds of time and memory.

use std::{
    collections::HashMap,
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;

/// The bytes that the head of a request may have.
const MAX_HEAD: usize = 16 << 10;

/// The bounds on what clients may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The number of connections at a time; others wait until one is closed.
    connections: usize,
    /// The number of them from one address of another computer; those beyond it are closed at once.
    connections_of_peer: usize,
    /// The time in which the head of a request must arrive, and that a connection may be idle.
    head_time: Duration,
    /// The time in which a client must read something of what is sent to it.
    write_time: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 256,
            connections_of_peer: 64,
            head_time: Duration::from_secs(15),
            write_time: Duration::from_secs(10),
        }
    }
}

/// The time that connections have to end when the server does.
const MAX_END_TIME: Duration = Duration::from_secs(2);

/// The time before the next try where the system refused a connection.
const REFUSED_PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `shutdown` is done; then calls `end_work`, so that answers end, and waits for them a
/// little.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Bounds,
    shutdown: impl Future<Output = ()>,
    end_work: impl FnOnce(),
) {
    let free = Arc::new(Semaphore::new(bounds.connections));
    let peers = Peers::new(bounds.connections_of_peer);
    let (ending, is_ending) = watch::channel(false);
    let mut open = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            (stream, place) = accept(&listener, &free, &peers) => {
                open.spawn(serve_one(stream, router.clone(), bounds, is_ending.clone(), place));
            }
            Some(_) = open.join_next() => {}
        }
    }
    drop(listener);
    end_work();
    let _ = ending.send(true);
    let ended = async { while open.join_next().await.is_some() {} };
    if timeout(MAX_END_TIME, ended).await.is_err() {
        tracing::info!("connections were cut off");
    }
}

/// Waits for a connection, once there is room for one more.
async fn accept(
    listener: &TcpListener,
    free: &Arc<Semaphore>,
    peers: &Peers,
) -> (TcpStream, Place) {
    let permit = Arc::clone(free).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Some(peer) = peers.admit(peer.ip()) {
                    let place = Place {
                        _permit: permit,
                        _peer: peer,
                    };
                    return (stream, place);
                }
                tracing::debug!(%peer, "a connection beyond those of one address was closed");
            }
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                sleep(REFUSED_PAUSE).await;
            }
        }
    }
}

/// The place of a connection among those that are allowed, free again when it is dropped.
struct Place {
    _permit: Option<OwnedSemaphorePermit>,
    _peer: Peer,
}

/// The number of connections from each address.
struct Peers {
    max: usize,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A connection from an address, counted until it is dropped.
struct Peer {
    address: IpAddr,
    counts: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Peers {
    fn new(max: usize) -> Self {
        Self {
            max,
            counts: Arc::default(),
        }
    }

    /// Counts a connection, or returns `None` if the address is at its limit. Loopback addresses have no limit, since a
    /// proxy on this computer connects for many clients.
    fn admit(&self, address: IpAddr) -> Option<Peer> {
        let address = address.to_canonical();
        let mut counts = lock(&self.counts);
        let count = counts.entry(address).or_default();
        if *count >= self.max && !address.is_loopback() {
            return None;
        }
        *count += 1;
        let counts = Arc::clone(&self.counts);
        Some(Peer { address, counts })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
        }
        if counts.get(&self.address) == Some(&0) {
            counts.remove(&self.address);
        }
    }
}

fn lock(counts: &Mutex<HashMap<IpAddr, usize>>) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve_one(
    stream: TcpStream,
    router: Router,
    bounds: Bounds,
    mut is_ending: watch::Receiver<bool>,
    _place: Place,
) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.head_time)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(bounded(stream, bounds)), service);
    let mut connection = std::pin::pin!(connection);
    let mut ended = tokio::select! {
        ended = &mut connection => Some(ended),
        _ = is_ending.wait_for(|ending| *ending) => None,
    };
    if ended.is_none() {
        connection.as_mut().graceful_shutdown();
        ended = Some(connection.await);
    }
    if let Some(Err(error)) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}

/// A stream that breaks if its reader reads nothing for too long.
fn bounded(stream: TcpStream, bounds: Bounds) -> Pin<Box<TimeoutStream<TcpStream>>> {
    // Small answers are to arrive at once. Without it they only come later.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(bounds.write_time));
    Box::pin(stream)
}

#[cfg(test)]
mod tests {
    use std::{future::pending, net::SocketAddr};

    use axum::{body::Body, routing::get};
    use futures_util::stream;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    const SHORT: Duration = Duration::from_millis(200);

    /// A server with tight bounds whose answers never end.
    async fn start() -> SocketAddr {
        let endless = async || {
            let part = || Ok::<_, std::convert::Infallible>(vec![b'x'; 1 << 16]);
            Body::from_stream(stream::repeat_with(part))
        };
        let router = Router::new().route("/", get(endless));
        let bounds = Bounds {
            connections: 1,
            connections_of_peer: 1,
            head_time: SHORT,
            write_time: SHORT,
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(serve(listener, router, bounds, pending(), || {}));
        address
    }

    async fn begin(address: SocketAddr, head: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head).await.unwrap();
        stream
    }

    /// Reads the beginning of an endless answer, on a second connection.
    async fn assert_that_others_are_served(address: SocketAddr) {
        let mut stream = begin(address, b"GET / HTTP/1.1\r\n\r\n").await;
        let mut beginning = [0; 15];
        stream.read_exact(&mut beginning).await.unwrap();
        assert_eq!(&beginning, b"HTTP/1.1 200 OK");
    }

    #[tokio::test]
    async fn a_head_that_does_not_end_is_cut_off() {
        let address = start().await;
        let mut slow = begin(address, b"GET / HTTP/1.1\r\nX: ").await;
        assert_that_others_are_served(address).await;
        let mut rest = Vec::new();
        let _ = slow.read_to_end(&mut rest).await;
        assert!(!rest.starts_with(b"HTTP/1.1 200"), "{rest:?}");
    }

    #[tokio::test]
    async fn an_idle_connection_makes_room_for_another() {
        let address = start().await;
        let _idle = begin(address, b"").await;
        assert_that_others_are_served(address).await;
    }

    #[tokio::test]
    async fn a_reader_who_reads_nothing_is_dropped() {
        let address = start().await;
        let _reader = begin(address, b"GET / HTTP/1.1\r\n\r\n").await;
        assert_that_others_are_served(address).await;
    }
    #[test]
    fn connections_of_each_other_computer_are_limited() {
        let peers = Peers::new(2);
        let admit = |address: &str| peers.admit(address.parse().unwrap());
        let first = admit("192.168.0.7").expect("one of two");
        let _second = admit("::ffff:192.168.0.7").expect("two of two");
        assert!(admit("192.168.0.7").is_none());
        assert!(admit("192.168.0.8").is_some());
        drop(first);
        assert!(admit("192.168.0.7").is_some());
        let own: Vec<_> = (0..3).map(|_| admit("127.0.0.1")).collect();
        assert!(own.iter().all(Option::is_some));
        assert_eq!(lock(&peers.counts).len(), 2);
        drop(own);
        assert_eq!(lock(&peers.counts).len(), 1);
    }
}
