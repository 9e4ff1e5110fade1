//! The connections of a server, each within bounds of time and memory.

use std::{io, pin::Pin, sync::Arc, time::Duration};

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

/// The number of connections at a time; others wait until one is closed.
const MAX_CONNECTIONS: usize = 256;

/// The time in which the head of a request must arrive, and that a connection may be idle.
const MAX_HEAD_TIME: Duration = Duration::from_secs(15);

/// The bytes that the head of a request may have.
const MAX_HEAD: usize = 16 << 10;

/// The time in which a client must read something of what is sent to it.
const MAX_WRITE_TIME: Duration = Duration::from_secs(10);

/// The time that connections have to end when the server does.
const MAX_END_TIME: Duration = Duration::from_secs(2);

/// The time before the next try where the system refused a connection.
const REFUSED_PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `shutdown` is done; then calls `end_work`, so that answers end, and waits for them a
/// little.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()>,
    end_work: impl FnOnce(),
) {
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let (ending, is_ending) = watch::channel(false);
    let mut open = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            (stream, permit) = accept(&listener, &free) => {
                open.spawn(serve_one(stream, router.clone(), is_ending.clone(), permit));
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
) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    let permit = Arc::clone(free).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, permit),
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                sleep(REFUSED_PAUSE).await;
            }
        }
    }
}

async fn serve_one(
    stream: TcpStream,
    router: Router,
    mut is_ending: watch::Receiver<bool>,
    _permit: Option<OwnedSemaphorePermit>,
) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(MAX_HEAD_TIME)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(bounded(stream)), service);
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
fn bounded(stream: TcpStream) -> Pin<Box<TimeoutStream<TcpStream>>> {
    // Small answers are to arrive at once.
    if let Err(error) = stream.set_nodelay(true) {
        debug_assert_ne!(error.kind(), io::ErrorKind::InvalidInput);
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(MAX_WRITE_TIME));
    Box::pin(stream)
}
