//! The tool in a folder of its own.

#[path = "../../../../tests/support/folder.rs"]
mod folder;

use std::{
    io::{BufRead, Write as _},
    net::TcpStream,
    process::{Child, Command},
    thread,
    time::Duration,
};

pub(crate) use folder::{Folder, Ran};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_othello");

/// Black wins with h5 by 6 discs, and g6 loses by 2.
pub(crate) const ENDGAME: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO-";

/// The command line of our own player of a format, fast and weak.
pub(crate) fn player(format: &str) -> String {
    format!("'{PROGRAM}' player {format} --depth 2 --threads 1 --hash 1")
}

/// Sends a signal to a process of ours.
pub(crate) fn signal(name: &str, process: u32) {
    let words = [format!("-{name}"), process.to_string()];
    let sent = Command::new("kill").args(words).status();
    assert!(sent.expect("kill starts").success());
}

/// Waits until a running process has done something.
pub(crate) fn await_while(process: &mut Child, mut done: impl FnMut() -> bool) {
    while !done() {
        assert_eq!(process.try_wait().expect("a process"), None, "it ended");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A program that serves pages. It is killed when the test ends.
pub(crate) struct Server {
    pub(crate) process: Child,
    /// The host and port.
    pub(crate) host: String,
    /// The path of the address, with its query.
    pub(crate) path: String,
}

impl Server {
    /// Returns the server whose address is in one of the lines that a program prints.
    pub(crate) fn new(process: Child, lines: &mut impl BufRead) -> Self {
        let mut lines = lines.lines().map(Result::unwrap);
        let address = lines.find_map(|line| Some(line.split_once("http://")?.1.to_owned()));
        let address = address.expect("an address");
        let (host, path) = address.split_once('/').expect("a path");
        Self {
            process,
            host: host.to_owned(),
            path: format!("/{path}"),
        }
    }

    /// Sends a request; returns the stream of its answer, of which nothing is read yet.
    pub(crate) fn send(&self, target: &str, accept: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        // A guard, not a measure: what takes longer hangs.
        stream
            .set_read_timeout(Some(Duration::from_mins(2)))
            .unwrap();
        // An answer of HTTP/1.0 ends with the connection.
        let head = format!(
            "GET {target} HTTP/1.0\r\nHost: {}\r\nAccept: {accept}\r\n\r\n",
            self.host
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
