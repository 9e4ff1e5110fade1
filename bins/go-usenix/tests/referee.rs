//! A game of two players under the tournament's rules: one that starts a process or is late would lose.
#![forbid(unsafe_code)]
#![cfg(target_os = "linux")]

use std::{
    future::{pending, ready},
    sync::Arc,
};

use boardgame_core::ByColor;
use boardgame_match::conduct;
use boardgame_session::Cause;
use go_core::{Position, Size};
use go_match::{GoProgram, Judge, TournamentOptions, ko_violations};

/// The player on a board of 9x9, in the process that the referee has started.
fn player(seed: u64) -> GoProgram {
    let program = env!("CARGO_BIN_EXE_go-usenix");
    let line =
        format!("env GO_USENIX_SIZE=9 GO_USENIX_PLAYOUTS=100 GO_USENIX_SEED={seed} '{program}'");
    line.parse().unwrap()
}

#[tokio::test]
async fn two_players_play_to_the_end_and_leave_nothing_unresolved() {
    let options = TournamentOptions {
        size: Size::NINE,
        ..TournamentOptions::default()
    };
    let programs = ByColor::from([player(1), player(2)]);
    let mut seats = programs
        .as_ref()
        .map(|program| program.seat("go-usenix", &options));
    let judge = Judge::default();
    let game = options.game(Arc::new(judge));
    let seats = seats.as_mut().map(Box::as_mut);
    let keep = |_: &Position, _: &_| ready(());
    let bounds = options.game_options();
    let played = conduct(game, seats, |_, _| {}, keep, &bounds, pending()).await;
    let report = played.unwrap();
    let verdict = report.outcome.verdict().expect("a verdict");
    assert_eq!(verdict.cause, Cause::Played, "{:?}", report.outcome);
    assert!(report.moves.len() > 60, "{} moves", report.moves.len());
    assert!(ko_violations(&report).is_empty());
    for seat in report.seats.iter() {
        assert!(seat.faults.is_empty(), "{:?}", seat.faults);
    }
    let judgement = judge.judge(&report.position);
    assert!(judgement.is_resolved(), "{judgement}");
}
