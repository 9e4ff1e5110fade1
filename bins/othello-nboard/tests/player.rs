//! The NBoard player as seen by a front end: over pipes.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use othello_core::Board;
use othello_proto::{
    ggf::MoveItem,
    nboard::{Command, Response},
};
use support::Program;

const PLAYER: &str = env!("CARGO_BIN_EXE_othello-nboard");
const FAST: &str = "--depth 2 --threads 1 --hash 1";

/// A front end's side.
struct FrontEnd {
    player: Program,
}

impl FrontEnd {
    fn says(&mut self, command: &Command) {
        self.player.send(&format!("{command}\n"));
    }

    /// Reads the next response; every line is one, in the document's spelling.
    fn hears(&mut self) -> Response {
        let line = self.player.line();
        let response = Response::parse(line.as_bytes()).unwrap();
        assert_eq!(response.to_string(), line);
        response
    }

    fn answer(&mut self) -> MoveItem {
        self.says(&Command::Go);
        loop {
            if let Response::Move(item) = self.hears() {
                return item;
            }
        }
    }

    fn quits(mut self) {
        self.says(&Command::Quit);
        let end = self.player.wait();
        assert_eq!(
            (end.code, end.rest.as_str(), end.errors.as_str()),
            (Some(0), "", "")
        );
    }
}

#[test]
fn the_end_of_input_waits_for_the_answer() {
    let mut player = Program::start(PLAYER, FAST);
    player.send("nboard 2\ngo");
    let end = player.finish();
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    let last = end.rest.lines().last().map(str::as_bytes);
    let last = last.map(Response::parse);
    assert!(matches!(last, Some(Ok(Response::Move(_)))), "{}", end.rest);
}

#[test]
fn a_closed_output_ends_the_player_although_its_input_stays_open() {
    let code = support::exit_with_closed_output(PLAYER, "--depth 1", "nboard 2\n");
    assert_eq!(code, Some(0));
}

#[test]
fn help_shows_a_worked_example() {
    let end = support::run(PLAYER, "--help");
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    insta::assert_snapshot!(end.rest);
}

#[test]
fn a_wrong_command_line_is_refused_before_anything_is_printed() {
    support::check_refused(
        PLAYER,
        &[
            ("--depth x", "expected a number of plies"),
            ("--name", "a value is required"),
            ("extra", "unexpected argument"),
            ("--log /", "cannot write the log /"),
        ],
    );
}

#[cfg(unix)]
#[test]
fn signals_end_the_player_also_while_it_thinks() {
    support::check_signals(|| {
        let mut player = Program::start(PLAYER, "--hash 1");
        player.send("nboard 2\nset depth 60\nhint 1\n");
        while player.line() != "status Analyzing" {}
        player
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_legal_move_is_played_whatever_the_system_limits() {
    support::under_limits(PLAYER, FAST, |player, limit| {
        let mut front_end = FrontEnd { player };
        front_end.says(&Command::Version(2));
        let mv = front_end.answer().mv;
        assert!(Board::START.position().is_legal(mv), "{limit}: {mv}");
        front_end.quits();
    });
}
