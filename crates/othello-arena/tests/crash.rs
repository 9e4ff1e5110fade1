//! Results survive a writer that is killed at any moment.
#![cfg(unix)]

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
};

use othello_arena::store::{Entry, GameResult, Store};

/// Where the child writes, when this test is that child.
const STORE: &str = "OTHELLO_ARENA_TEST_STORE";

/// Adds results for ever, and says of each, once it is added, how many there are.
fn write_for_ever(path: &Path) -> ! {
    let store = Store::open(path).unwrap();
    let mut count = store.tally("a").unwrap().wins;
    let entry = |id, result| Entry {
        id,
        result,
        evaluation: false,
    };
    loop {
        let game = [entry("a", GameResult::Won), entry("b", GameResult::Lost)];
        store.add(&game).unwrap();
        count += 1;
        // One write, so that no line is torn.
        let line = format!("added {count}\n");
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
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "every_acknowledged_result_survives_a_kill",
                "--nocapture",
            ])
            .env(STORE, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
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

        let store = Store::open(&path).unwrap();
        let (a, b) = (store.tally("a").unwrap(), store.tally("b").unwrap());
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
