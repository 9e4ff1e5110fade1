//! Commands that only count, and the command line.

use std::process::Stdio;

use crate::support::Folder;

#[test]
fn perft_counts_divides_and_begins_anywhere() {
    let folder = Folder::new();
    let expected = "d3: 349\nc4: 349\nf5: 349\ne6: 349\n1396 leaves at depth 5\n";
    assert_eq!(folder.printed("perft 5 --divide"), expected);
    // Black must pass, then White takes a1, and nobody can move.
    let board = format!("-XOOOOOO{} X", "-".repeat(56));
    for depth in [1, 2, 3] {
        let counted = folder.printed(&format!("perft {depth} --board '{board}'"));
        assert_eq!(counted, format!("1 leaves at depth {depth}\n"));
    }
}

#[test]
fn a_forced_tier_gives_the_same_count_or_is_refused_and_an_empty_one_is_none() {
    let folder = Folder::new();
    for tier in ["", "portable", "avx2", "avx512"] {
        let mut command = folder.command("perft 7");
        let output = command.env("OTHELLO_TIER", tier).output().unwrap();
        if output.status.success() {
            assert_eq!(output.stdout, b"55092 leaves at depth 7\n", "{tier}");
        } else {
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(told.contains("this CPU lacks"), "{told}");
        }
    }
    let mut player = folder.command("player sloan");
    assert!(player.env("OTHELLO_TIER", "").status().unwrap().success());
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = Folder::new();
    let mut command = folder.command("perft 4 --divide");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn wrong_arguments_say_what_was_expected() {
    let folder = Folder::new();
    folder.write("notes", "my notes");
    folder.check_refusals(&[
        ("perft many", 2, "invalid value 'many'"),
        (
            "perft 3 --board --?",
            2,
            "expected one of 64 squares (X, O or -) at offset 2",
        ),
        (
            "hint --moves f5a1",
            1,
            "othello: --moves: illegal move a1: it flips nothing at offset 2",
        ),
        (
            "hint f5a1",
            2,
            "illegal move a1: it flips nothing at offset 2",
        ),
        ("hint x5", 2, "at offset 1, or moves such as f5d6c3"),
        ("host lth --students none.toml", 1, "othello: none.toml: "),
        (
            "host lth --students notes",
            1,
            "othello: notes: expected a table for each class",
        ),
        (
            "hint --depth 0",
            2,
            "expected a number of plies from 1 to 60",
        ),
        (
            "solve --threads 0",
            2,
            "'--threads <N>': expected a number of threads from 1 to 1024, or auto",
        ),
        (
            "games a.ggf --date 2001..1999",
            2,
            "expected a first date that is not after the last one",
        ),
        (
            "check-player lth-server --tries 3 localhost:9035",
            1,
            "expected no --tries with lth-server",
        ),
        ("match --concurrency 0", 2, "expected a number from 1 on"),
        ("play ./program", 2, "--format"),
        ("host codewarriors \"a 'b\"", 2, "expected a closing quote"),
        (
            "demo --guest chess=x",
            2,
            "expected sloan, lth, codewarriors, gui or usenix",
        ),
        ("solve /does/not/exist", 1, "/does/not/exist"),
        (
            "host lth --without testing,evaluation,competition",
            1,
            "nothing to serve",
        ),
        ("host lth --limit 0s", 2, "expected a time longer than 0"),
        (
            "host lth --limit 18446744073709551615s",
            2,
            "expected a time of at most 365 days",
        ),
        (
            "host lth --store notes --testing 0",
            1,
            "notes: expected a log of games, found another kind of file",
        ),
        (
            "host lth --web=0.0.0.0:0",
            1,
            "expected --web-token TOKEN too",
        ),
        (
            "host lth --web --web-token short",
            1,
            "expected a token of at least 16",
        ),
        (
            "host codewarriors --limit 2",
            2,
            "expected a time such as 500ms",
        ),
        ("frobnicate", 2, "unrecognized subcommand"),
    ]);
}
