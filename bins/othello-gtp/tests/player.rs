//! The GTP engine as seen by a controller: over pipes.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use othello_core::{Board, Color, Move};
use support::Program;

const PLAYER: &str = env!("CARGO_BIN_EXE_othello-gtp");

/// A controller's side of a session.
struct Controller {
    engine: Program,
}

impl Controller {
    fn start(args: &str) -> Self {
        Self {
            engine: Program::start(PLAYER, args),
        }
    }

    /// Sends a command and reads the response up to its blank line.
    fn ask(&mut self, command: &str) -> String {
        self.engine.send(&format!("{command}\n"));
        let lines = std::iter::from_fn(|| Some(self.engine.line()));
        let lines: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        lines.join("\n")
    }

    /// Returns the move that `genmove` answers.
    fn genmove(&mut self, color: Color) -> Move {
        let response = self.ask(&format!("genmove {color}"));
        let text = response.strip_prefix("= ").expect("a success");
        let mv: Move = text.parse().unwrap();
        let canonical = mv.square().map(|square| format!("{square:#}"));
        assert_eq!(text, canonical.as_deref().unwrap_or("pass"));
        mv
    }
}

#[test]
fn a_game_is_loaded_from_a_file_and_taken_back() {
    let mut controller = Controller::start("--depth 1 --hash 1");
    let path = controller.engine.home().join("game.sgf");
    std::fs::write(&path, "(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3])\n").unwrap();
    let path = path.to_str().unwrap().to_owned();
    assert_eq!(controller.ask(&format!("1 loadsgf {path}")), "=1");
    assert_eq!(controller.ask("gogui-rules_side_to_move"), "= white");
    for _ in 0..3 {
        assert_eq!(controller.ask("undo"), "=");
    }
    assert_eq!(controller.ask("undo"), "? cannot undo");
    let refused = controller.ask(&format!("2 loadsgf {path}.none"));
    let reason = "cannot load file: No such file or directory (os error 2)";
    assert_eq!(refused, format!("?2 {reason}"));
    let end = controller.engine.finish();
    assert!(end.log.contains(reason), "{}", end.log);
}

#[test]
fn every_listed_command_is_known() {
    let mut controller = Controller::start("--depth 1 --hash 1");
    let listed = controller.ask("list_commands");
    let listed: Vec<&str> = listed.trim_start_matches("= ").lines().collect();
    assert!(listed.contains(&"genmove") && listed.contains(&"gogui-rules_board"));
    for name in listed {
        assert_eq!(controller.ask(&format!("known_command {name}")), "= true");
        if name != "quit" {
            assert_ne!(controller.ask(name), "? unknown command", "{name}");
        }
    }
    assert_eq!(controller.ask("known_command no_such"), "= false");
}

#[test]
fn the_end_of_input_is_an_orderly_end_and_is_answered_first() {
    let mut controller = Controller::start("--depth 1 --hash 1");
    controller.engine.send("9 genmove b");
    let end = controller.engine.finish();
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    let is_answer = end.rest.starts_with("=9 ") && end.rest.ends_with("\n\n");
    assert!(is_answer, "{:?}", end.rest);
}

#[test]
fn a_controller_that_hangs_up_ends_the_engine_as_the_end_of_input_does() {
    let code = support::exit_with_closed_output(PLAYER, "--depth 1", "genmove b\n");
    assert_eq!(code, Some(0));
}

#[test]
fn help_shows_a_worked_example() {
    let end = support::run(PLAYER, "--help");
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    insta::assert_snapshot!(end.rest);
}

#[cfg(unix)]
#[test]
fn signals_end_the_engine_also_while_it_thinks() {
    support::check_signals(|| Program::start_thinking(PLAYER, "genmove b\n"));
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
        ],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_legal_move_is_played_whatever_the_system_limits() {
    support::under_limits(PLAYER, "--depth 3 --threads 2", |engine, limit| {
        let mut controller = Controller { engine };
        let mv = controller.genmove(Color::Black);
        assert!(Board::START.position().is_legal(mv), "{limit}: {mv}");
        let end = controller.engine.finish();
        assert_eq!((end.code, &*end.errors), (Some(0), ""), "{limit}");
    });
}
