//! Loopback sockets, and a guard for tests that may hang.
#![allow(dead_code, reason = "each test file uses its part")]

use std::time::Duration;

use othello_net::{Connection, TcpConnection};
use tokio::{
    net::{TcpListener, TcpStream},
    time::timeout,
};

/// Both ends of a TCP connection on this machine: ours, and the peer's bare socket.
pub(crate) async fn loopback() -> (TcpConnection, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (ours, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
    let (peer, _) = accepted.unwrap();
    peer.set_nodelay(true).unwrap();
    (Connection::from_tcp(ours.unwrap()), peer)
}

/// Ends a test that hangs.
pub(crate) async fn guarded<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_mins(1), future)
        .await
        .expect("this should have ended long ago")
}
