//! The shutdown of the LTH server: with games in progress, aborted, and while a result is being
//! sent.

use std::time::Duration;

use crate::support::{LONG, Running, read_to, within};
use othello_host::lth_server::{Addresses, Server, ServerConfig};
use othello_host::record::Winner;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
};

#[tokio::test]
async fn games_in_progress_can_be_called_off_at_once() {
    let config = ServerConfig {
        // Longer than the test may take.
        shutdown_grace: 10 * LONG,
        ..ServerConfig::default()
    };
    let server = Server::bind(config.on_free_ports()).await.unwrap();
    let testing = server.addresses().testing.unwrap();
    let (abort, aborted) = oneshot::channel::<()>();
    let (shutdown, wanted) = oneshot::channel::<()>();
    let wanted = async { drop(wanted.await) };
    let aborted = async { drop(aborted.await) };
    let server = tokio::spawn(server.run_with_abort(drop, wanted, aborted));
    let mut playing = TcpStream::connect(testing).await.unwrap();
    playing.write_all(b"plays\nd\n").await.unwrap();
    read_to(&mut playing, "your move\n").await;
    shutdown.send(()).unwrap();
    // Still played, since the other ports close only now.
    while TcpStream::connect(testing).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    playing.write_all(b"f5\n").await.unwrap();
    read_to(&mut playing, "your move\n").await;
    abort.send(()).unwrap();
    read_to(&mut playing, "error\n The server shuts down. Bye!\n").await;
    within(server).await.unwrap();
}

#[tokio::test]
async fn a_result_that_is_being_told_is_not_called_off() {
    let config = ServerConfig {
        line_delay: Duration::from_millis(300),
        shutdown_grace: Duration::ZERO,
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let mut stream = TcpStream::connect(running.addresses.testing.unwrap())
        .await
        .unwrap();
    stream.write_all(b"me\nd\na1\n").await.unwrap();
    // The result is saved; its second line is still to come.
    read_to(&mut stream, "error\n").await;
    let stopped = tokio::spawn(running.stop());
    let mut rest = String::new();
    within(stream.read_to_string(&mut rest)).await.unwrap();
    assert_eq!(rest, " This move is illegal. Bye!\n");
    let records = stopped.await.unwrap();
    let winners = records.iter().map(|record| record.winner);
    assert_eq!(winners.collect::<Vec<_>>(), [Winner::White]);
}

#[tokio::test]
async fn shutdown_waits_for_games_within_its_bound_and_tells_the_rest() {
    let config = ServerConfig {
        shutdown_grace: Duration::from_millis(500),
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let Addresses { testing, dark, .. } = running.addresses;
    let mut greeted = TcpStream::connect(testing.unwrap()).await.unwrap();
    read_to(&mut greeted, "name?\n").await;
    let mut waiting = TcpStream::connect(dark.unwrap()).await.unwrap();
    waiting.write_all(b"waits\n").await.unwrap();
    read_to(&mut waiting, "you are dark\n").await;
    let mut playing = TcpStream::connect(testing.unwrap()).await.unwrap();
    playing.write_all(b"plays\nd\n").await.unwrap();
    read_to(&mut playing, "your move\n").await;
    let stopped = tokio::spawn(running.stop());
    for mut stream in [greeted, waiting, playing] {
        let mut text = String::new();
        within(stream.read_to_string(&mut text)).await.unwrap();
        assert_eq!(text.trim_start(), "error\n The server shuts down. Bye!\n");
    }
    let records = stopped.await.unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(
        (records[0].winner, records[0].cause.as_str()),
        (Winner::None, "called off")
    );
    assert!(TcpStream::connect(testing.unwrap()).await.is_err());
}
