//! A server whose thread of results does not answer, as on a disk that hangs, or whose disk is full.

use std::io;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    sync::oneshot,
};

use super::*;
use crate::{lth_server::results::ResultBounds, record::Winner};

/// A server without files, whose requests for results are never answered. Times are long: the paused clock
/// of these tests advances while nothing happens.
async fn hung_server() -> (Server, impl Sized) {
    let config = ServerConfig {
        reception_timeout: Duration::from_hours(1000),
        max_wait: Duration::from_hours(1000),
        shutdown_grace: Duration::from_hours(1000),
        ..ServerConfig::default()
    };
    let mut server = Server::bind(config.on_free_ports()).await.unwrap();
    let (results, requests) = ResultsThread::hung();
    server.results = results;
    (server, requests)
}

async fn connect(address: Option<SocketAddr>, said: &str) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address.unwrap()).await?;
    stream.write_all(said.as_bytes()).await?;
    Ok(stream)
}

#[tokio::test(start_paused = true)]
async fn a_client_is_refused_when_its_results_cannot_be_looked_up() {
    let (server, _requests) = hung_server().await;
    let testing = server.addresses().testing;
    let (shutdown, wanted) = oneshot::channel::<()>();
    let client = async {
        let mut text = String::new();
        let mut stream = connect(testing, "me\n").await.unwrap();
        stream.read_to_string(&mut text).await.unwrap();
        shutdown.send(()).unwrap();
        text
    };
    let mut closed = true;
    let observer = |news| closed &= !matches!(news, ServerNews::CloseTimedOut);
    let run = server.run(observer, async { drop(wanted.await) });
    let (text, ()) = tokio::join!(client, run);
    let told = "error\n The results cannot be read. Bye!\n";
    assert!(text.ends_with(told), "{text}");
    assert!(!closed, "a log that does not close is waited for in bounds");
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_not_saved_does_not_delay_an_aborted_shutdown() {
    let (server, _requests) = hung_server().await;
    let Addresses { dark, white, .. } = server.addresses();
    let (shutdown, wanted) = oneshot::channel::<()>();
    let players = async {
        let mut winner = connect(white, "winner\n").await.unwrap();
        let mut loser = connect(dark, "loser\n").await.unwrap();
        let mut text = String::new();
        while !text.ends_with("your move\n") {
            text.push(char::from(loser.read_u8().await.unwrap()));
        }
        loser.write_all(b"a1\n").await.unwrap();
        shutdown.send(()).unwrap();
        text.clear();
        winner.read_to_string(&mut text).await.unwrap();
        text
    };
    let mut not_saved = Vec::new();
    let observer = |news| {
        if let ServerNews::SaveFailed(_, record) = news {
            not_saved.push(record.winner);
        }
    };
    let begun = tokio::time::Instant::now();
    // It passes after all sent bytes are read.
    let abort = sleep(Duration::from_secs(1));
    let run = server.run_with_abort(observer, async { drop(wanted.await) }, abort);
    let (text, ()) = tokio::join!(players, run);
    assert!(text.ends_with("White won\n"), "{text}");
    assert_eq!(not_saved, [Winner::White]);
    // By the test's clock, which only advances while waiting for the disk and for files to close.
    assert!(begun.elapsed() < MAX_CLOSING + Duration::from_secs(9));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn after_a_failure_of_the_log_no_game_begins_and_the_results_are_handed_back() {
    let mut server = Server::bind(ServerConfig::default().on_free_ports())
        .await
        .unwrap();
    let results = Results::full(ResultBounds::DEFAULT);
    server.results = ResultsThread::start(results, None, server.news.clone()).unwrap();
    let testing = server.addresses().testing;
    let (shutdown, wanted) = oneshot::channel::<()>();
    let client = async {
        let mut told = Vec::new();
        for _ in 0..2 {
            let mut text = String::new();
            let mut stream = connect(testing, "me\nd\na1\n").await.unwrap();
            stream.read_to_string(&mut text).await.unwrap();
            told.push(text);
        }
        shutdown.send(()).unwrap();
        told
    };
    let mut news = Vec::new();
    let observer = |next| match next {
        ServerNews::Began(_) | ServerNews::Moved(_) => {}
        ServerNews::SaveFailed(..) => news.push("not saved".to_owned()),
        ServerNews::StorageFailed(error) => news.push(error.to_string()),
        ServerNews::Unsaved(games) => news.push(format!("{} unsaved", games.len())),
        other => panic!("{other:?}"),
    };
    let (told, ()) = tokio::join!(client, server.run(observer, async { drop(wanted.await) }));
    assert!(
        told[0].ends_with(" This move is illegal. Bye!\n"),
        "{}",
        told[0]
    );
    assert!(
        told[1].ends_with(" The server takes no more games. Bye!\n"),
        "{}",
        told[1]
    );
    assert!(news[0].contains("/dev/full"), "{news:?}");
    assert_eq!(news[1..], ["not saved", "1 unsaved"]);
}
