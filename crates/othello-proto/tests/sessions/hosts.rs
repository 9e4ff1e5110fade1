//! Games between two programs at the referee of Sloan's format, which may begin anew, under `scripts/hosts/sloan.txt`.

use std::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use othello_core::Board;
use othello_proto::sloan::{Dialect, GAME_TIME, OpeningPass, RefereeOptions, RefereeSeat};

use crate::{
    golden::check,
    hosted::HostedScript,
    hosted_game::{HostedGame, HostedGameOptions},
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
