//! Games of the tournament on a small board.

use std::{
    future::{pending, ready},
    sync::Arc,
};

use boardgame_core::ByColor;
use boardgame_match::{GameReport, conduct};
use boardgame_session::Cause;
use go_core::{Position, Size};
use go_match::{GoProgram, Judge, TournamentOptions};

pub(crate) fn small() -> TournamentOptions {
    TournamentOptions {
        size: Size::new(5).unwrap(),
        ..TournamentOptions::default()
    }
}

pub(crate) async fn play(
    options: &TournamentOptions,
    programs: [GoProgram; 2],
) -> GameReport<Position> {
    let programs = ByColor::from(programs);
    let mut seats = programs
        .as_ref()
        .map(|program| program.seat("script", options));
    let judge = Arc::new(Judge::default());
    let game = options.game(judge);
    let seats = seats.as_mut().map(Box::as_mut);
    let keep = |_: &Position, _: &_| ready(());
    let bounds = options.game_options();
    let game = conduct(game, seats, |_, _| {}, keep, &bounds, pending());
    game.await.unwrap()
}

pub(crate) fn cause(report: &GameReport<Position>) -> &Cause {
    &report.outcome.verdict().expect("a verdict").cause
}
