//! Connecting: every failure has its error, and temporary ones are tried again.

use std::time::Duration;

use othello_net::{Address, Backoff, ConnectError, connect, connect_greeted};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpSocket},
    time::timeout,
};

/// Ends a test that hangs.
async fn guarded<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_mins(1), future)
        .await
        .expect("this should have ended long ago")
}

fn patient() -> Backoff {
    Backoff {
        first: Duration::from_millis(5),
        longest: Duration::from_millis(50),
        total: Duration::from_secs(50),
        attempt: Duration::from_secs(50),
    }
}

async fn listen() -> (TcpListener, Address) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, Address::new("127.0.0.1", port))
}

#[tokio::test]
async fn a_refused_connection_is_tried_again_until_it_is_accepted() {
    // Bound without listening, a port is taken and refuses.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = socket.local_addr().unwrap().port();
    let address = Address::new("127.0.0.1", port);
    let refused = connect(&address, &Backoff::never()).await.unwrap_err();
    assert!(matches!(refused, ConnectError::Refused(..)), "{refused}");
    assert_eq!(
        refused.to_string(),
        format!("127.0.0.1:{port} refuses connections")
    );

    let server = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let listener = socket.listen(1).unwrap();
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"welcome").await.unwrap();
        stream
    };
    let backoff = patient();
    let (mut server, connection) =
        guarded(async { tokio::join!(server, connect(&address, &backoff)) }).await;
    let mut connection = connection.unwrap();
    assert_eq!(connection.read().await.unwrap(), Some(&b"welcome"[..]));
    connection.send(b"thanks").await.unwrap();
    drop(connection);
    let mut received = String::new();
    server.read_to_string(&mut received).await.unwrap();
    assert_eq!(received, "thanks");
}

#[tokio::test]
async fn a_connection_lost_before_the_greeting_is_tried_again() {
    let (listener, address) = listen().await;
    let server = async {
        let (closed, _) = listener.accept().await.unwrap();
        drop(closed);
        let (reset, _) = listener.accept().await.unwrap();
        reset.set_zero_linger().unwrap();
        drop(reset);
        let (mut greets, _) = listener.accept().await.unwrap();
        greets.write_all(b"Hi!").await.unwrap();
        greets
    };
    let backoff = patient();
    let (_server, connection) =
        guarded(async { tokio::join!(server, connect_greeted(&address, &backoff, None)) }).await;
    let mut connection = connection.unwrap();
    assert_eq!(connection.read().await.unwrap(), Some(&b"Hi!"[..]));
}

#[tokio::test]
async fn a_connection_lost_before_the_greeting_is_an_error_in_the_end() {
    let (listener, address) = listen().await;
    let server = async { drop(listener.accept().await.unwrap()) };
    let once = Backoff::never();
    let ((), connection) =
        guarded(async { tokio::join!(server, connect_greeted(&address, &once, None)) }).await;
    let error = connection.unwrap_err();
    assert!(matches!(error, ConnectError::Lost(..)), "{error}");
}

#[tokio::test]
async fn a_server_that_does_not_greet_is_left_once() {
    let (_listener, address) = listen().await;
    let limit = Duration::from_millis(20);
    let backoff = patient();
    let greeted = connect_greeted(&address, &backoff, Some(limit));
    let error = guarded(greeted).await.unwrap_err();
    assert!(matches!(error, ConnectError::NoGreeting(..)), "{error}");
    assert!(error.to_string().ends_with("did not greet within 20ms"));
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_an_error_of_its_own() {
    for host in ["no-such-host.invalid", "a\0b"] {
        let address = Address::new(host, 9035);
        let error = guarded(connect(&address, &Backoff::never()))
            .await
            .unwrap_err();
        assert!(matches!(error, ConnectError::NameNotFound(..)), "{error}");
    }
}

#[tokio::test]
async fn a_name_that_resolves_is_connected_to() {
    let (_listener, address) = listen().await;
    let address = Address::new("localhost", address.port);
    guarded(connect(&address, &Backoff::never())).await.unwrap();
}
