//! Games between two programs at the host of each format, under the scripts in `scripts/hosts`.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use othello_core::{Board, Color};
use othello_proto::{
    codewarriors::{JudgeSeat, MOVE_LIMIT},
    gui::{Form, HostSeat, HostSeatOptions, Version},
    lth::{LimitScope, Port, ReceptionOptions, ServerSeat, ServerSeatOptions, TimeLimit},
    sloan::{Dialect, GAME_TIME, OpeningPass, RefereeOptions, RefereeSeat},
};

use crate::{
    golden::{bytes_of, check},
    hosted::HostedScript,
    hosted_game::{HostedGame, HostedGameOptions},
    reception::guest,
    seats::seconds,
};

pub(crate) fn main_time(time: Option<Duration>) -> TimeControl {
    TimeControl {
        main: time,
        ..TimeControl::default()
    }
}

pub(crate) fn per_move(limit: Duration) -> TimeControl {
    TimeControl {
        per_move: Some(limit),
        ..TimeControl::default()
    }
}

#[test]
fn sloan() {
    check("tests/sessions/scripts/hosts/sloan.txt", |settings| {
        let mut game = HostedGameOptions::new(Board::START, main_time(Some(GAME_TIME)));
        let mut options = RefereeOptions::default();
        for (key, value) in settings {
            match (&**key, &**value) {
                ("from", board) => game.setup = board.parse().expect("a board"),
                ("time", "none") => game.time = ByColor::new_with(|_| main_time(None)),
                ("time", time) => game.time = ByColor::new_with(|_| main_time(Some(seconds(time)))),
                ("comments", _) => game.relays_comments = true,
                ("opening-pass", "always") => options.opening_pass = OpeningPass::Always,
                ("opening-pass", "never") => options.opening_pass = OpeningPass::Never,
                ("play", _) => options.send_play = true,
                ("dialect", "lines") => options.dialect = Dialect::Lines,
                ("output", bytes) => options.output_per_turn = bytes.parse().expect("a number"),
                _ => panic!("{key} {value}"),
            }
        }
        game.tolerance = options.tolerance;
        let seats = ByColor::new_with(|_| RefereeSeat::new(options.clone()));
        HostedScript::new(HostedGame::new(game, seats))
    });
}

#[test]
fn codewarriors() {
    check(
        "tests/sessions/scripts/hosts/codewarriors.txt",
        |settings| {
            let mut game = HostedGameOptions::new(Board::START, per_move(MOVE_LIMIT));
            for (key, value) in settings {
                match &**key {
                    "from" => game.setup = value.parse().expect("a board"),
                    "grace" => game.tolerance = seconds(value),
                    _ => panic!("{key}"),
                }
            }
            let seats = ByColor::new_with(|_| JudgeSeat::new(game.tolerance));
            HostedScript::new(HostedGame::new(game, seats))
        },
    );
}

#[test]
fn gui() {
    check("tests/sessions/scripts/hosts/gui.txt", |settings| {
        let mut options = HostSeatOptions::default();
        let mut game = HostedGameOptions::new(Board::START, per_move(options.limit));
        for (key, value) in settings {
            match (&**key, &**value) {
                ("from", board) => game.setup = board.parse().expect("a board"),
                ("form", "document") => options.form = Form::Document(Version::V2),
                ("form", "stay") => options.form = Form::Stay(Version::V2),
                ("untimed", side) => {
                    let side: Color = side.parse().expect("a colour");
                    game.time[side] = TimeControl::default();
                }
                _ => panic!("{key} {value}"),
            }
        }
        let seats = ByColor::new_with(|_| HostSeat::new(options));
        HostedScript::new(HostedGame::new(game, seats))
    });
}

#[test]
fn lth() {
    check("tests/sessions/scripts/hosts/lth.txt", |settings| {
        let mut limit = TimeLimit {
            length: Duration::from_secs(30),
            scope: LimitScope::Game,
        };
        let (mut line_delay, mut early) = (Duration::ZERO, Vec::new());
        for (key, value) in settings {
            match &**key {
                "per-move" => limit.scope = LimitScope::Move,
                "delay" => line_delay = seconds(value),
                "early" => early = bytes_of(value.trim_start_matches("of Black ")),
                _ => panic!("{key}"),
            }
        }
        let seats = ByColor::new_with(|color| {
            let mut guest = guest(ReceptionOptions {
                port: Port::Competition(color),
                line_delay,
                ..ReceptionOptions::default()
            });
            if color == Color::Black {
                guest.receive(&early).expect("few bytes");
            }
            ServerSeat::new(guest, ServerSeatOptions::default())
        });
        let game = HostedGameOptions {
            keeps: true,
            ..HostedGameOptions::new(Board::START, limit.into())
        };
        HostedScript::new(HostedGame::new(game, seats))
    });
}
