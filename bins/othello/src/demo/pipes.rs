//! The games over pipes.

use std::fmt::Write as _;

use anyhow::bail;
use othello_arena::{
    CommandLine, GameOptions, GameReport, Launch, Outcome, ProgramOptions, Seat, game,
    record::describe,
};
use othello_core::Color;
use othello_proto::{
    codewarriors::{Judge, JudgeOptions},
    gui::{Host, HostOptions},
    session::{Cause, HostSession},
    sloan::{Referee, RefereeOptions},
};

use super::{Args, Format, Row};
use crate::{own, watch::Watch};

/// Plays the game of a format that goes over pipes.
pub(super) fn play(args: &Args, format: Format, watch: &mut Watch) -> anyhow::Result<Row> {
    let programs = args.programs(format, &[])?;
    let at_start = GameOptions::default();
    match format {
        Format::Sloan => host(
            format,
            Referee::new(RefereeOptions::default()),
            programs,
            &at_start,
            watch,
        ),
        Format::Codewarriors => host(
            format,
            Judge::new(JudgeOptions::default()),
            programs,
            &at_start,
            watch,
        ),
        Format::Guibot | Format::Lth => {
            let on_request = GameOptions {
                launch: Launch::OnRequest,
                ..at_start
            };
            host(
                format,
                Host::new(HostOptions::default()),
                programs,
                &on_request,
                watch,
            )
        }
    }
}

fn host(
    format: Format,
    session: impl HostSession,
    programs: [CommandLine; 2],
    options: &GameOptions,
    watch: &mut Watch,
) -> anyhow::Result<Row> {
    let seats =
        programs.map(|line| Seat::program(own::short_name(&line), line, ProgramOptions::default()));
    let observer = |game: &_, news: game::News<'_>| watch.show(game, news);
    let stop = othello_net::stop_requested();
    let report = crate::block_on(game::run(session, seats, observer, options, stop))?;
    watch.conclude(&report.game)?;
    if report.outcome == Outcome::Cancelled {
        bail!("interrupted");
    }
    Ok(row(format, &report))
}

fn row(format: Format, report: &GameReport) -> Row {
    let verdict = report.outcome.verdict();
    let mut result = verdict.map_or_else(|| report.outcome.to_string(), |v| describe(&v.cause));
    for seat in Color::ALL.map(|color| report.seat(color)) {
        for fault in &seat.faults {
            let _ = write!(result, "; {}: {fault}", seat.name);
        }
    }
    Row {
        format,
        names: Color::ALL.map(|color| report.seat(color).name.clone()),
        discs: Color::ALL.map(|color| report.game.board().discs(color).count()),
        moves: report.game.moves().len(),
        result,
        elapsed: report.elapsed,
        played: verdict.is_some_and(|verdict| verdict.cause == Cause::Played),
    }
}
