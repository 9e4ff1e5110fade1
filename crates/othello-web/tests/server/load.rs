//! Many clients at once, some of which behave badly.

use std::{num::NonZeroUsize, sync::Arc, time::Duration};

use othello_web::Config;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::Semaphore,
    task::JoinSet,
};

use crate::client::{TestServer, config};

const REQUESTS: usize = 1000;
const PARALLEL: usize = 64;
const SLOW_READERS: usize = 10;
const LARGE_BODY: usize = 100 << 20;

/// A thousand requests, 64 at a time, are all answered along with ten readers that hardly read and a body of 100 MB,
/// and memory does not grow.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_requests_are_answered_beside_slow_readers_and_a_large_body() {
    let two = NonZeroUsize::new(2).unwrap();
    let config = Config {
        searches: two,
        ..config()
    };
    let server = Arc::new(TestServer::start(config).await);
    let before = resident_mib();
    let mut others = JoinSet::new();
    for _ in 0..SLOW_READERS {
        let server = Arc::clone(&server);
        others.spawn(async move { read_slowly(&server).await });
    }
    others.spawn(send_large_body(Arc::clone(&server)));
    let free = Arc::new(Semaphore::new(PARALLEL));
    let mut requests = JoinSet::new();
    for number in 0..REQUESTS {
        let permit = Arc::clone(&free).acquire_owned().await.unwrap();
        let server = Arc::clone(&server);
        requests.spawn(async move {
            let status = ask(&server, number).await;
            drop(permit);
            status
        });
    }
    let statuses = requests.join_all().await;
    let failed: Vec<&u16> = statuses.iter().filter(|status| **status != 200).collect();
    assert!(failed.is_empty(), "{failed:?}");
    if let (Some(before), Some(after)) = (before, resident_mib()) {
        assert!(after < before + 64, "{before} MiB before, {after} after");
    }
    others.abort_all();
}

async fn ask(server: &TestServer, number: usize) -> u16 {
    let (path, json) = match number % 5 {
        0 => return server.get("/").await.status,
        1 => ("position", r#"{"moves":"f5d6c3d3c4"}"#),
        2 => ("records", r#"{"text":"f5d6\nf5f6"}"#),
        3 => ("move", r#"{"moves":"f5","level":2}"#),
        _ => return server.get("/api/hint?moves=f5d6&depth=3").await.status,
    };
    server.post(&format!("/api/{path}"), json).await.status
}

/// Asks for a hint without end, and reads a byte now and then.
async fn read_slowly(server: &TestServer) {
    let headers = ["Accept: text/event-stream"];
    let mut stream = server.send("GET", "/api/hint", &headers, b"").await;
    while stream.read_u8().await.is_ok() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn send_large_body(server: Arc<TestServer>) {
    let head = format!(
        "POST /api/records HTTP/1.1\r\nHost: {}\r\nContent-Type: text/plain\r\nContent-Length: {LARGE_BODY}\r\n\r\n",
        server.host
    );
    let mut stream: TcpStream = server.send_bytes(head.as_bytes()).await;
    let part = vec![b'f'; 1 << 16];
    // The server closes the connection long before the end.
    while stream.write_all(&part).await.is_ok() {}
}

/// Returns the memory of this process, if the system reports it.
fn resident_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}
