//! `othello web` as users start it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
};

fn web(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_othello"));
    command
        .args(["web", "--hash", "1", "--searches", "1", "--no-store"])
        .args(arguments)
        .env_remove("OTHELLO_TOKEN")
        .stdin(Stdio::null());
    command
}

/// A server in a process of its own, which is killed if the test fails.
struct Server {
    process: Child,
    /// The host and port.
    host: String,
    /// The path of the address, with its query.
    path: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut process = web(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut line = || lines.next().expect("a line").unwrap();
        let (address, stop) = (line(), line());
        assert_eq!(stop, "Ctrl-C stops the server.");
        let rest = address.strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        Self {
            process,
            host: host.to_owned(),
            path: format!("/{path}"),
        }
    }

    fn send(&self, target: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let head = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n", self.host);
        let head = head + "Accept: text/event-stream\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    fn get(&self, target: &str) -> String {
        let mut answer = String::new();
        self.send(target).read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_page_and_its_api_are_at_the_printed_address() {
    let server = Server::start(&[]);
    assert!(server.host.starts_with("127.0.0.1:"), "{}", server.host);
    let page = server.get(&server.path);
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<!DOCTYPE html>"));
    let hint = server.get("/api/hint?depth=1");
    assert!(hint.contains("event: update") && hint.contains(r#""done":true"#));
}

#[test]
fn a_search_has_a_thread_for_each_cpu() {
    let cpus = std::thread::available_parallelism().unwrap();
    for (arguments, threads) in [(&[][..], cpus.get()), (&["--threads", "3"], 3)] {
        let answer = Server::start(arguments).get("/api/engine");
        let (_, engine) = answer.split_once("\r\n\r\n").unwrap();
        let engine: serde_json::Value = serde_json::from_str(engine).unwrap();
        assert_eq!(engine["threads"], threads, "{engine}");
    }
}

#[test]
fn the_address_brings_the_token() {
    let server = Server::start(&["--token", "0123456789abcdef"]);
    assert_eq!(server.path, "/?token=0123456789abcdef");
    assert!(server.get("/").starts_with("HTTP/1.1 401"));
    assert!(server.get(&server.path).starts_with("HTTP/1.1 303"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server_and_its_answers() {
    let mut server = Server::start(&[]);
    let mut hint = BufReader::new(server.send("/api/hint")).lines();
    let mut said = hint.by_ref().map(Result::unwrap);
    assert!(said.any(|line| line == "event: update"));
    let number = server.process.id().to_string();
    let sent = Command::new("kill").args(["-INT", &number]).status();
    assert!(sent.unwrap().success());
    assert!(said.any(|line| line.contains(r#""done":true"#)));
    assert!(server.process.wait().unwrap().success());
}

#[test]
fn what_cannot_be_served_is_refused_with_a_reason() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, expected) in [
        (&["--listen", "0.0.0.0"][..], "expected --token TOKEN too"),
        (
            &["--token", "short"],
            "expected a token of at least 16 letters",
        ),
        (
            &["--listen", "localhost"],
            "expected an IP address such as 127.0.0.1 or 0.0.0.0",
        ),
        (&["--host", "a b"], "expected a name such as my-computer"),
        (&["--host", "a:80"], "without a port"),
        (&["--time-limit", "soon"], "invalid value 'soon'"),
        (&["--port", &port], &format!("127.0.0.1:{port}: ")),
    ] {
        let output = web(arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success());
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
}
