//! The GUI player as seen by GUIs: over pipes, mostly with a process for each move.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

#[cfg(target_os = "linux")]
use std::{
    process::{Command, Stdio},
    time::Duration,
};

use othello_core::{Board, Color, Move, Square};
use support::Program;

const PLAYER: &str = env!("CARGO_BIN_EXE_othello-guibot");
const QUICK: &str = "--depth 2 --threads 1 --hash 1";

/// The board of the document's example.
const EXAMPLE: &str =
    "........\n........\n...X....\n...XX...\n...XO...\n........\n........\n........\n";

/// Returns the message of version 2 about a board, in the document's form.
fn message(board: Board) -> String {
    let tile = |square| board.disc(square).map_or('.', Color::disc);
    let rows = Square::ALL.chunks(8);
    let rows: Vec<String> = rows
        .map(|row| row.iter().copied().map(tile).collect())
        .collect();
    let moves = board.legal_moves();
    let listed: Vec<String> = moves.iter().map(|square| square.to_string()).collect();
    format!(
        "{}\n{}\n1000\n{} {}\n",
        rows.join("\n"),
        board.side_to_move().disc(),
        moves.count(),
        listed.join(" "),
    )
}

/// Parses a move in exactly the document's form.
fn parse(line: &str) -> Move {
    let mv: Move = line.parse().unwrap();
    assert_eq!(mv.to_string(), line);
    mv
}

/// Sends the document's example, after the version line if one is expected, and checks the answer.
fn check_example(player: &mut Program, version_line: bool, side: &str) {
    if version_line {
        assert_eq!(player.line(), "v1.0.0");
    }
    player.send(&format!("{EXAMPLE}{side}3000\n3 c3 e3 c5\n"));
    let answer = player.line();
    assert!(["c3", "e3", "c5"].contains(&answer.as_str()), "{answer}");
}

#[test]
fn the_documents_examples_are_answered_in_every_mode() {
    for side in ["", "O\n"] {
        // `auto` meets a GUI that waits for the line, then one that sends at once.
        for (mode, version_line) in [
            ("document", true),
            ("released", false),
            ("auto", true),
            ("auto", false),
        ] {
            let mut player = Program::start(PLAYER, &format!("--mode {mode} {QUICK}"));
            check_example(&mut player, version_line, side);
            assert_eq!(player.wait().code, Some(0), "{mode}");
        }
    }
}

/// A GUI that has sent its board waits for no version line, however long the process is stopped.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_was_stopped_finds_the_board_that_was_there_before_it() {
    let home = tempfile::tempdir().unwrap();
    let board = home.path().join("board");
    std::fs::write(&board, format!("{EXAMPLE}O\n3000\n3 c3 e3 c5\n")).unwrap();
    for run in 0..8 {
        let child = Command::new(PLAYER)
            .args(QUICK.split_whitespace())
            .env_remove("OTHELLO_GUI_MODE")
            .env("XDG_STATE_HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .stdin(std::fs::File::open(&board).unwrap())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let signal = |name| {
            let process = child.id().to_string();
            let status = Command::new("kill").args(["-s", name, &process]).status();
            assert!(status.unwrap().success());
        };
        // Before, in, and after its start; then for longer than it waits for input.
        std::thread::sleep(Duration::from_millis(run));
        signal("STOP");
        std::thread::sleep(Duration::from_millis(300));
        signal("CONT");
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let answer = said.lines().next().unwrap_or_default();
        assert!(["c3", "e3", "c5"].contains(&answer), "{said}");
    }
}

#[test]
fn the_environment_chooses_the_mode() {
    let variables = [("OTHELLO_GUI_MODE", "stay")];
    let mut player = Program::start_with(PLAYER, QUICK, &variables);
    check_example(&mut player, true, "O\n");
    player.send(&message(Board::START));
    assert!(Board::START.position().is_legal(parse(&player.line())));
    assert_eq!(player.finish().code, Some(0));

    // An empty variable is none.
    let variables = ["OTHELLO_GUI_MODE", "OTHELLO_TIER", "OTHELLO_LOG"].map(|name| (name, ""));
    let mut player = Program::start_with(PLAYER, &format!("{QUICK} --mode document"), &variables);
    check_example(&mut player, true, "O\n");
    assert_eq!(player.wait().code, Some(0));
    let player = Program::start_with(PLAYER, QUICK, &variables);
    assert_eq!(player.finish().code, Some(3));
}

/// Sends a board at once, which `auto` would take for the released GUI, and expects a player in
/// `document` mode.
fn check_document_mode(mut player: Program) {
    player.send(&message(Board::START));
    assert_eq!(player.line(), "v1.0.0");
    assert!(Board::START.position().is_legal(parse(&player.line())));
    assert_eq!(player.wait().code, Some(0));
}

#[cfg(unix)]
#[test]
fn the_name_it_is_started_under_chooses_the_mode() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("othello-guibot-document");
    std::os::unix::fs::symlink(PLAYER, &name).unwrap();
    check_document_mode(Program::start(name.to_str().unwrap(), QUICK));
}

#[test]
fn the_environment_and_the_file_have_settings_of_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("othello")).unwrap();
    let file = folder.path().join("othello/guibot.conf");
    let path = folder.path().to_str().unwrap();
    let start = |text: &str, more: &[(&str, &str)], args: &str| {
        std::fs::write(&file, text).unwrap();
        let variables = [&[("XDG_CONFIG_HOME", path), ("APPDATA", path)], more].concat();
        Program::start_with(PLAYER, args, &variables)
    };
    let all = "mode = document\nthreads = 2\nhash = 1\nreserve = 30ms\n";
    check_document_mode(start(all, &[], "--depth 2"));
    // The environment overrides the file, and the command line overrides both.
    let help = start(all, &[], "--help").finish().rest;
    assert!(
        help.contains("[default: 2]") && help.contains("[default: 30ms]"),
        "{help}"
    );
    let wrong = ("OTHELLO_GUI_THREADS", "0");
    let end = start(all, &[wrong], "").finish();
    assert_eq!((end.code, end.rest.as_str()), (Some(2), ""));
    check_document_mode(start(all, &[wrong], "--threads 1 --depth 2"));
    let end = start("threads = 0\n", &[], "").finish();
    assert_eq!((end.code, end.rest.as_str()), (Some(2), ""));
    assert!(end.errors.contains("guibot.conf: "), "{}", end.errors);
}

#[test]
fn garbage_and_an_early_end_have_their_exit_status() {
    for (input, code) in [
        ("what is this?\n".repeat(20), 5),
        ("........\n........\n".into(), 3),
    ] {
        let mut player = Program::start(PLAYER, "--mode released");
        player.send(&input);
        let end = player.finish();
        assert_eq!(end.code, Some(code), "{}", end.log);
        assert_eq!((end.rest.as_str(), end.errors.as_str()), ("", ""));
    }
}

#[test]
fn a_closed_output_ends_the_player_although_its_input_stays_open() {
    let args = format!("--mode document {QUICK}");
    let code = support::exit_with_closed_output(PLAYER, &args, "");
    assert_eq!(code, Some(3));
}

#[test]
fn help_shows_a_worked_example() {
    let end = support::run(PLAYER, "--help");
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    insta::assert_snapshot!(end.rest);
}

#[cfg(unix)]
#[test]
fn signals_end_the_player() {
    support::check_signals(|| {
        let mut player = Program::start(PLAYER, "--mode stay");
        player.line();
        player
    });
}

#[test]
fn a_wrong_command_line_is_refused_before_anything_is_printed() {
    support::check_refused(
        PLAYER,
        &[
            ("--mode x", "possible values"),
            ("--depth x", "expected a number of plies"),
            ("extra", "unexpected argument"),
        ],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_legal_move_is_played_whatever_the_system_limits() {
    let args = format!("--mode released {QUICK}");
    support::under_limits(PLAYER, &args, |mut player, limit| {
        check_example(&mut player, false, "O\n");
        assert_eq!(player.wait().code, Some(0), "{limit}");
    });
}
