//! The games over pipes.

use std::{fmt::Write as _, future::ready};

use anyhow::bail;
use boardgame_core::ByColor;
use boardgame_match::{GameOptions, GameReport, News, Outcome, conduct};
use boardgame_session::{Cause, SeatSession, Verdict};
use othello_core::{Board, Color, Move};
use othello_host::{
    CommandLine, ProgramOptions,
    formats::{self, CodeWarriorsOptions, FormatGame, GuiOptions, SloanOptions},
    replay::{ObservedGame, replay},
};

use super::{Args, Format, Row};
use crate::{own, watch::Watch};

/// Plays the game of a format that goes over pipes.
pub(super) fn play(args: &Args, format: Format, watch: &mut Watch) -> anyhow::Result<Row> {
    let programs = args.programs(format, &[])?;
    let report = match format {
        Format::Sloan => host(formats::sloan(SloanOptions::default()), programs, watch),
        Format::Codewarriors => host(
            formats::codewarriors(CodeWarriorsOptions::default()),
            programs,
            watch,
        ),
        Format::Gui | Format::Lth => host(formats::gui(GuiOptions::default()), programs, watch),
    }?;
    watch.conclude(&replay(&report))?;
    if report.outcome == Outcome::Cancelled {
        bail!("interrupted");
    }
    Ok(row(format, &report))
}

fn host<S: SeatSession<Board> + Clone + Send + 'static>(
    format: FormatGame<S>,
    programs: [CommandLine; 2],
    watch: &mut Watch,
) -> anyhow::Result<GameReport<Board>> {
    let mut seats = ByColor::from(programs)
        .map(|line| format.program(own::short_name(&line), line, ProgramOptions::default()));
    let mut observed = ObservedGame::new(&format.game)?;
    let observer = |_: &Board, news: News<'_, Move>| {
        observed.update(&news);
        watch.show(observed.game(), news);
    };
    let keep = |_: &Board, _: &Verdict| ready(());
    let stop = othello_net::stop_requested();
    let options = GameOptions::default();
    let seats = seats.as_mut().map(Box::as_mut);
    let report = conduct(format.game, seats, observer, keep, &options, stop);
    Ok(crate::block_on(report)??)
}

fn row(format: Format, report: &GameReport<Board>) -> Row {
    let verdict = report.outcome.verdict();
    let mut result = verdict.map_or_else(|| report.outcome.to_string(), |v| v.cause.to_string());
    for seat in report.seats.iter() {
        for fault in &seat.faults {
            let _ = write!(result, "; {}: {fault}", seat.name);
        }
    }
    Row {
        format,
        names: Color::ALL.map(|color| report.seats[color].name.clone()),
        discs: Color::ALL.map(|color| report.position.discs(color).count()),
        moves: report.moves.len(),
        result,
        elapsed: report.elapsed,
        played: verdict.is_some_and(|verdict| verdict.cause == Cause::Played),
    }
}
