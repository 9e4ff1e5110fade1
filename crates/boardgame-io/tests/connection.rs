//! Connections: nothing is lost, nothing grows without bound, no direction blocks the other.

use std::{
    io::{self, ErrorKind},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use boardgame_io::{Connection, MAX_INPUT, MAX_OUTPUT, TcpConnection};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufWriter, ReadBuf, duplex},
    net::{TcpListener, TcpStream},
    time::timeout,
};

/// Polls a future once and drops it.
async fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    timeout(Duration::ZERO, future).await.ok()
}

#[tokio::test]
async fn a_dropped_read_loses_nothing() {
    let (mut connection, mut peer) = loopback().await;
    assert!(poll_once(connection.read()).await.is_none());
    peer.write_all(b"later").await.unwrap();
    let read = guarded(connection.read()).await.unwrap();
    assert_eq!(read, Some(&b"later"[..]));
}

#[tokio::test]
async fn a_dropped_send_is_finished_by_reading() {
    for room in 1..=12 {
        let (near, mut far) = duplex(room);
        let mut connection = Connection::from_stream(near);
        let sent = poll_once(connection.send(b"0123456789")).await;
        assert_eq!(sent.is_some(), room >= 10);
        let peer = async {
            let mut received = [0; 10];
            far.read_exact(&mut received).await.unwrap();
            far.write_all(b"!").await.unwrap();
            received
        };
        let (received, read) = guarded(async { tokio::join!(peer, connection.read()) }).await;
        assert_eq!(&received, b"0123456789");
        assert_eq!(read.unwrap(), Some(&b"!"[..]));
        assert_eq!(connection.unsent(), 0);
    }
}

#[tokio::test]
async fn waiting_for_input_does_not_take_it() {
    let (mut connection, mut peer) = loopback().await;
    peer.write_all(b"hi").await.unwrap();
    for _ in 0..3 {
        assert!(guarded(connection.readable()).await.unwrap());
    }
    let mut connection = connection.boxed();
    assert_eq!(connection.read().await.unwrap(), Some(&b"hi"[..]));
    assert_eq!(connection.take_input(), b"");
    drop(peer);
    assert!(!guarded(connection.readable()).await.unwrap());
    assert_eq!(connection.read().await.unwrap(), None);
    assert_eq!(connection.read().await.unwrap(), None);
}

/// A terminal's input, which can continue after its end.
struct Terminal(usize);

impl AsyncRead for Terminal {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.0 += 1;
        if self.0.is_multiple_of(2) {
            buffer.put_slice(b"again");
        }
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn the_end_of_input_is_the_end() {
    let mut connection = Connection::new(Terminal(0), tokio::io::sink());
    assert_eq!(connection.read().await.unwrap(), None);
    assert_eq!(connection.read().await.unwrap(), None);
}

#[tokio::test]
async fn what_is_sent_is_flushed() {
    let (near, mut far) = duplex(64);
    let (reader, writer) = tokio::io::split(near);
    let mut connection = Connection::new(reader, BufWriter::new(writer));
    connection.send(b"d3\n").await.unwrap();
    let mut received = [0; 3];
    guarded(far.read_exact(&mut received)).await.unwrap();
    assert_eq!(&received, b"d3\n");
}

#[tokio::test]
async fn the_buffers_have_a_cap() {
    let (near, mut far) = duplex(4 * MAX_INPUT);
    let mut connection = Connection::from_stream(near);
    far.write_all(&vec![b'x'; 3 * MAX_INPUT]).await.unwrap();
    let read = connection.read().await.unwrap().unwrap();
    assert_eq!(read.len(), MAX_INPUT);

    connection.queue(&vec![b'y'; MAX_OUTPUT]).unwrap();
    let error = connection.queue(b"z").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    assert_eq!(connection.unsent(), MAX_OUTPUT);
}

#[tokio::test]
async fn what_the_peer_said_last_is_read_although_it_reads_no_more() {
    let (near, mut far) = duplex(64);
    let mut connection = Connection::from_stream(near);
    far.write_all(b"you won").await.unwrap();
    drop(far);
    let error = connection.send(b"d3\n").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    assert_eq!(
        connection.queue(b"again").unwrap_err().kind(),
        ErrorKind::BrokenPipe
    );
    assert_eq!(connection.read().await.unwrap(), Some(&b"you won"[..]));
    assert_eq!(connection.read().await.unwrap(), None);
}

#[tokio::test]
async fn a_failed_writer_is_reported_by_a_read_without_input() {
    let (reader, _silent) = duplex(64);
    let (writer, deaf) = duplex(64);
    drop(deaf);
    let mut connection = Connection::new(reader, writer);
    connection.queue(b"d3\n").unwrap();
    let error = guarded(connection.read()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
}

#[tokio::test]
async fn after_the_half_close_this_side_still_reads() {
    let (mut connection, mut peer) = loopback().await;
    connection.queue(b"last").unwrap();
    connection.shutdown().await.unwrap();
    connection.shutdown().await.unwrap();
    assert_eq!(
        connection.queue(b"more").unwrap_err().kind(),
        ErrorKind::NotConnected
    );
    let mut received = String::new();
    peer.read_to_string(&mut received).await.unwrap();
    assert_eq!(received, "last");
    peer.write_all(b"bye").await.unwrap();
    assert_eq!(connection.read().await.unwrap(), Some(&b"bye"[..]));
}

#[tokio::test]
async fn closing_after_a_reset_is_no_error_when_nothing_waits() {
    let (mut connection, peer) = loopback().await;
    peer.set_zero_linger().unwrap();
    drop(peer);
    let error = guarded(connection.read()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    connection.close(Duration::from_secs(50)).await.unwrap();
}

#[tokio::test]
async fn closing_delivers_to_a_peer_that_writes_before_it_reads() {
    let (near, mut far) = duplex(16);
    let mut connection = Connection::from_stream(near);
    connection.queue(&[b'x'; 1000]).unwrap();
    let peer = async {
        far.write_all(&[b'y'; 1000]).await.unwrap();
        let mut received = Vec::new();
        far.read_to_end(&mut received).await.unwrap();
        received
    };
    let close = connection.close(Duration::from_secs(50));
    let (received, closed) = guarded(async { tokio::join!(peer, close) }).await;
    closed.unwrap();
    assert_eq!(received, [b'x'; 1000]);
}

/// Without the wait for the peer's end, the unread input would turn the close into a reset.
#[tokio::test]
async fn closing_a_socket_does_not_overtake_what_was_sent() {
    let (mut connection, mut peer) = loopback().await;
    peer.write_all(b"unread").await.unwrap();
    connection.queue(b"the end").unwrap();
    let close = tokio::spawn(connection.close(Duration::from_secs(50)));
    let mut received = Vec::new();
    guarded(peer.read_to_end(&mut received)).await.unwrap();
    assert_eq!(received, b"the end");
    peer.write_all(b"still here").await.unwrap();
    drop(peer);
    guarded(close).await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn closing_ends_in_time_with_a_peer_that_does_not_read() {
    let (near, _far) = duplex(16);
    let mut connection = Connection::from_stream(near);
    connection.queue(&[b'x'; 1000]).unwrap();
    let error = connection.close(Duration::from_secs(2)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_stays_is_no_error_once_everything_is_delivered() {
    let (near, _far) = duplex(16);
    let mut connection = Connection::from_stream(near).lingering();
    connection.queue(b"end").unwrap();
    let before = tokio::time::Instant::now();
    connection.close(Duration::from_secs(2)).await.unwrap();
    assert!(before.elapsed() >= Duration::from_secs(2));
}

/// Both ends of a TCP connection on this machine: ours, and the peer's bare socket.
async fn loopback() -> (TcpConnection, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (ours, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
    let (peer, _) = accepted.unwrap();
    peer.set_nodelay(true).unwrap();
    (Connection::from_tcp(ours.unwrap()), peer)
}

/// Ends a test that hangs.
async fn guarded<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_mins(1), future)
        .await
        .expect("this should have ended long ago")
}
