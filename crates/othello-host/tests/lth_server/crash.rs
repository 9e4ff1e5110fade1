//! Results survive a server that is killed at any moment.
#![cfg(unix)]

use std::{
    future::pending,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    time::Duration,
};

use othello_host::lth_server::Server;

use crate::support::{log_in, with_log};

/// The variable with the folder of the log, set when this test is a server.
const FOLDER: &str = "OTHELLO_LTH_SERVER_TEST_FOLDER";

const TEST: &str = "crash::a_win_that_was_told_survives_a_kill_and_counts_once";

/// Starts this test again, as a server whose log is in a folder.
fn start_server(folder: &Path) -> (Child, BufReader<ChildStderr>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    (child, stderr)
}

/// Serves for ever, and prints its addresses.
fn serve_for_ever(folder: &Path) -> ! {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let server = Server::bind(with_log(folder).on_free_ports())
            .await
            .unwrap();
        let addresses = server.addresses();
        let [testing, dark, white] =
            [addresses.testing, addresses.dark, addresses.white].map(Option::unwrap);
        // One write, so that no line is torn.
        let line = format!("{testing} {dark} {white}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        server.run(drop, pending()).await;
    });
    unreachable!("it serves for ever");
}

fn connect(address: &str, words: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let timeout = Duration::from_mins(2);
    stream.set_read_timeout(Some(timeout)).unwrap();
    stream.write_all(words.as_bytes()).unwrap();
    stream
}

fn read_to(stream: &mut TcpStream, end: &str) -> String {
    let (mut told, mut byte) = (String::new(), [0]);
    while !told.ends_with(end) {
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "closed after {told:?}");
        told.push(char::from(byte[0]));
    }
    told
}

#[test]
fn a_win_that_was_told_survives_a_kill_and_counts_once() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        serve_for_ever(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let rounds = 12;
    for wins in 0..rounds {
        let (mut child, mut stderr) = start_server(folder.path());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let addresses: Vec<&str> = line.split_whitespace().collect();
        let mut winner = connect(addresses[0], "winner\n");
        read_to(&mut winner, &format!("win count is {wins}\n"));
        let mut winner = connect(addresses[2], "winner\n");
        let _loser = connect(addresses[1], "loser\na1\n");
        read_to(&mut winner, "White won\n");
        child.kill().unwrap();
        child.wait().unwrap();
        // The kill may have come in the middle of a line.
        let mut log = std::fs::OpenOptions::new();
        let mut log = log.append(true).open(log_in(folder.path())).unwrap();
        log.write_all(b"{\"finished\":17").unwrap();
    }
    let text = std::fs::read_to_string(log_in(folder.path())).unwrap();
    let games = text.lines().filter(|line| line.ends_with('}'));
    assert_eq!(games.count(), rounds);
}
