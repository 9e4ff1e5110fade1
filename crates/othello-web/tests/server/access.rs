//! Requests of other origins, other hosts, and without the token.

use crate::client::{TOKEN, TestServer, config, with_token};

#[tokio::test]
async fn only_the_servers_own_host_is_answered() {
    let server = TestServer::start(config()).await;
    for (host, status) in [(&*server.host, 200), ("evil.example", 403)] {
        for path in ["/", "/api/engine"] {
            let header = format!("Host: {host}");
            let reply = server.ask("GET", path, &[&header], b"").await;
            assert_eq!(reply.status, status, "{host}");
        }
    }
    let stream = server.send_bytes(b"GET / HTTP/1.0\r\n\r\n").await;
    let reply = crate::client::read(stream).await;
    assert_eq!(reply.status, 403);
    assert!(reply.message().contains("expected a Host header"));
}

#[tokio::test]
async fn a_page_of_another_origin_cannot_use_the_api() {
    let server = TestServer::start(config()).await;
    let ask = async |method: &str, path: &str, headers: &[&str]| {
        let body = if method == "POST" {
            &br#"{"level":1}"#[..]
        } else {
            b""
        };
        server.ask(method, path, headers, body).await
    };
    let hint = "/api/hint?depth=1";
    let own = format!("Origin: http://{}", server.host);
    assert_eq!(ask("GET", hint, &[&own]).await.status, 200);
    let json = "Content-Type: application/json";
    for origin in ["Origin: http://evil.example", "Origin: null", "Origin: "] {
        let reply = ask("GET", hint, &[origin]).await;
        assert_eq!(reply.status, 403, "{origin}");
        assert!(reply.message().contains("expected an Origin header"));
        assert_eq!(reply.header("access-control-allow-origin"), None);
        let reply = ask("POST", "/api/move", &[origin, json]).await;
        assert_eq!(reply.status, 403, "{origin}");
        // The browser asks first whether it may.
        let preflight = [origin, "Access-Control-Request-Method: POST"];
        let reply = ask("OPTIONS", "/api/move", &preflight).await;
        assert_eq!(reply.status, 403, "{origin}");
    }
    // A picture has no Origin. A link to the page is allowed.
    for (site, status) in [
        ("cross-site", 403),
        ("same-site", 403),
        ("same-origin", 200),
    ] {
        let site = format!("Sec-Fetch-Site: {site}");
        assert_eq!(ask("GET", hint, &[&site]).await.status, status, "{site}");
        assert_eq!(ask("GET", "/", &[&site]).await.status, 200, "{site}");
    }
}

#[tokio::test]
async fn with_a_token_nothing_is_answered_without_it() {
    let server = TestServer::start(with_token()).await;
    let status = async |path: &str, headers: &[&str]| {
        let reply = server.ask("GET", path, headers, b"").await;
        (reply.status, reply.header("set-cookie").map(str::to_owned))
    };
    for path in [
        "/",
        "/api/engine",
        "/nothing",
        "/?token=",
        "/?token=0123456789abcdeg",
    ] {
        assert_eq!(status(path, &[]).await, (401, None), "{path}");
    }
    let bearer = format!("Authorization: Bearer {TOKEN}");
    assert_eq!(status("/api/engine", &[&bearer]).await.0, 200);
    assert_eq!(status("/api/engine", &[&format!("{bearer}0")]).await.0, 401);
    // The address brings the token once; the page keeps it.
    let target = format!("/?token={TOKEN}");
    let (seen, cookie) = status(&target, &[]).await;
    assert_eq!(seen, 303);
    let cookie = cookie.expect("a cookie");
    assert!(
        cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"),
        "{cookie}"
    );
    let port = server.host.split(':').nth(1).unwrap();
    assert!(
        cookie.starts_with(&format!("othello_token_{port}=")),
        "{cookie}"
    );
    let cookie = format!("Cookie: a=b; {}", cookie.split(';').next().unwrap());
    // A browser that has it already is also sent to the address without it.
    assert_eq!(status(&target, &[&cookie]).await.0, 303);
    assert_eq!(status("/", &[&cookie]).await, (200, None));
    assert_eq!(status("/api/engine", &[&cookie]).await.0, 200);
    assert_eq!(
        status(&format!("/api/engine?token={TOKEN}"), &[]).await.0,
        401
    );
    let reply = server.get("/").await;
    assert!(reply.message().contains("expected the token"));
    assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
}
