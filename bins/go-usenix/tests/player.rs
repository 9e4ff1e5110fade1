//! The player of the USENIX tournament as seen by a referee: over pipes, without arguments.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use std::{path::Path, time::Duration};

use go_core::{Move, Position, Setup};
use support::{End, Program};

const PLAYER: &str = env!("CARGO_BIN_EXE_go-usenix");

/// Starts the player on a board of 9x9, with few playouts and these variables.
fn start_with(variables: &[(&str, &str)]) -> Program {
    let small = [("GO_USENIX_SIZE", "9"), ("GO_USENIX_PLAYOUTS", "50")];
    Program::start_with(PLAYER, "", &[&small, variables].concat())
}

fn start() -> Program {
    start_with(&[])
}

/// Returns the position before the first move of a small game.
fn empty() -> Position {
    Position::new(&"9x9 komi 5.5".parse::<Setup>().unwrap())
}

/// Plays a line of the player, which must be exactly a legal move in capitals or `pass`.
fn take(position: &mut Position, line: &str) {
    let mv: Move = line.parse().unwrap();
    let spelt = mv.point().map_or("pass".into(), |point| point.to_string());
    assert_eq!(line, spelt);
    position.play(mv).unwrap();
}

/// Gives the player input, then the end of input.
fn answer(input: &[u8]) -> End {
    let mut player = start();
    player.send_bytes(input);
    player.finish()
}

/// Checks the first line of an answer, on a board where the opponent has played E5.
#[track_caller]
fn check_answered(end: &End) {
    let mut position = empty();
    position.play("E5".parse::<Move>().unwrap()).unwrap();
    take(&mut position, end.rest.trim_end_matches('\n'));
    assert_eq!(end.code, Some(3));
    assert_eq!(end.errors, "go-usenix: the input ended in mid-game\n");
}

#[test]
fn a_whole_file_is_answered_to_its_end() {
    // The colour, many moves at once and the end of input while a move is owed.
    check_answered(&answer(b"white\nE5\n"));
    let end = answer(b"white\nA1\nB2\nC3\nD4\nbyo-romi\nE6\n");
    assert!(end.rest.lines().count() >= 4, "{}", end.rest);
    for line in end.rest.lines() {
        line.parse::<Move>().unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_closed_output_ends_the_player_although_its_input_stays_open() {
    let line = format!("GO_USENIX_PLAYOUTS=50 {PLAYER}");
    let code = support::exit_with_closed_output("env", &line, "black\n");
    assert_eq!(code, Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn time_in_which_the_process_is_not_run_is_not_counted() {
    let mut player = start_with(&[
        ("GO_USENIX_PLAYOUTS", ""),
        ("GO_USENIX_MAIN_TIME", "1s"),
        ("GO_USENIX_BYO_ROMI", "1s"),
    ]);
    // Once it answers, it has started.
    player.send("white\nA1\n");
    player.line();
    player.send("A9\n");
    std::thread::sleep(Duration::from_millis(200));
    player.signal("STOP");
    std::thread::sleep(Duration::from_millis(1500));
    player.signal("CONT");
    player.line();
    let log = player.finish().log;
    assert_eq!(log.matches("thought best").count(), 2, "{log}");
    assert!(!log.contains("no decision in time"), "{log}");
}

#[test]
fn the_file_beside_the_program_has_settings() {
    // A hard link, not a copy: a file that is open for writing cannot be executed, and a process started by another
    // test may have inherited the descriptor that wrote a copy.
    let folder = tempfile::tempdir_in(Path::new(PLAYER).parent().unwrap()).unwrap();
    let program = folder.path().join("go-usenix");
    std::fs::hard_link(PLAYER, &program).unwrap();
    let program = program.to_str().unwrap();
    let file = folder.path().join("go-usenix.toml");
    std::fs::write(&file, "size = 1\n").unwrap();
    let mut player = Program::start(program, "");
    player.send("black\n");
    assert_eq!(player.line(), "pass");
    drop(player);
    std::fs::write(&file, "lines = 9\n").unwrap();
    let end = Program::start(program, "").finish();
    assert_eq!((end.code, end.rest.as_str()), (Some(2), ""));
    let expected = format!(
        "go-usenix: {}: expected lines such as size = 9, with",
        file.display()
    );
    assert!(end.errors.starts_with(&expected), "{}", end.errors);
}

#[test]
fn the_seed_gives_the_game() {
    let answers = |seed| {
        let mut player = start_with(&[("GO_USENIX_SEED", seed)]);
        player.send("white\nA1\nA9\nJ1\nJ9\nA3\nA7\n");
        player.finish().rest
    };
    assert_eq!(answers("5"), answers("5"));
    assert_ne!(answers("5"), answers("6"));
}

#[test]
fn the_log_goes_where_it_is_wanted() {
    let mut player = start_with(&[("GO_LOG", "debug")]);
    player.send("black\n");
    player.line();
    let end = player.finish();
    assert!(
        end.log.contains("win_rate=") && end.log.contains("mid-game"),
        "{}",
        end.log
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.log");
    let mut player = start_with(&[("GO_USENIX_LOG", file.to_str().unwrap())]);
    player.send("black\n");
    player.line();
    assert_eq!(player.finish().log, "");
    assert!(std::fs::read_to_string(&file).unwrap().contains("thought"));
}

#[test]
fn help_and_version_are_for_people() {
    let end = support::run(PLAYER, "--help");
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    insta::assert_snapshot!(end.rest);
    let end = support::run(PLAYER, "--version");
    assert_eq!(end.code, Some(0));
    assert!(end.rest.starts_with("go-usenix "), "{}", end.rest);
}

#[cfg(unix)]
#[test]
fn signals_end_the_player() {
    support::check_signals(|| {
        let mut player = start();
        player.send("black\n");
        player.line();
        player
    });
}

#[test]
fn arguments_are_refused_before_anything_is_printed() {
    let refused = ["x", "--size 9 9", "-"].map(|args| (args, "unexpected argument"));
    support::check_refused(PLAYER, &refused);
}

#[test]
fn wrong_settings_say_what_was_expected_and_where() {
    for (name, value, expected) in [
        ("SIZE", "26", "expected the size of a square board"),
        ("KOMI", "half", "expected a komi"),
        ("MAIN_TIME", "60", "expected a time such as"),
        ("PLAYOUTS", "0", "0 is not in 1..=4294967295"),
        ("SEED", "x", "invalid digit"),
        ("WEIGHTS", "none.weights", "none.weights: "),
        ("BYO_YOMI", "10s", "found GO_USENIX_BYO_YOMI"),
    ] {
        let name = format!("GO_USENIX_{name}");
        let end = Program::start_with(PLAYER, "", &[(&name, value)]).finish();
        assert_eq!((end.code, end.rest.as_str()), (Some(2), ""), "{name}");
        assert!(end.errors.contains(expected), "{}", end.errors);
    }
    let end = Program::start_with(PLAYER, "", &[("GO_USENIX_LOG", "/")]).finish();
    assert!(
        end.errors.contains("cannot write the log /"),
        "{}",
        end.errors
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_legal_move_is_played_whatever_the_system_limits() {
    let line = format!("GO_USENIX_SIZE=9 GO_USENIX_PLAYOUTS=50 {PLAYER}");
    support::under_limits("env", &line, |mut player, limit| {
        player.send("black\n");
        take(&mut empty(), &player.line());
        assert_eq!(player.finish().code, Some(3), "{limit}");
    });
}
