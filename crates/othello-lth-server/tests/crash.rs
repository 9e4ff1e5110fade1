//! Results survive a writer that is killed at any moment.
#![cfg(unix)]

use std::{
    future::pending,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
};

use othello_host::record;
use othello_lth_server::{
    LOG_NAME, Server, ServerConfig,
    store::{GameResult, Store},
};

/// The variable with the path that the child writes to, set when this test is that child.
const STORE: &str = "OTHELLO_LTH_SERVER_TEST_STORE";

/// Starts this test again, as a child that writes to this path.
fn start_writer(test: &str, path: &Path) -> (Child, BufReader<ChildStderr>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(STORE, path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    (child, stderr)
}

/// Adds results for ever, and says of each, once it is added, how many there are.
fn write_for_ever(path: &Path) -> ! {
    let (mut store, contents) = Store::open(path).unwrap();
    let of = |id| contents.tallies.get(id).copied().unwrap_or_default();
    let (mut a, mut b) = (of("a"), of("b"));
    loop {
        a.add(GameResult::Won, false);
        b.add(GameResult::Lost, false);
        store.write([("a", a), ("b", b)], a.wins).unwrap();
        // One write, so that no line is torn.
        let line = format!("added {}\n", a.wins);
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
}

#[test]
fn every_acknowledged_result_survives_a_kill() {
    if let Some(path) = std::env::var_os(STORE) {
        write_for_ever(Path::new(&path));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.redb");
    let mut total = 0;
    for round in 0..12 {
        let (mut child, stderr) = start_writer("every_acknowledged_result_survives_a_kill", &path);
        let mut lines = stderr.lines();
        // After so many results, and then anywhere within the next: the child does not wait.
        let wanted = 1 + round * 7 % 10;
        let mut acknowledged = total;
        for line in lines.by_ref().take(wanted) {
            acknowledged = added(&line.unwrap());
        }
        for _ in 0..round * 500 {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // What the pipe still holds was acknowledged too.
        for line in lines {
            acknowledged = added(&line.unwrap());
        }
        assert!(acknowledged >= total + wanted as u64);

        let (_, contents) = Store::open(&path).unwrap();
        let (a, b) = (contents.tallies["a"], contents.tallies["b"]);
        assert_eq!(contents.counted, a.wins);
        assert!(
            a.wins == acknowledged || a.wins == acknowledged + 1,
            "{} of {acknowledged} are there",
            a.wins
        );
        assert_eq!(a.wins, b.losses, "a game counts for both or for none");
        total = a.wins;
    }
}

fn added(line: &str) -> u64 {
    let number = line.strip_prefix("added ").expect("only such lines come");
    number.parse().unwrap()
}

/// Serves for ever, with the files in this folder, and says where.
fn serve_for_ever(folder: &Path) -> ! {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = ServerConfig {
        store: Some(folder.join("results.redb")),
        log: Some(folder.to_owned()),
        ..ServerConfig::default()
    };
    runtime.block_on(async {
        let server = Server::bind(config.on_free_ports()).await.unwrap();
        let addresses = server.addresses();
        let [dark, white] = [addresses.dark.unwrap(), addresses.white.unwrap()];
        // One write, so that no line is torn.
        let line = format!("{dark} {white}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        server.run(drop, pending()).await;
    });
    unreachable!("it serves for ever");
}

/// Logs in on a competition port, with moves that are sent ahead.
fn compete(address: &str, words: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(words.as_bytes()).unwrap();
    stream
}

#[test]
fn a_win_that_was_told_survives_a_kill_and_counts_once() {
    const TEST: &str = "a_win_that_was_told_survives_a_kill_and_counts_once";
    if let Some(folder) = std::env::var_os(STORE) {
        serve_for_ever(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let rounds = 6;
    for _ in 0..rounds {
        let (mut child, mut stderr) = start_writer(TEST, folder.path());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let (dark, white) = line.trim_end().split_once(' ').unwrap();
        let _loser = compete(dark, "loser\na1\n");
        let mut winner = compete(white, "winner\n");
        let (mut told, mut byte) = (String::new(), [0]);
        while !told.ends_with("White won\n") {
            assert_eq!(winner.read(&mut byte).unwrap(), 1, "closed after {told:?}");
            told.push(char::from(byte[0]));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let log = folder.path().join(LOG_NAME);
    let games = record::read(&log)
        .unwrap()
        .map(|line| line.unwrap().is_some());
    assert_eq!(games.collect::<Vec<_>>(), vec![true; rounds]);
    // The last one may be in the log alone: the next start counts it.
    let config = ServerConfig {
        store: Some(folder.path().join("results.redb")),
        log: Some(folder.path().to_owned()),
        ..ServerConfig::default()
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let server = Server::bind(config.on_free_ports()).await.unwrap();
        server.run(drop, async {}).await;
    });
    let (_, contents) = Store::open(folder.path().join("results.redb")).unwrap();
    assert_eq!(contents.tallies["winner"].wins, rounds as u64);
    assert_eq!(contents.tallies["loser"].losses, rounds as u64);
}
