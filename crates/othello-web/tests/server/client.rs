//! A test server, and a client that sends given bytes.

use std::{num::NonZeroUsize, time::Duration};

use othello_engine::{HashSize, Settings};
use othello_web::{Config, Hosts, Server, Token};
use othello_web::{live::Runs, requests::Library};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
};

/// A server, which ends when it is dropped.
pub(crate) struct TestServer {
    pub(crate) host: String,
    shutdown: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
}

/// The configuration of a server with one search and a small table.
pub(crate) fn config() -> Config {
    Config {
        program: "test 1.0".into(),
        engine: Settings {
            hash: HashSize::MIN,
            ..Settings::default()
        },
        searches: NonZeroUsize::MIN,
        time_limit: Duration::from_mins(1),
        hosts: Hosts::new("127.0.0.1:0".parse().unwrap(), []),
        token: None,
        store: None,
        library: Library::default().into(),
        runs: Runs::default(),
        share_base: None,
        drill: None,
    }
}

pub(crate) const TOKEN: &str = "0123456789abcdef";

pub(crate) fn with_token() -> Config {
    Config {
        token: Some(Token::new(TOKEN).unwrap()),
        ..config()
    }
}

impl TestServer {
    pub(crate) async fn start(config: Config) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bound = listener.local_addr().unwrap();
        let server = Server::new(&Config {
            hosts: Hosts::new(bound, []),
            ..config
        });
        let (shutdown, asked) = oneshot::channel();
        let asked = async { _ = asked.await };
        Self {
            host: bound.to_string(),
            shutdown: Some(shutdown),
            serving: tokio::spawn(server.unwrap().serve(listener, asked)),
        }
    }

    /// Asks the server to end, and waits until it has.
    pub(crate) async fn end(mut self) {
        drop(self.shutdown.take());
        self.serving.await.unwrap();
    }

    pub(crate) async fn get(&self, target: &str) -> Reply {
        self.ask("GET", target, &[], b"").await
    }

    pub(crate) async fn post(&self, target: &str, json: &str) -> Reply {
        let headers = ["Content-Type: application/json"];
        self.ask("POST", target, &headers, json.as_bytes()).await
    }

    /// Sends a request and reads its whole answer.
    pub(crate) async fn ask(
        &self,
        method: &str,
        target: &str,
        headers: &[&str],
        body: &[u8],
    ) -> Reply {
        let stream = self.send(method, target, headers, body).await;
        read(stream).await
    }

    /// Sends a request.
    pub(crate) async fn send(
        &self,
        method: &str,
        target: &str,
        headers: &[&str],
        body: &[u8],
    ) -> TcpStream {
        let mut lines = vec![
            format!("{method} {target} HTTP/1.1"),
            "Connection: close".into(),
        ];
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            lines.push(format!("Host: {}", self.host));
        }
        lines.extend(headers.iter().map(ToString::to_string));
        if method == "POST" {
            lines.push(format!("Content-Length: {}", body.len()));
        }
        let head = lines.join("\r\n");
        self.send_bytes(&[format!("{head}\r\n\r\n").as_bytes(), body].concat())
            .await
    }

    /// Sends the bytes of a request.
    pub(crate) async fn send_bytes(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        stream
    }

    /// Starts a stream of events.
    pub(crate) async fn stream(&self, target: &str) -> Events {
        let headers = ["Accept: text/event-stream"];
        Events(BufReader::new(
            self.send("GET", target, &headers, b"").await,
        ))
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

/// Reads an answer to its end.
pub(crate) async fn read(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    // A server that refuses a body may close the connection before the body is read.
    let _ = stream.read_to_end(&mut bytes).await;
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").expect("an answer has a head");
    Reply {
        status: head[9..12].parse().unwrap(),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1);
        let mut fields = lines.filter_map(|line| line.split_once(": "));
        fields
            .find(|(field, _)| field.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// Checks the status of an error, and that its message has a part.
    #[track_caller]
    pub(crate) fn check_error(&self, status: u16, expected: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert!(self.message().contains(expected), "{self:?}");
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(
            self.header("content-type"),
            Some("application/json"),
            "{self:?}"
        );
        serde_json::from_str(&self.body).unwrap()
    }

    /// Returns the message of an error.
    pub(crate) fn message(&self) -> String {
        let json = self.json();
        json["error"]["message"].as_str().unwrap().to_owned()
    }
}

/// A stream of server-sent events.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    /// Returns the next event's name and data, or `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<(String, Value)> {
        let mut name = None;
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).await.unwrap() == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = Some(event.trim().to_owned());
            } else if let Some(data) = line.strip_prefix("data: ") {
                let name = name.expect("an event has a name");
                return Some((name, serde_json::from_str(data).unwrap()));
            }
        }
    }

    pub(crate) async fn all(mut self) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            all.push(event);
        }
        all
    }
}
