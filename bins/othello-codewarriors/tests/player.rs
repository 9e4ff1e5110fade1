//! The Code Warriors player as seen by a judge: over pipes.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use othello_core::{Board, Move};
use support::Program;

const PLAYER: &str = env!("CARGO_BIN_EXE_othello-codewarriors");

#[test]
fn the_end_of_input_in_mid_game_has_its_exit_status() {
    let mut player = Program::start(PLAYER, "--depth 1");
    player.send("ST\n");
    player.line();
    let end = player.finish();
    assert_eq!(
        (end.code, end.rest.as_str(), end.errors.as_str()),
        (Some(3), "", "")
    );
    assert!(
        end.log.contains("the input ended in mid-game"),
        "{}",
        end.log
    );
}

#[test]
fn a_closed_output_ends_the_player_although_its_input_stays_open() {
    let code = support::exit_with_closed_output(PLAYER, "--depth 1", "ST\n");
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
fn signals_end_the_player_also_while_it_thinks() {
    support::check_signals(|| Program::start_thinking(PLAYER, "ST\n"));
}

#[test]
fn a_wrong_command_line_is_refused_before_anything_is_printed() {
    support::check_refused(
        PLAYER,
        &[
            ("--depth x", "expected a number of plies"),
            ("--depth 3 --level 3", "cannot be used with"),
            ("--tier sse9", "expected an instruction-set tier"),
            ("extra", "unexpected argument"),
            ("--log /", "cannot write the log /"),
        ],
    );
}

/// Sends the start of a game and expects a legal move.
#[cfg(target_os = "linux")]
fn check_opening(mut player: Program, limit: &str) {
    player.send("ST\n");
    let line = player.line();
    let mv: Move = line.parse().unwrap();
    assert!(Board::START.position().is_legal(mv), "{limit}: {line}");
    let end = player.finish();
    assert_eq!((end.code, &*end.errors), (Some(3), ""), "{limit}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_legal_move_is_played_whatever_the_system_limits() {
    support::under_limits(PLAYER, "--depth 3 --threads 2", check_opening);
}

/// A limit on CPU time is a clock for the whole game.
#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_before_the_cpu_time_does() {
    support::under_limit("-t 2", PLAYER, "", check_opening);
}
