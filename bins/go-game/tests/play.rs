//! A person at the terminal of the tool, and its demo.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

/// Runs the tool with what a person types.
fn run(arguments: &[&str], typed: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    command.args(arguments).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // One that leaves before it has read all is no error.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    child.wait_with_output().unwrap()
}

/// What the tool prints while a person plays.
#[track_caller]
fn play(arguments: &[&str], typed: &str) -> String {
    let output = run(&[&["play", "--playouts", "50"], arguments].concat(), typed);
    let errors = String::from_utf8(output.stderr).unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{out}{errors}");
    out
}

/// The number of black stones of the boards in a text.
fn black_stones(text: &str) -> usize {
    text.matches('X').count() - text.matches("Black X").count()
}

#[test]
fn a_game_against_the_engine_is_judged() {
    // The engine fills the board but for two eyes, which nobody disputes.
    let out = play(&["--size", "2"], "pass\npass\npass\n");
    assert!(out.contains("White plays"), "{out}");
    assert!(out.contains("Result: W+"), "{out}");
    assert!(out.contains("B pass, W pass\n"), "{out}");
}

#[test]
fn moves_are_taken_back_hinted_and_explained() {
    let out = play(&["--size", "5"], "undo\nC3\nc3\nhint\nundo\nquit\n");
    assert!(
        out.contains("There is no move of yours to take back."),
        "{out}"
    );
    assert!(
        out.contains("illegal move C3: the point is occupied"),
        "{out}"
    );
    assert!(out.contains("The engine would play "), "{out}");
    let boards: Vec<&str> = out.split("Your move: ").collect();
    assert_eq!(black_stones(boards[boards.len() - 2]), 0, "{out}");
}

#[test]
fn a_game_is_saved_while_it_lasts_and_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (begun, ended) = (file("begun.sgf"), file("ended.sgf"));
    let typed = format!("A1\nsave {begun}\nsave {begun}\npass\npass\npass\nsave {ended}\n");
    let out = play(&["--size", "2", "--rules", "chinese"], &typed);
    assert!(out.contains(&format!("Saved in {begun}.")), "{out}");
    assert!(
        out.contains(&format!("type save! {begun} to replace it")),
        "{out}"
    );
    assert!(out.contains(&format!("Saved in {ended}.")), "{out}");
    let text = std::fs::read_to_string(ended).unwrap();
    assert!(
        text.contains("PB[Person]") && text.contains("RU[Chinese]") && text.contains("RE["),
        "{text}"
    );
}

#[test]
fn a_handicap_is_on_the_board_and_the_engine_moves_first() {
    let out = play(&["--size", "9", "--handicap", "4"], "quit\n");
    assert!(out.starts_with("White plays "), "{out}");
    assert_eq!(black_stones(&out), 4, "{out}");
}

#[test]
fn wrong_arguments_say_what_was_expected() {
    for (arguments, code, expected) in [
        (&["--handicap", "1"][..], 2, "1 is not in 2..=9"),
        (
            &["--size", "8", "--handicap", "5"],
            1,
            "expected a handicap of at most 4 stones on 8x8, not 5\n",
        ),
        (
            &["--size", "5", "--handicap", "4"],
            1,
            "no handicap is possible on 5x5\n",
        ),
        (
            &["./player", "--handicap", "2"],
            1,
            "expected a program after gtp:",
        ),
        (
            &["/does/not/exist"],
            1,
            "go-game: \"/does/not/exist\" did not start",
        ),
        (&["gtp:"], 2, "expected a program and its arguments"),
    ] {
        let output = run(&[&["play"], arguments].concat(), "");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(expected), "{errors}");
    }
}

#[cfg(unix)]
#[test]
fn a_program_of_the_tournament_plays_too() {
    let program = "sh -c 'read c; read m; echo B2; read m; echo pass; read m'";
    let out = play(&[program, "--size", "5"], "c3\nundo\npass\n");
    assert!(out.contains("White plays B2\n"), "{out}");
    assert!(out.contains("cannot take a move back"), "{out}");
    assert!(out.contains("B C3, W B2, B pass, W pass\n"), "{out}");
    assert!(out.contains("won: played to the end"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_program_that_speaks_gtp_is_told_the_moves_that_are_left_after_an_undo() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("gtp.sh");
    let log = folder.path().join("log");
    let text = format!(
        "while read -r line; do echo \"$line\" >> '{}'
         case $line in
         list_commands) printf '= boardsize\\nclear_board\\nkomi\\nplay\\ngenmove\\nquit\\n\\n' ;;
         genmove*) printf '= pass\\n\\n' ;;
         *) printf '= \\n\\n' ;;
         esac; done",
        log.display()
    );
    std::fs::write(&script, text).unwrap();
    let program = format!("gtp:sh {}", script.display());
    let out = play(&[&program, "--size", "5"], "c3\nb2\nundo\na1\npass\n");
    assert!(out.contains("White plays pass\n"), "{out}");
    assert!(
        out.contains("B C3, W pass, B A1, W pass, B pass\n"),
        "{out}"
    );
    let told = std::fs::read_to_string(&log).unwrap().to_lowercase();
    let again = told.rsplit("clear_board").next().unwrap();
    assert!(
        again.contains("c3") && again.contains("a1") && !again.contains("b2"),
        "{told}"
    );
}

#[test]
fn the_demo_shows_a_game_and_its_judgement() {
    let demo = |seed| {
        let output = run(
            &["demo", "--size", "7", "--playouts", "20", "--seed", seed],
            "",
        );
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let out = demo("1");
    assert!(
        out.contains("game over") && out.contains(" moves\n"),
        "{out}"
    );
    assert!(out.lines().last().unwrap().starts_with("Result: "), "{out}");
    assert_eq!(out, demo("1"));
    assert_ne!(out, demo("2"));
}

#[cfg(unix)]
#[test]
fn a_program_that_never_plays_is_a_failure() {
    for program in ["gtp:/bin/true", "gtp:sh -c 'read x; exit 3'"] {
        let output = run(&["play", program, "--size", "5"], "C3\n");
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{program}: {out}");
    }
}
