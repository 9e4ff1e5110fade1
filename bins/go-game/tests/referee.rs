//! The referee of the tool, between scripts.
#![cfg(target_os = "linux")]

use std::{
    fs,
    process::{Command, Output},
};

/// A script of Black that plays C3 and passes, without another process.
const BLACK: &str = "sh -c 'read c; echo C3; read m; echo pass; read m'";

/// A script of White that passes.
const WHITE: &str = "sh -c 'read c; read m; echo pass; read m'";

fn referee(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    command.args(["referee", "--size", "5", "--playouts", "200"]);
    command.args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_game_is_judged_printed_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    let output = referee(&[BLACK, WHITE, "--sgf", games.to_str().unwrap()]);
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{errors}");
    assert!(
        out.starts_with("game 1: Black won: played to the end\n"),
        "{out}"
    );
    assert!(out.contains("White: sh -c"), "{out}");
    let sgf = fs::read_to_string(games.join("1.sgf")).unwrap();
    assert!(sgf.contains("RE[B+18.5]"), "{sgf}");
}

#[test]
fn colours_alternate_and_a_fault_forfeits() {
    let occupied = "sh -c 'read c; if [ $c = white ]; then read m; echo C3; else echo C3; read m; echo C3; fi'";
    let both =
        "sh -c 'read c; if [ $c = white ]; then read m; echo pass; else echo C3; fi; read m'";
    let output = referee(&[occupied, both, "--games", "2"]);
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    assert!(
        out.contains("game 1: White won: illegal move by Black"),
        "{out}"
    );
    assert!(
        out.contains("game 2: Black won: illegal move by White"),
        "{out}"
    );
}

#[test]
fn a_program_that_does_not_start_is_an_error() {
    let output = referee(&["/does/not/exist", WHITE]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(errors.starts_with("go-game: /does/not/exist"), "{errors}");
}

#[test]
fn wrong_arguments_say_what_was_expected() {
    for (arguments, expected) in [
        (&[BLACK][..], "<WHITE>"),
        (&[BLACK, WHITE, "--limit", "soon"], "expected a time"),
        (&[BLACK, WHITE, "--max-moves", "0"], "0 is not in"),
        (&[BLACK, "'"], "quot"),
    ] {
        let output = referee(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let errors = text(&output.stderr);
        assert!(errors.contains(expected), "{errors}");
    }
}
