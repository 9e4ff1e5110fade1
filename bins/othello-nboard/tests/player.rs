//! The NBoard player as seen by a front end: over pipes.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use othello_core::{Board, Move};
use othello_proto::{
    ggf::{MoveItem, Record},
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
    fn start(args: &str) -> Self {
        let mut front_end = Self {
            player: Program::start(PLAYER, args),
        };
        front_end.says(&Command::Version(2));
        front_end
    }

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

    /// Reads everything up to the answer to a ping.
    fn until_pong(&mut self, number: i64) -> Vec<Response> {
        let mut heard = Vec::new();
        loop {
            match self.hears() {
                Response::Pong(pong) => {
                    assert_eq!(pong, number);
                    return heard;
                }
                response => heard.push(response),
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
fn a_game_by_the_clock_of_its_record_is_answered() {
    let mut front_end = FrontEnd::start("--hash 1");
    let record = "(;GM[Othello]TI[0:02]B[F5//1.5]W[D6//0.1];)";
    let record = Box::new(Record::parse(record.as_bytes()).unwrap());
    let board = record.game().unwrap().board();
    front_end.says(&Command::Game(record));
    let item = front_end.answer();
    assert!(board.position().is_legal(item.mv));
    assert!(item.value.is_some() && item.time.is_some());
    front_end.quits();
}

#[test]
fn hints_tell_the_best_moves_in_order() {
    let mut front_end = FrontEnd::start(FAST);
    front_end.says(&Command::Move("f5".parse::<Move>().unwrap().into()));
    front_end.says(&Command::Depth(1));
    front_end.says(&Command::Hint(3));
    let mut hints = Vec::new();
    while hints.len() < 3 {
        if let Response::Hint(hint) = front_end.hears() {
            hints.push(hint);
        }
    }
    front_end.says(&Command::Ping(1));
    assert_eq!(front_end.until_pong(1), [Response::Status(String::new())]);
    let firsts: Vec<Move> = hints.iter().map(|hint| hint.variation[0]).collect();
    let mut board = Board::START;
    board.play("f5".parse::<Move>().unwrap()).unwrap();
    for (index, &mv) in firsts.iter().enumerate() {
        assert!(board.position().is_legal(mv));
        assert!(!firsts[..index].contains(&mv));
    }
    assert!(hints.is_sorted_by(|one, next| one.value >= next.value));
    front_end.quits();
}

#[test]
fn a_ping_ends_a_hint_that_would_take_for_ever() {
    let mut front_end = FrontEnd::start("--hash 1");
    front_end.says(&Command::Depth(60));
    front_end.says(&Command::Hint(1));
    while front_end.hears() != Response::Status("Analyzing".into()) {}
    front_end.says(&Command::Ping(7));
    assert_eq!(front_end.until_pong(7), [Response::Status(String::new())]);
    front_end.quits();
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
