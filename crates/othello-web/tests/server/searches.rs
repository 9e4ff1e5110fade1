//! Concurrent searches: their limits, and who gets them.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    time::Duration,
};

use othello_analysis::MemoryStore;
use othello_web::Config;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::client::{TestServer, config};

/// A move that takes longer than any test.
const LONG_MOVE: &str = r#"{"time_ms":600000}"#;

const JSON: &[&str] = &["Content-Type: application/json"];

/// Waits until the only search is in use: a server answers requests in order.
async fn begin_long_move(server: &TestServer) -> tokio::net::TcpStream {
    let stream = server
        .send("POST", "/api/move", JSON, LONG_MOVE.as_bytes())
        .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    stream
}

#[tokio::test]
async fn a_search_ends_when_its_connection_is_closed() {
    let server = TestServer::start(config()).await;
    for _ in 0..3 {
        // The only search is needed again at once: otherwise the answer is 429.
        drop(begin_long_move(&server).await);
        let reply = server.post("/api/move", r#"{"level":1}"#).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let headers = ["Content-Type: text/plain", "Accept: text/event-stream"];
        let target = "/api/analyze?depth=60&exact_from=60";
        let stream = server.send("POST", target, &headers, b"f5d6c3d3c4").await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(stream);
        let reply = server.post("/api/move", r#"{"level":1}"#).await;
        assert_eq!(reply.status, 200, "{reply:?}");
    }
}

#[tokio::test]
async fn a_request_beyond_the_searches_is_answered_with_429() {
    let server = TestServer::start(config()).await;
    let first = begin_long_move(&server).await;
    let records = server.post("/api/records", r#"{"text":"f5d6"}"#);
    let (reply, records) = tokio::join!(server.get("/api/hint?depth=1"), records);
    for reply in [reply, records] {
        reply.check_error(429, "expected a free search");
        assert_eq!(reply.header("retry-after"), Some("2"));
    }
    // Requests without a search are still answered.
    assert_eq!(server.post("/api/position", "{}").await.status, 200);
    drop(first);
    assert_eq!(server.get("/api/hint?depth=1").await.status, 200);
}

/// All addresses that start with 127 belong to this computer, but each is a client.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_with_all_searches_makes_room_for_another_client() {
    let server = TestServer::start(Config {
        searches: NonZeroUsize::new(2).unwrap(),
        ..config()
    })
    .await;
    let mut greedy = Vec::new();
    for _ in 0..2 {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        let mut stream = socket.connect(server.host.parse().unwrap()).await.unwrap();
        let host = &server.host;
        let head = format!("GET /api/hint?depth=60 HTTP/1.1\r\nHost: {host}\r\n");
        let rest = "Connection: close\r\nAccept: text/event-stream\r\n\r\n";
        stream.write_all((head + rest).as_bytes()).await.unwrap();
        // Its first bytes come once it has a slot.
        stream.read_u8().await.unwrap();
        greedy.push(stream);
    }
    let reply = server.get("/api/hint?depth=1").await;
    assert_eq!(reply.status, 200, "{reply:?}");
    // The oldest search has ended with its results so far.
    let mut found = String::new();
    greedy[0].read_to_string(&mut found).await.unwrap();
    assert!(found.contains(r#""done":true"#), "{found}");
}

#[tokio::test]
async fn a_hint_without_end_makes_room_for_others() {
    let server = TestServer::start(config()).await;
    let mut hint = server.stream("/api/hint").await;
    let (_, first) = hint.next().await.unwrap();
    assert_eq!(first["done"], false);
    let chosen = server.post("/api/move", r#"{"level":1}"#).await;
    assert_eq!(chosen.status, 200);
    let events = hint.all().await;
    let (_, last) = events.last().unwrap();
    assert_eq!(last["done"], true);
}

#[tokio::test]
async fn a_hint_with_a_time_has_it_also_when_others_wait() {
    let server = TestServer::start(config()).await;
    let mut hint = server.stream("/api/hint?time_ms=1500").await;
    hint.next().await.unwrap();
    let chosen = server.post("/api/move", r#"{"level":1}"#).await;
    assert_eq!(chosen.status, 200);
    let (_, last) = hint.all().await.pop().unwrap();
    assert_eq!(last["done"], true);
    let elapsed = last["elapsed_ms"].as_u64().unwrap();
    assert!(elapsed >= 1400, "{last}");
}

#[tokio::test]
async fn a_search_ends_at_the_time_limit() {
    let server = TestServer::start(Config {
        time_limit: Duration::from_millis(300),
        ..config()
    })
    .await;
    let hint = server.get("/api/hint").await.json();
    let moves = hint["moves"].as_array().unwrap().len();
    assert!(hint["done"] == true && moves == 4, "{hint}");
    let chosen = server.post("/api/move", LONG_MOVE).await.json();
    assert_eq!(chosen["event"], "move");
    let analysis = r#"{"moves":"f5d6","depth":60,"exact_from":60}"#;
    let report = server.post("/api/analyze", analysis).await.json();
    assert_eq!(report["complete"], false);
}

#[tokio::test]
async fn the_store_is_shared_by_all_requests() {
    let store = Arc::new(Mutex::new(MemoryStore::default()));
    let server = TestServer::start(Config {
        store: Some(Arc::clone(&store) as _),
        ..config()
    })
    .await;
    let deep = server.get("/api/hint?moves=f5&depth=8").await.json();
    assert_eq!(store.lock().unwrap().len(), 1);
    let events = server
        .stream("/api/hint?moves=f5&depth=2")
        .await
        .all()
        .await;
    assert_eq!(events[0].1["moves"], deep["moves"]);
}

#[tokio::test]
async fn a_server_that_ends_gives_the_answers_it_has() {
    let server = TestServer::start(config()).await;
    let mut hint = server.stream("/api/hint").await;
    assert!(hint.next().await.is_some());
    server.end().await;
    let (_, last) = hint.all().await.pop().unwrap();
    assert_eq!(last["done"], true);
}
