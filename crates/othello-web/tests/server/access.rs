//! Requests of other origins, other hosts, and without the token.

use crate::client::{TOKEN, TestServer, config, with_token};

#[tokio::test]
async fn only_the_servers_own_host_is_answered() {
    let server = TestServer::start(config()).await;
    let port = server.host.split(':').nth(1).unwrap().to_owned();
    for (host, status) in [
        (format!("localhost:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        ("localhost".into(), 403),
        (format!("evil.example:{port}"), 403),
        ("127.0.0.1:1".into(), 403),
    ] {
        for path in ["/", "/api/engine"] {
            let host = format!("Host: {host}");
            assert_eq!(
                server.ask("GET", path, &[&host], b"").await.status,
                status,
                "{host}"
            );
        }
    }
    let none = format!("GET / HTTP/1.0\r\nX: {port}\r\n\r\n");
    let reply = crate::client::read(server.send_bytes(none.as_bytes()).await).await;
    assert_eq!(reply.status, 403);
    assert!(reply.message().contains("expected a Host header"));
}

#[tokio::test]
async fn a_page_of_another_origin_cannot_use_the_api() {
    let server = TestServer::start(config()).await;
    let own = format!("Origin: http://{}", server.host);
    let port = server.host.split(':').nth(1).unwrap();
    let other_name = format!("Origin: http://localhost:{port}");
    let other_port = "Origin: http://localhost:1";
    let target = "/api/hint?depth=1";
    for own in [&own, &other_name] {
        assert_eq!(server.ask("GET", target, &[own], b"").await.status, 200);
    }
    for origin in [
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: ",
        other_port,
    ] {
        let reply = server.ask("GET", target, &[origin], b"").await;
        assert_eq!(reply.status, 403, "{origin}");
        assert!(reply.message().contains("expected an Origin header"));
        assert_eq!(reply.header("access-control-allow-origin"), None);
        let headers = [origin, "Content-Type: application/json"];
        let reply = server
            .ask("POST", "/api/move", &headers, br#"{"level":1}"#)
            .await;
        assert_eq!(reply.status, 403, "{origin}");
    }
    // The browser asks first whether it may.
    let preflight = [
        "Origin: http://evil.example",
        "Access-Control-Request-Method: POST",
    ];
    assert_eq!(
        server
            .ask("OPTIONS", "/api/move", &preflight, b"")
            .await
            .status,
        403
    );
    // A picture has no Origin. A link to the page is allowed.
    for site in ["cross-site", "same-site"] {
        let site = format!("Sec-Fetch-Site: {site}");
        assert_eq!(server.ask("GET", target, &[&site], b"").await.status, 403);
        assert_eq!(server.ask("GET", "/", &[&site], b"").await.status, 200);
    }
    let site = ["Sec-Fetch-Site: same-origin"];
    assert_eq!(server.ask("GET", target, &site, b"").await.status, 200);
}

#[tokio::test]
async fn a_server_with_tls_in_front_is_called_by_its_name_alone() {
    let server = TestServer::start_with_names(config(), ["othello.example".into()]).await;
    let target = "/api/hint?depth=1";
    let status = async |headers: &[&str]| server.ask("GET", target, headers, b"").await.status;
    let host = "Host: othello.example";
    let origin = "Origin: https://othello.example";
    assert_eq!(status(&[host, origin]).await, 200);
    // Some servers in front pass on the address that they connect to.
    assert_eq!(status(&[origin]).await, 200);
    assert_eq!(status(&[host, "Origin: https://evil.example"]).await, 403);
    assert_eq!(status(&["Host: evil.example", origin]).await, 403);
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
    // Also a browser that keeps it already is sent to the address without it.
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
