//! The hosts of the formats against their players, both in this process.

mod common;

use std::{future::pending, time::Duration};

use common::First;
use othello_arena::{
    GameOptions, GameReport, Launch, Seat,
    game::{self, News},
};
use othello_core::Color;
use othello_proto::{
    codewarriors,
    gui::{self, Form, Version},
    session::{Cause, HostEvent, HostSession},
    sloan,
};

/// Time enough for a machine that is busy with everything else.
const PATIENCE: Duration = Duration::from_mins(1);

async fn check(host: impl HostSession, seats: [Seat; 2], launch: Launch) -> GameReport {
    let options = GameOptions {
        launch,
        ..GameOptions::default()
    };
    let mut moves = 0;
    let observer = |_: &_, news: News<'_>| {
        if let News::Event(HostEvent::Moved { .. }) = news {
            moves += 1;
        }
    };
    let report = game::run(host, seats, observer, &options, pending()).await;
    let verdict = report.outcome.verdict().expect("a verdict");
    assert_eq!(verdict.cause, Cause::Played);
    assert_eq!(verdict.winner, report.game.board().leader());
    assert_eq!(report.game.moves().len(), moves);
    for color in Color::ALL {
        assert_eq!(report.seat(color).faults, []);
    }
    report
}

#[tokio::test]
async fn sloan_is_played() {
    let referee = sloan::Referee::new(sloan::RefereeOptions::default());
    let seat = || {
        let player = sloan::Player::new(sloan::PlayerOptions::default());
        Seat::player("player", player, First)
    };
    let report = check(referee, [seat(), seat()], Launch::AtStart).await;
    assert!(report.game.board().is_over());
}

#[tokio::test]
async fn code_warriors_is_played() {
    let judge = codewarriors::Judge::new(codewarriors::JudgeOptions {
        limit: PATIENCE,
        ..codewarriors::JudgeOptions::default()
    });
    let seat = || {
        let player = codewarriors::Player::new(codewarriors::PlayerOptions::default());
        Seat::player("player", player, First)
    };
    let report = check(judge, [seat(), seat()], Launch::AtStart).await;
    assert!(report.game.board().is_over());
}

#[tokio::test]
async fn every_form_of_the_gui_is_played_and_makes_the_same_game() {
    let mut games = Vec::new();
    for (form, mode) in [
        (Form::Released, gui::Mode::Released),
        (Form::Document(Version::V1), gui::Mode::Document),
        (Form::Document(Version::V2), gui::Mode::Document),
        (Form::Stay(Version::V1), gui::Mode::Stay),
        (Form::Stay(Version::V2), gui::Mode::Stay),
    ] {
        let host = gui::Host::new(gui::HostOptions {
            form,
            limit: PATIENCE,
            startup: PATIENCE,
            ..gui::HostOptions::default()
        });
        let seat = || {
            let player = move || {
                gui::Player::new(gui::PlayerOptions {
                    mode,
                    ..gui::PlayerOptions::default()
                })
            };
            Seat::player_per_launch("player", player, First)
        };
        let report = check(host, [seat(), seat()], Launch::OnRequest).await;
        let launches = report.seat(Color::Black).launches;
        match form {
            Form::Stay(_) => assert_eq!(launches, 1),
            _ => assert!(launches > 20, "{launches}"),
        }
        games.push(report.game);
    }
    assert!(games.iter().all(|game| *game == games[0]));
}
