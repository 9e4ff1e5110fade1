//! Every path, with good and bad input.

use crate::client::{TestServer, config};

#[tokio::test]
async fn the_page_is_served_with_its_policies_and_kept_by_browsers() {
    let server = TestServer::start(config()).await;
    let page = server.get("/").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("othello-engine"), "{}", page.body);
    let kind = page.header("content-type");
    assert_eq!(kind, Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"));
    let embedder = page.header("cross-origin-embedder-policy");
    assert_eq!(embedder, Some("require-corp"));
    let known = format!("If-None-Match: {}", page.header("etag").unwrap());
    let again = server.ask("GET", "/", &[&known], b"").await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
}

#[tokio::test]
async fn nothing_but_the_page_and_the_api_is_served() {
    let server = TestServer::start(config()).await;
    for path in [
        "/index.htm",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/api",
        "/api/",
    ] {
        let reply = server.get(path).await;
        reply.check_error(404, "expected a path");
    }
    let reply = server.post("/api/hint", "{}").await;
    let allowed = Some("GET,HEAD");
    assert_eq!((reply.status, reply.header("allow")), (405, allowed));
    assert_eq!(server.get("/api/move").await.status, 405);
}

#[tokio::test]
async fn a_hint_is_a_stream_or_its_last_update() {
    let server = TestServer::start(config()).await;
    let target = "/api/hint?board=&moves=f5&depth=4&time_ms=";
    let last = server.get(target).await;
    assert_eq!(last.header("cache-control"), Some("no-store"));
    let json = last.json();
    assert!(json["event"] == "update" && json["done"] == true, "{json}");
    let events = server.stream(target).await.all().await;
    let mut names = events.iter().map(|(name, data)| (&**name, &data["event"]));
    assert!(names.all(|(name, event)| name == "update" && event == name));
    let (_, streamed) = events.last().unwrap();
    assert!(streamed["moves"] == json["moves"] && streamed["done"] == true);
}

#[tokio::test]
async fn the_engine_is_described() {
    let server = TestServer::start(config()).await;
    let engine = server.get("/api/engine").await.json();
    assert_eq!(engine["program"], "test 1.0");
    assert!(engine["searches"] == 1 && engine["time_limit_ms"] == 60_000);
}

#[tokio::test]
async fn records_come_as_json_text_or_file() {
    let server = TestServer::start(config()).await;
    let ask = async |target: &str, kind: &str, body: &[u8]| {
        let kind = format!("Content-Type: {kind}");
        let reply = server.ask("POST", target, &[&kind], body).await;
        reply.json()
    };
    let path = "/api/records";
    let body = br#"{"text":"f5d6\nf5f6"}"#;
    let json = ask(path, "application/json", body).await;
    assert_eq!(json["total"], 2);
    for kind in ["text/plain; charset=utf-8", "application/octet-stream"] {
        assert_eq!(ask(path, kind, b"f5d6\nf5f6").await, json);
    }
    let second = format!("{path}?first=2&count=1");
    let second = ask(&second, "text/plain", b"f5d6\nf5f6").await;
    assert_eq!(second["games"].as_array().unwrap().len(), 1);
    assert_eq!(second["games"][0]["moves"], "f5f6");
}

#[tokio::test]
async fn an_analysis_streams_its_progress() {
    let server = TestServer::start(config()).await;
    let headers = ["Content-Type: text/plain", "Accept: text/event-stream"];
    let target = "/api/analyze?depth=9&exact_from=8";
    let reply = server.ask("POST", target, &headers, b"f5d6c3d3c4").await;
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    assert!(reply.body.contains("event: report") && reply.body.contains(r#""complete":true"#));
    let body = r#"{"moves":"f5d6c3d3c4","depth":4,"exact_from":8}"#;
    let last = server.post("/api/analyze", body).await.json();
    assert!(
        last["event"] == "report" && last["complete"] == true,
        "{last}"
    );
}

#[tokio::test]
async fn wrong_requests_are_answered_with_what_was_expected() {
    let server = TestServer::start(config()).await;
    for (query, expected) in [
        ("moves=a1", "moves: illegal move a1"),
        ("depth=61", "depth: expected a number from 1 to 60"),
        ("depth=deep", "depth: invalid digit"),
        ("deep=4", "unknown field `deep`"),
    ] {
        let reply = server.get(&format!("/api/hint?{query}")).await;
        reply.check_error(400, expected);
    }
    for (body, expected) in [
        (
            r#"{"level":0}"#,
            "a level from 1 to 60 or a rating from 100",
        ),
        ("", "expected a request in JSON"),
        (r#"{"call":"move"}"#, "unknown field `call`"),
    ] {
        server
            .post("/api/move", body)
            .await
            .check_error(400, expected);
    }
    let text = ["Content-Type: text/plain"];
    let json = "Content-Type: application/json";
    for (target, headers, status, expected) in [
        (
            "/api/analyze?depth=1",
            &text[..],
            400,
            "depth: expected a number from 2 to 60",
        ),
        ("/api/move", &text, 415, json),
        ("/api/records", &[], 415, json),
    ] {
        let reply = server.ask("POST", target, headers, b"f5").await;
        reply.check_error(status, expected);
    }
    // An error is not a stream, so it has its own status.
    let stream = ["Accept: text/event-stream"];
    let hint = server.ask("GET", "/api/hint?moves=a1", &stream, b"").await;
    hint.check_error(400, "moves: illegal move a1");
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let server = TestServer::start(config()).await;
    let body = vec![b'f'; (1 << 20) + 1];
    let json = ["Content-Type: application/json"];
    let reply = server.ask("POST", "/api/records", &json, &body).await;
    reply.check_error(413, "at most 1048576 bytes");
    // A body without a length in its head is read up to the limit.
    let head = format!(
        "POST /api/records HTTP/1.1\r\nHost: {}\r\nContent-Type: text/plain\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{:x}\r\n",
        server.host,
        body.len()
    );
    let bytes = [head.as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
    let reply = crate::client::read(server.send_bytes(&bytes).await).await;
    assert_eq!(reply.status, 413, "{reply:?}");
}
