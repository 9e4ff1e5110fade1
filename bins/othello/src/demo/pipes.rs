//! The games over pipes.

use std::future::ready;

use anyhow::bail;
use boardgame_cli::terminal::Watch;
use boardgame_core::ByColor;
use boardgame_match::{GameOptions, GameReport, News, Outcome, conduct};
use boardgame_session::{Cause, SeatSession, Verdict};
use othello_core::{Board, Color, Move};
use othello_host::{
    CommandLine, ProgramOptions,
    formats::{self, CodeWarriorsOptions, FormatGame, GuiOptions, SloanOptions},
    replay::{ObservedGame, replay},
};

use super::{Args, DemoGame, Format, Row, discs};
use crate::{diagram::Diagram, own};

/// Plays the game of a format over pipes.
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
    watch.conclude(&Diagram::of(&replay(&report)))?;
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
        watch.show(&Diagram::of(observed.game()), &news);
    };
    let keep = |_: &Board, _: &Verdict| ready(());
    let stop = othello_net::stop_requested();
    let options = GameOptions::default();
    let seats = seats.as_mut().map(Box::as_mut);
    let report = conduct(format.game, seats, observer, keep, &options, stop);
    Ok(othello_net::block_on(report)??)
}

fn row(format: Format, report: &GameReport<Board>) -> Row {
    let verdict = report.outcome.verdict();
    Row {
        game: DemoGame::Othello(format),
        names: Color::ALL.map(|color| report.seats[color].name.clone()),
        score: discs(Color::ALL.map(|color| report.position.discs(color).count())),
        moves: report.moves.len(),
        result: super::result(report),
        elapsed: report.elapsed,
        played: verdict.is_some_and(|verdict| verdict.cause == Cause::Played),
    }
}
