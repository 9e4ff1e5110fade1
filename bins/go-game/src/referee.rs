//! `go-game referee`: games of the tournament between two programs.

use std::{
    fs,
    future::ready,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context as _, bail};
use boardgame_core::{ByColor, Color};
use boardgame_io::stop_requested;
use boardgame_match::{GameReport, Outcome, conduct};
use go_core::Position;
use go_host::{GoProgram, Judge, TournamentOptions, is_judged, ko_violations, record};

use crate::options::{JudgeOptions, RuleOptions};

/// Referees games between two programs by the rules of the USENIX Computer Go Tournament.
///
/// A program gets no arguments but those given here. Its clock counts user CPU time; it may not start another
/// process. Two passes in sequence end a game, and playouts judge it.
#[derive(clap::Args)]
#[command(
    after_help = "Example: go-game referee ./mine 'gtp:gnugo --mode gtp' --games 2 --sgf games"
)]
pub(crate) struct Args {
    /// The program that has Black in the first game: a command line, after gtp: if it speaks GTP
    black: GoProgram,
    /// The program that has White in the first game
    white: GoProgram,
    /// The number of games; colours are exchanged from one to the next
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Write the games to this folder, as 1.sgf and so on
    #[arg(long, value_name = "FOLDER")]
    sgf: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    judge: JudgeOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    TournamentOptions::check_system()?;
    if let Some(folder) = &args.sgf {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let options = TournamentOptions::from(args.rules);
    let judge = Judge::from(args.judge);
    for number in 1..=args.games {
        let (black, white) = match number % 2 {
            1 => (&args.black, &args.white),
            _ => (&args.white, &args.black),
        };
        let report = boardgame_io::block_on(play(&options, judge, ByColor { black, white }))??;
        print(number, &report, &judge)?;
        if let Some(folder) = &args.sgf {
            write_sgf(folder, number, &report, &judge)?;
        }
        check_started(&report)?;
        if report.outcome.verdict().is_none() {
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn play(
    options: &TournamentOptions,
    judge: Judge,
    programs: ByColor<&GoProgram>,
) -> anyhow::Result<GameReport<Position>> {
    let mut seats = programs.map(|program| program.seat(program.to_string(), options));
    let game = options.game(Arc::new(judge));
    let seats = seats.as_mut().map(Box::as_mut);
    let keep = |_: &Position, _: &_| ready(());
    let bounds = options.game_options();
    let played = conduct(game, seats, |_, _| {}, keep, &bounds, stop_requested()).await;
    Ok(played?)
}

/// Fails with the reason why there was no game, if a program was not started.
pub(crate) fn check_started(report: &GameReport<Position>) -> anyhow::Result<()> {
    let Outcome::NotStarted { seat } = report.outcome else {
        return Ok(());
    };
    let seat = &report.seats[seat];
    let faults: Vec<String> = seat.faults.iter().map(ToString::to_string).collect();
    bail!("{} {}", seat.name, faults.join(", "))
}

fn print(number: u32, report: &GameReport<Position>, judge: &Judge) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "game {number}: {}", report.outcome)?;
    for color in Color::ALL {
        let seat = &report.seats[color];
        writeln!(out, "  {color}: {}, {} moves", seat.name, seat.moves)?;
        for fault in &seat.faults {
            writeln!(out, "  {color} {fault}")?;
        }
    }
    let violations = ko_violations(report);
    if !violations.is_empty() {
        writeln!(out, "  moves that take a ko back at once: {violations:?}")?;
    }
    if is_judged(report) {
        writeln!(out, "{}", judge.judge(&report.position))?;
    }
    out.flush()
}

fn write_sgf(
    folder: &Path,
    number: u32,
    report: &GameReport<Position>,
    judge: &Judge,
) -> anyhow::Result<()> {
    let comment = if is_judged(report) {
        judge.judge(&report.position).to_string()
    } else {
        String::new()
    };
    let path = folder.join(format!("{number}.sgf"));
    fs::write(&path, record(report, &comment).to_string())
        .with_context(|| path.display().to_string())
}
