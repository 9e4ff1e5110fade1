//! The connections of a server, each within bounds of time and memory.

use std::{pin::Pin, sync::Arc, time::Duration};

use axum::{Router, extract::Extension};
use boardgame_io::{Client, Place, Places};
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

/// The maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// The bounds on each client's resources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The number of connections at a time; others wait until one is closed, but those of a client that has used up its
    /// share are closed at once.
    connections: usize,
    /// The time limit for the head of a request to arrive, and for an idle connection.
    head_time: Duration,
    /// The time within which a client must read some of what is sent to it.
    write_time: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 256,
            head_time: Duration::from_secs(15),
            write_time: Duration::from_secs(10),
        }
    }
}

/// The time for connections to end when the server does.
const MAX_END_TIME: Duration = Duration::from_secs(2);

/// The pause before the next try after the system refused a connection.
const REFUSED_PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `shutdown` is done; then calls `end_work`, so that answers end, and waits briefly for them.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Bounds,
    shutdown: impl Future<Output = ()>,
    end_work: impl FnOnce(),
) {
    let free = Arc::new(Semaphore::new(bounds.connections));
    let places = Places::new(bounds.connections);
    let (ending, is_ending) = watch::channel(false);
    let mut open = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = accept(&listener, &free, &places) => {
                open.spawn(serve_one(accepted, router.clone(), bounds, is_ending.clone()));
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

/// A connection with its place among the allowed ones.
struct Accepted {
    stream: TcpStream,
    client: Client,
    _permit: Option<OwnedSemaphorePermit>,
    _place: Place,
}

/// Waits for a connection, once there is room for another.
async fn accept(listener: &TcpListener, free: &Arc<Semaphore>, places: &Places) -> Accepted {
    let permit = Arc::clone(free).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let client = Client::from(peer.ip());
                if let Ok(place) = places.take(client) {
                    return Accepted {
                        stream,
                        client,
                        _permit: permit,
                        _place: place,
                    };
                }
                tracing::debug!(%peer, "a connection beyond the share of its client was closed");
            }
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                sleep(REFUSED_PAUSE).await;
            }
        }
    }
}

/// Serves a connection; handlers find its client in the extensions of each request.
async fn serve_one(
    accepted: Accepted,
    router: Router,
    bounds: Bounds,
    mut is_ending: watch::Receiver<bool>,
) {
    let Accepted {
        stream,
        client,
        _permit,
        _place,
    } = accepted;
    let service = TowerToHyperService::new(router.layer(Extension(client)));
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
    // Small answers should arrive at once. Without it they only come later.
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

    /// Starts a server with tight bounds whose answers never end.
    async fn start() -> SocketAddr {
        let endless = async || {
            let part = || Ok::<_, std::convert::Infallible>(vec![b'x'; 1 << 16]);
            Body::from_stream(stream::repeat_with(part))
        };
        let router = Router::new().route("/", get(endless));
        let bounds = Bounds {
            connections: 1,
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

    /// Reads the start of an endless answer, on a second connection.
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
}
