//! The referee of the tool, between scripts.
#![cfg(target_os = "linux")]

use std::{
    fs,
    io::{Read as _, Write as _},
    process::{Command, Output, Stdio},
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
fn a_program_is_not_told_the_secrets_of_the_environment() {
    let says = "read c; if [ \"$OTHELLO_TOKEN$API_KEY$SHOWN\" ]; then echo C3; else echo pass; fi; \
                read m; echo pass; read m";
    let black = format!("sh -c '{says}'");
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    command.args(["referee", "--size", "5", "--playouts", "200"]);
    command.args([&black, WHITE]);
    command
        .env("OTHELLO_TOKEN", "secret")
        .env("API_KEY", "secret");
    let out = |command: &mut Command| text(&command.output().unwrap().stdout).to_owned();
    let told = out(&mut command);
    assert!(told.starts_with("game 1: White won"), "{told}");
    let told = out(command.env("SHOWN", "1"));
    assert!(told.starts_with("game 1: Black won"), "{told}");
}

#[test]
fn the_records_of_an_earlier_run_stay() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("2.sgf");
    fs::write(&old, "old").unwrap();
    let games = folder.path().to_str().unwrap();
    let output = referee(&[EITHER, EITHER, "--games", "2", "--sgf", games]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("without records of other games"),
        "{errors}"
    );
    assert_eq!(fs::read_to_string(old).unwrap(), "old");
    assert!(!folder.path().join("1.sgf").exists());
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
fn programs_have_names_and_a_seed_for_each_game() {
    let seeded = "sh -c 'read c; [ $c = white ] && read m; if [ $1 = 2 ]; then echo C3; read m; fi; echo pass; read m' x {seed}";
    let passes = "sh -c 'read c; [ $c = white ] && read m; echo pass; read m; echo pass; read m'";
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().to_str().unwrap();
    let names = ["--names", "A B", "C", "--games", "2", "--sgf", games];
    let output = referee(&[&[seeded, passes][..], &names].concat());
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    assert!(out.contains("  White: A B: "), "{out}");
    let sgf = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (first, second) = (sgf("1.sgf"), sgf("2.sgf"));
    assert!(
        first.contains("PB[A B]") && first.contains("PW[C]"),
        "{first}"
    );
    assert!(
        second.contains("PB[C]") && second.contains("PW[A B]"),
        "{second}"
    );
    assert!(first.contains("RE[W+5.5]"), "{first}");
    assert!(
        second.contains("W[cc]") && second.contains("RE[W+29.5]"),
        "{second}"
    );
}

/// A script that plays C3 as Black, and passes.
const EITHER: &str =
    "sh -c 'read c; if [ $c = black ]; then echo C3; fi; read m; echo pass; read m'";

/// Referees two games in which a person has typed something; returns the exit status and the output.
fn asked(typed: &str, folder: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    command.args(["referee", "--size", "5", "--games", "2", "--judge", "ask"]);
    command.args(["--sgf", folder, EITHER, EITHER]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut referee = command.spawn().unwrap();
    let mut input = referee.stdin.take().unwrap();
    input.write_all(typed.as_bytes()).unwrap();
    drop(input);
    let output = referee.wait_with_output().unwrap();
    (output.status.code(), text(&output.stdout).to_owned())
}

#[test]
fn a_person_has_the_last_word_on_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().to_str().unwrap();
    let (status, out) = asked("dead C3\nok\nincomplete\n", games);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("ok accepts the result B+18.5"), "{out}");
    assert!(
        out.contains("game 1: White won: played to the end"),
        "{out}"
    );
    assert!(out.contains("game 2: no result: the judge calls"), "{out}");
    let sgf = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(sgf("1.sgf").contains("RE[W+6.5]"), "{}", sgf("1.sgf"));
    assert!(sgf("2.sgf").contains("RE[Void]"), "{}", sgf("2.sgf"));
    // The end of input accepts what is shown.
    let other = tempfile::tempdir().unwrap();
    let (status, out) = asked("", other.path().to_str().unwrap());
    assert_eq!(status, Some(0), "{out}");
    assert!(
        out.contains("game 2: Black won: played to the end"),
        "{out}"
    );
}

#[test]
fn a_game_is_kept_when_its_judge_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    command.args(["referee", "--size", "5", "--games", "2", "--judge", "ask"]);
    command.arg("--sgf").arg(folder.path()).args([BLACK, WHITE]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut referee = command.spawn().unwrap();
    let _open = referee.stdin.take();
    let mut out = referee.stdout.take().unwrap();
    let mut printed = String::new();
    while !printed.ends_with("judge> ") {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        printed.push(byte[0].into());
    }
    let id = referee.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(killed.success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(referee.wait().unwrap().code(), Some(1));
    assert!(
        rest.contains("game 1: Black won: played to the end"),
        "{rest}"
    );
    let sgf = fs::read_to_string(folder.path().join("1.sgf")).unwrap();
    assert!(sgf.contains("RE[B+18.5]"), "{sgf}");
    assert!(!folder.path().join("2.sgf").exists());
}

#[test]
fn a_game_is_kept_when_nobody_reads_of_it() {
    for last_word in ["auto", "ask"] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
        command.args(["referee", "--size", "5", "--judge", last_word]);
        command.arg("--sgf").arg(folder.path()).args([BLACK, WHITE]);
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut referee = command.stderr(Stdio::null()).spawn().unwrap();
        drop(referee.stdout.take());
        assert_eq!(referee.wait().unwrap().code(), Some(1), "{last_word}");
        let sgf = fs::read_to_string(folder.path().join("1.sgf")).unwrap();
        assert!(sgf.contains("RE[B+18.5]"), "{sgf}");
    }
}

#[test]
fn a_program_that_does_not_start_is_an_error() {
    let output = referee(&["/does/not/exist", WHITE]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(
        errors.starts_with("go-game: \"/does/not/exist\" did not start: "),
        "{errors}"
    );
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
