//! Programs that are started with more table than there is memory for.
#![cfg(unix)]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
};

/// More than the limit below, and than most machines have.
const HASH: &str = "65000";

/// The program in a process that may have 4 GB of memory and no more.
fn othello(arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_othello"))
        .args(arguments)
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null());
    command
}

#[test]
fn tools_refuse_a_table_that_does_not_fit() {
    let suite = "../../crates/othello-search/tests/data/fforum-1-19.obf";
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("match.jsonl");
    let log = log.to_str().expect("UTF-8");
    let own = format!("a=own:hash={HASH}");
    for arguments in [
        &["solve", suite, "--hash", HASH][..],
        &["hint", "--hash", HASH],
        &["play", "--hash", HASH],
        &[
            "match", "-l", "depth:1", "-e", &own, "-e", "b=own", "--log", log,
        ],
    ] {
        let output = othello(arguments).output().expect("the tool starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(
            told.contains("transposition table of"),
            "{arguments:?}: {told}"
        );
    }
}

#[test]
fn a_player_plays_with_a_table_that_fits() {
    let mut player = othello(&["player", "sloan", "--hash", HASH, "--depth", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the player starts");
    let mut input = player.stdin.take().expect("piped");
    input.write_all(b"(I B)\n(W)\n").expect("the player reads");
    let lines = BufReader::new(player.stdout.take().expect("piped")).lines();
    let lines: Vec<String> = lines.take(2).map(|line| line.expect("UTF-8")).collect();
    assert_eq!(lines[0], "(R B)");
    assert!(lines[1].starts_with("(B "), "{lines:?}");
    drop(input);
    let output = player.wait_with_output().expect("the player ends");
    assert_ne!(output.status.code(), None, "ended by a signal");
}
