//! Programs that are started with more table than there is memory for.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
};

use crate::support::{Folder, PROGRAM};

/// The tool in a process that may have 4 GB of memory and no more, with a table that is larger, and than most machines
/// have.
fn othello(folder: &Folder, line: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\"", PROGRAM])
        .args(line.replace("HASH", "hash 65000").split_whitespace());
    folder.prepare(command)
}

#[test]
fn tools_refuse_a_table_that_does_not_fit() {
    let folder = Folder::new();
    let problem = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../crates/othello-search/tests/data/fforum-1-19.obf"
    );
    for line in [
        &format!("solve {problem} --HASH"),
        "hint --HASH",
        "play --HASH",
        "match -l depth:1 -e a=own:hash=65000 -e b=own",
    ] {
        let output = othello(&folder, line).output().expect("the tool starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {told}");
        assert!(told.contains("transposition table of"), "{line}: {told}");
    }
}

#[test]
fn a_player_plays_with_a_table_that_fits() {
    let folder = Folder::new();
    let mut player = othello(&folder, "player sloan --HASH --depth 1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the player starts");
    let mut input = player.stdin.take().expect("piped");
    input.write_all(b"(I B)\n(W)\n").expect("the player reads");
    let lines = BufReader::new(player.stdout.take().expect("piped")).lines();
    let lines: Vec<String> = lines.take(2).map(|line| line.expect("UTF-8")).collect();
    assert_eq!(lines[0], "(R B)");
    assert!(lines[1].starts_with("(B "), "{lines:?}");
    drop(input);
    let status = player.wait().expect("the player ends");
    assert_ne!(status.code(), None, "ended by a signal");
}
