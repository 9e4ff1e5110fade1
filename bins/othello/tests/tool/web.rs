//! `othello web`.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
};

use crate::support::{Folder, Server};

fn line(options: &str) -> String {
    format!("web --hash 1 --searches 1 --no-store {options}")
}

fn start(folder: &Folder, options: &str) -> Server {
    let mut process = folder.start(&line(options));
    let mut lines = BufReader::new(process.stdout.take().unwrap());
    let server = Server::new(process, &mut lines);
    let stop = lines.lines().next().expect("a line").unwrap();
    assert_eq!(stop, "Ctrl-C stops the server.");
    server
}

fn send(server: &Server, target: &str) -> TcpStream {
    server.send(target, "text/event-stream")
}

fn get(server: &Server, target: &str) -> String {
    let mut answer = String::new();
    send(server, target).read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_page_and_its_api_are_at_the_printed_address() {
    let folder = Folder::new();
    let server = start(&folder, "");
    assert!(server.host.starts_with("127.0.0.1:"), "{}", server.host);
    let page = get(&server, &server.path);
    assert!(page.starts_with("HTTP/1.0 200 OK") && page.contains("<!DOCTYPE html>"));
    let hint = get(&server, "/api/hint?depth=1");
    assert!(hint.contains("event: update") && hint.contains(r#""done":true"#));
}

#[test]
fn a_search_has_a_thread_for_each_cpu() {
    let folder = Folder::new();
    let cpus = std::thread::available_parallelism().unwrap();
    for (options, threads) in [("", cpus.get()), ("--threads 3", 3)] {
        let engine = get(&start(&folder, options), "/api/engine");
        assert!(
            engine.contains(&format!(r#""threads":{threads},"#)),
            "{engine}"
        );
    }
}

#[test]
fn the_explorer_has_the_games_of_files_and_the_book() {
    let folder = Folder::new();
    folder.write("a.txt", "f5d6c3\nf5f6\n");
    let server = start(&folder, "--games a.txt");
    let body = r#"{"moves":"f5"}"#;
    let mut stream = TcpStream::connect(&server.host).unwrap();
    write!(
        stream,
        "POST /api/explore HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        server.host,
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains(r#""total":2,"#), "{answer}");
    assert!(answer.contains(r#"{"move":"d6","games":1,"#), "{answer}");
    assert!(answer.contains(r#""book":"#), "{answer}");
    let wrong = folder.run(&line("--games none.txt"));
    assert!(wrong.errors.contains("none.txt: "), "{}", wrong.errors);
}

#[test]
fn the_address_brings_the_token() {
    let folder = Folder::new();
    let server = start(&folder, "--token 0123456789abcdef");
    assert_eq!(server.path, "/?token=0123456789abcdef");
    assert!(get(&server, "/").starts_with("HTTP/1.0 401"));
    assert!(get(&server, &server.path).starts_with("HTTP/1.0 303"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server_and_its_answers() {
    let folder = Folder::new();
    let mut server = start(&folder, "");
    let mut hint = BufReader::new(send(&server, "/api/hint")).lines();
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
