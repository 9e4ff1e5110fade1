//! Every path, with good and bad input.

use crate::client::{Reply, TestServer, config};

#[tokio::test]
async fn the_page_is_served_with_its_policies_and_kept_by_browsers() {
    let server = TestServer::start(config()).await;
    let page = server.get("/").await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("othello-engine"), "{}", page.body);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"));
    assert_eq!(
        page.header("cross-origin-embedder-policy"),
        Some("require-corp")
    );
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
        assert_eq!(reply.status, 404, "{path}");
        assert!(
            reply.message().contains("expected a path"),
            "{}",
            reply.body
        );
    }
    let reply = server.post("/api/hint", "{}").await;
    assert_eq!(
        (reply.status, reply.header("allow")),
        (405, Some("GET,HEAD"))
    );
    assert_eq!(server.get("/api/move").await.status, 405);
}

#[tokio::test]
async fn a_hint_is_a_stream_or_its_last_update() {
    let server = TestServer::start(config()).await;
    let target = "/api/hint?board=&moves=f5&depth=4&time_ms=";
    let last = server.get(target).await;
    assert_eq!(last.header("cache-control"), Some("no-store"));
    let json = last.json();
    assert_eq!(
        (&json["event"], &json["done"]),
        (&"update".into(), &true.into())
    );
    let events = server.stream(target).await.all().await;
    assert!(
        events
            .iter()
            .all(|(name, data)| name == "update" && data["event"] == "update")
    );
    let (_, streamed) = events.last().unwrap();
    assert_eq!(
        (&streamed["moves"], &streamed["done"]),
        (&json["moves"], &true.into())
    );
}

#[tokio::test]
async fn moves_positions_and_the_engine_are_answered() {
    let server = TestServer::start(config()).await;
    let chosen = server
        .post("/api/move", r#"{"moves":"f5","level":2}"#)
        .await
        .json();
    assert_eq!(
        (&chosen["event"], &chosen["depth"]),
        (&"move".into(), &2.into())
    );
    let position = server
        .post("/api/position", r#"{"moves":"f5d6"}"#)
        .await
        .json();
    assert_eq!(position["boards"].as_array().unwrap().len(), 3);
    let engine = server.get("/api/engine").await.json();
    assert_eq!(engine["program"], "test 1.0");
    assert_eq!(
        (&engine["searches"], &engine["time_limit_ms"]),
        (&1.into(), &60_000.into())
    );
}

#[tokio::test]
async fn records_come_as_json_text_or_file() {
    let server = TestServer::start(config()).await;
    let ask = async |target: &str, kind: &str, body: &[u8]| {
        let kind = format!("Content-Type: {kind}");
        server.ask("POST", target, &[&kind], body).await
    };
    let json = ask(
        "/api/records",
        "application/json",
        br#"{"text":"f5d6\nf5f6"}"#,
    )
    .await
    .json();
    let text = ask("/api/records", "text/plain; charset=utf-8", b"f5d6\nf5f6")
        .await
        .json();
    let file = ask("/api/records", "application/octet-stream", b"f5d6\nf5f6")
        .await
        .json();
    assert_eq!((&json, &json), (&text, &file));
    assert_eq!(json["total"], 2);
    let second = ask("/api/records?first=2&count=1", "text/plain", b"f5d6\nf5f6")
        .await
        .json();
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
    assert_eq!(
        (&last["event"], &last["complete"]),
        (&"report".into(), &true.into())
    );
    assert_eq!(last["report"]["curve"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn wrong_requests_are_answered_with_what_was_expected() {
    let server = TestServer::start(config()).await;
    let check = |reply: Reply, status: u16, expected: &str| {
        assert_eq!(reply.status, status, "{reply:?}");
        assert!(reply.message().contains(expected), "{reply:?}");
    };
    for (query, expected) in [
        ("moves=a1", "moves: illegal move a1"),
        ("board=XO", "board: expected one of 64 squares"),
        ("depth=61", "depth: expected a number from 1 to 60"),
        ("depth=deep", "depth: invalid digit"),
        ("deep=4", "unknown field `deep`"),
    ] {
        check(
            server.get(&format!("/api/hint?{query}")).await,
            400,
            expected,
        );
    }
    for (path, body, expected) in [
        (
            "/api/move",
            r#"{"level":0}"#,
            "level: expected a number from 1 to 60",
        ),
        ("/api/move", "", "expected a request in JSON"),
        ("/api/move", r#"{"call":"move"}"#, "unknown field `call`"),
        (
            "/api/position",
            r#"{"moves":"f5f5"}"#,
            "moves: illegal move f5",
        ),
        (
            "/api/records",
            r#"{"text":"?"}"#,
            "text: expected moves (f5d6c3)",
        ),
        ("/api/analyze", "{}", "expected either text"),
    ] {
        check(server.post(path, body).await, 400, expected);
    }
    let text = ["Content-Type: text/plain"];
    let analyze = server
        .ask("POST", "/api/analyze?depth=1", &text, b"f5")
        .await;
    check(analyze, 400, "depth: expected a number from 2 to 60");
    let wrong_type = server.ask("POST", "/api/move", &text, b"{}").await;
    check(wrong_type, 415, "Content-Type: application/json");
    let none = server.ask("POST", "/api/records", &[], b"f5").await;
    check(none, 415, "Content-Type: application/json");
    // An error is no stream, so that it has a status of its own.
    let stream = ["Accept: text/event-stream"];
    let hint = server.ask("GET", "/api/hint?moves=a1", &stream, b"").await;
    check(hint, 400, "moves: illegal move a1");
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let server = TestServer::start(config()).await;
    let body = vec![b'f'; (1 << 20) + 1];
    let json = ["Content-Type: application/json"];
    let reply = server.ask("POST", "/api/records", &json, &body).await;
    assert_eq!(reply.status, 413);
    assert!(
        reply.message().contains("at most 1048576 bytes"),
        "{reply:?}"
    );
    // Without a length in its head, a body is read as far as it may be.
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
