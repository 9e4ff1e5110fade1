//! `othello web`.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, Stdio},
};

use crate::support::Folder;

fn line(options: &str) -> String {
    format!("web --hash 1 --searches 1 --no-store {options}")
}

/// A server in a process of its own, which is killed if the test fails.
struct Server {
    _folder: Folder,
    process: Child,
    /// The host and port.
    host: String,
    /// The path of the address, with its query.
    path: String,
}

impl Server {
    fn start(options: &str) -> Self {
        let folder = Folder::new();
        let mut command = folder.command(&line(options));
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut line = || lines.next().expect("a line").unwrap();
        let (address, stop) = (line(), line());
        assert_eq!(stop, "Ctrl-C stops the server.");
        let rest = address.strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        Self {
            _folder: folder,
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
    let server = Server::start("");
    assert!(server.host.starts_with("127.0.0.1:"), "{}", server.host);
    let page = server.get(&server.path);
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<!DOCTYPE html>"));
    let hint = server.get("/api/hint?depth=1");
    assert!(hint.contains("event: update") && hint.contains(r#""done":true"#));
}

#[test]
fn a_search_has_a_thread_for_each_cpu() {
    let cpus = std::thread::available_parallelism().unwrap();
    for (options, threads) in [("", cpus.get()), ("--threads 3", 3)] {
        let engine = Server::start(options).get("/api/engine");
        assert!(
            engine.contains(&format!(r#""threads":{threads},"#)),
            "{engine}"
        );
    }
}

#[test]
fn the_address_brings_the_token() {
    let server = Server::start("--token 0123456789abcdef");
    assert_eq!(server.path, "/?token=0123456789abcdef");
    assert!(server.get("/").starts_with("HTTP/1.1 401"));
    assert!(server.get(&server.path).starts_with("HTTP/1.1 303"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server_and_its_answers() {
    let mut server = Server::start("");
    let mut hint = BufReader::new(server.send("/api/hint")).lines();
    let mut said = hint.by_ref().map(Result::unwrap);
    assert!(said.any(|line| line == "event: update"));
    crate::support::signal("INT", server.process.id());
    assert!(said.any(|line| line.contains(r#""done":true"#)));
    assert!(server.process.wait().unwrap().success());
}

#[test]
fn what_cannot_be_served_is_refused_with_a_reason() {
    let folder = Folder::new();
    folder.write("notes", "notes\n");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let port = format!("--port {}", address.port());
    for (options, code, expected) in [
        ("--listen 0.0.0.0", 1, "expected --token TOKEN too"),
        (
            "--token short",
            2,
            "expected a token of at least 16 letters",
        ),
        (
            "--listen localhost",
            2,
            "expected an IP address such as 127.0.0.1 or 0.0.0.0",
        ),
        ("--host 'a b'", 2, "expected a name such as my-computer"),
        ("--host a:80", 2, "without a port"),
        ("--time-limit soon", 2, "invalid value 'soon'"),
        (&port, 1, &format!("{address}: ")),
        ("notes", 1, "notes, line 1: expected the header"),
    ] {
        folder.check_refusals(&[(&line(options), code, expected)]);
    }
}
