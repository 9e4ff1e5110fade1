//! The game of Go over pipes, under the rules of the USENIX tournament.

use std::{future::ready, sync::Arc, time::Duration};

use anyhow::bail;
use boardgame_cli::terminal::Watch;
use boardgame_core::{ByColor, Color};
use boardgame_match::{GameReport, News, Outcome, conduct};
use boardgame_session::{Cause, Verdict};
use go_core::{Move, Position, Size};
use go_match::{Format, GoProgram, Judge, TournamentOptions};
use othello_host::CommandLine;

use super::{Args, DemoGame, Row};
use crate::own;

/// Returns whether this system reports user CPU time, which the tournament's clock counts.
pub(super) fn can_be_refereed() -> bool {
    TournamentOptions::check_system().is_ok()
}

/// Plays a game, a short one if both players are ours: a guest knows only the tournament's board and times.
pub(super) fn play(args: &Args, watch: &mut Watch) -> anyhow::Result<Row> {
    TournamentOptions::check_system()?;
    let guest = args.guest(DemoGame::Usenix);
    let options = match guest {
        None => short_game(),
        Some(_) => TournamentOptions::default(),
    };
    let white = guest
        .cloned()
        .map_or_else(|| own_player(args, &options, "2"), Ok)?;
    let programs = [own_player(args, &options, "1")?, white];
    let report = othello_net::block_on(referee(programs, &options, watch))??;
    watch.conclude(&report.position)?;
    if report.outcome == Outcome::Cancelled {
        bail!("interrupted");
    }
    Ok(row(&report))
}

/// Returns the rules of a game of a few seconds.
fn short_game() -> TournamentOptions {
    TournamentOptions {
        size: Size::NINE,
        limit: Duration::from_secs(6),
        byo_romi: Duration::from_millis(200),
        ..TournamentOptions::default()
    }
}

/// Returns the command line of our own player, with the settings that the format does not transmit.
fn own_player(args: &Args, options: &TournamentOptions, seed: &str) -> anyhow::Result<CommandLine> {
    let time = |time: Duration| format!("{}ms", time.as_millis());
    let words = [
        "--size",
        &options.size.to_string(),
        "--main-time",
        &time(options.limit),
        "--byo-romi",
        &time(options.byo_romi),
        "--move-time",
        &time(args.move_time.max(Duration::from_millis(1))),
        "--seed",
        seed,
    ];
    own::player("usenix", &words)
}

async fn referee(
    programs: [CommandLine; 2],
    options: &TournamentOptions,
    watch: &mut Watch,
) -> anyhow::Result<GameReport<Position>> {
    let mut seats = ByColor::from(programs).map(|line| {
        let name = own::short_name(&line);
        let format = Format::Usenix;
        GoProgram { format, line }.seat(name, options)
    });
    let game = options.game(Arc::new(Judge::default()));
    let seats = seats.as_mut().map(Box::as_mut);
    let observer = |position: &Position, news: News<'_, Move>| watch.show(position, &news);
    let keep = |_: &Position, _: &Verdict| ready(());
    let bounds = options.game_options();
    let stop = othello_net::stop_requested();
    Ok(conduct(game, seats, observer, keep, &bounds, stop).await?)
}

fn row(report: &GameReport<Position>) -> Row {
    let verdict = report.outcome.verdict();
    let margin = verdict.and_then(|verdict| verdict.margin);
    Row {
        game: DemoGame::Usenix,
        names: Color::ALL.map(|color| report.seats[color].name.clone()),
        score: margin.map_or_else(|| "-".into(), |margin| margin.to_string()),
        moves: report.moves.len(),
        result: super::result(report),
        elapsed: report.elapsed,
        played: verdict.is_some_and(|verdict| verdict.cause == Cause::Played),
    }
}
