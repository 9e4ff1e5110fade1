//! Games on record, counted and drawn by the tool.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// White has a wall, three points of territory and a dead stone of Black's in it.
const GAME: &str = "(;FF[4]GM[1]SZ[5]KM[0.5]RU[Japanese]AB[ba][bb][bc][bd][be][cd]AW[da][db][dc][dd][de];B[ed];W[ec];B[];W[])";

/// Scores the game with the picture in this file.
fn score(folder: &Path, picture: &str) -> Output {
    let game = folder.join("game.sgf");
    fs::write(&game, GAME).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    command.arg("score").arg(game).arg("--svg");
    command.arg(folder.join(picture)).output().unwrap()
}

#[test]
fn a_game_is_counted_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let output = score(folder.path(), "game.svg");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{out}");
    assert!(out.contains("4 moves, komi 0.5\n"), "{out}");
    assert!(out.contains("Dead: E2\n"), "{out}");
    assert!(out.contains("Japanese score: W+0.5\n"), "{out}");
    let picture = fs::read_to_string(folder.path().join("game.svg")).unwrap();
    // The ring is on E3: the passes after it leave no mark.
    assert!(picture.contains("<circle cx=\"4\" cy=\"2\""), "{picture}");
}

#[test]
fn an_illegal_move_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.sgf");
    fs::write(&game, "(;GM[1]SZ[9];B[ee];W[ee])").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    let output = command.arg("score").arg(game).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    let expected = "game.sgf: offset 19: move 2: illegal move E5: the point is occupied; the moves before it are scored\n";
    assert!(errors.ends_with(expected), "{errors}");
}

#[test]
fn only_a_picture_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        assert!(score(folder.path(), "game.svg").status.success());
    }
    let output = score(folder.path(), "game.sgf");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let errors = String::from_utf8(output.stderr).unwrap();
    let expected = "game.sgf: expected no file or one that begins with \"<svg xml\"";
    assert!(errors.contains(expected), "{errors}");
    let record = fs::read_to_string(folder.path().join("game.sgf")).unwrap();
    assert_eq!(record, GAME);
}

#[test]
fn a_picture_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = score(folder.path(), "no/such/game.svg");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("game.svg"), "{errors}");
}

#[test]
fn the_name_of_a_file_does_not_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("a\u{1b}c.sgf");
    fs::write(&game, "(;GM[1]SZ[9];B[ee];W[ee])").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_go-game"));
    let output = command.arg("score").arg(game).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("a\\u{1b}c.sgf: offset 19: "), "{errors}");
}
