//! `othello host`: the other side of each of the four competition formats.
//!
//! The formats whose programs are started here share code for two programs, a series of games and a
//! table.

mod codewarriors;
pub(crate) mod gui;
mod lth;
mod sloan;
pub(crate) mod table;

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context as _, bail};
use boardgame_cli::{
    LimitOptions,
    terminal::{Detail, Watch},
};
use boardgame_match::{Fault, ForfeitScore, GameOptions, GameReport, Outcome};
use boardgame_session::SeatSession;
use othello_core::Board;
use othello_host::{
    CommandLine, FORFEIT_SCORE, ProgramOptions,
    formats::FormatGame,
    likely_cause::AnswerForm,
    record::{GameRecord, Journal},
    series::{self, Contestant, SeriesNews, SeriesOptions, SeriesReport},
};
use othello_web::live::SeriesRun;

use crate::{
    diagram::Diagram,
    own,
    watch::{WatchOptions, WatchServer},
};

/// Hosts a wire format: referees, judges or serves games of programs that speak it.
#[derive(clap::Subcommand)]
pub(crate) enum Format {
    Sloan(sloan::Args),
    Lth(lth::Args),
    Codewarriors(codewarriors::Args),
    Gui(gui::Args),
}

pub(crate) fn run(format: &Format) -> anyhow::Result<ExitCode> {
    match format {
        Format::Sloan(args) => sloan::run(args),
        Format::Lth(args) => lth::run(args),
        Format::Codewarriors(args) => codewarriors::run(args),
        Format::Gui(args) => gui::run(args),
    }
}

/// Two programs and how many games they play.
#[derive(Clone, clap::Args)]
pub(crate) struct Contest {
    /// The programs, each with its arguments, quoted as for a shell; our own player stands in for
    /// one that is missing, within the limit of the game
    #[arg(value_name = "PROGRAM", num_args = 0..=2)]
    programs: Vec<CommandLine>,
    /// The number of games, colours alternating; the first program is Black in the odd ones
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The number of games played at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Append a line of JSON for each game to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The discs by which a game lost by a fault counts in the table, or board for those on the board
    #[arg(long, value_name = "DISCS", default_value_t = FORFEIT_SCORE)]
    forfeit_score: ForfeitScore,
    #[command(flatten)]
    detail: Detail,
    #[command(flatten)]
    watch: WatchOptions,
    #[command(flatten)]
    limits: LimitOptions,
}

impl Contest {
    /// Returns the programs, with our own player of a format for a missing one. `settings` are the
    /// host's terms that the format does not transmit to it.
    fn programs(&self, format: &str, settings: &[&str]) -> anyhow::Result<[CommandLine; 2]> {
        let mut given = self.programs.iter().cloned();
        let mut next = || {
            given
                .next()
                .map_or_else(|| own::player(format, settings), Ok)
        };
        Ok([next()?, next()?])
    }

    /// Plays the games of a format and prints the results.
    pub(crate) fn play<S: SeatSession<Board> + Clone + Send + 'static>(
        &self,
        format: &str,
        settings: &[&str],
        game: &FormatGame<S>,
    ) -> anyhow::Result<ExitCode> {
        let programs = self.programs(format, settings)?;
        let program = ProgramOptions {
            limits: self.limits.limits()?,
            ..ProgramOptions::default()
        };
        let mut journal = self.record.as_ref().map(Journal::open).transpose()?;
        let options = SeriesOptions {
            games: self.games,
            concurrency: self.concurrency.into(),
            game: GameOptions::default(),
            forfeit: self.forfeit_score,
        };
        let server = self.watch.start()?;
        let shown = server.as_ref().map(|server| {
            let names = Contestant::ALL.map(|contestant| name(&programs, contestant));
            SeriesRun::new(
                server.runs(),
                (format, game.answers),
                names,
                &game.game,
                &options,
            )
        });
        let mut shown = shown.transpose()?;
        let mut watch = Watch::new(self.detail);
        let mut trouble = None;
        let seat = |number: u32, contestant, _| {
            let line: &CommandLine = &programs[contestant as usize];
            game.program(
                name(&programs, contestant),
                line.with_seed(number.into()),
                program.clone(),
            )
        };
        let observer = |number, news: SeriesNews<'_>| {
            if let Some(shown) = &mut shown {
                shown.observe(number, &news);
            }
            match news {
                SeriesNews::Game(board, news) if self.concurrency == 1 => {
                    watch.show(&Diagram::of(board), &news);
                }
                SeriesNews::Game(..) => {}
                SeriesNews::Finished(report) if not_started(report).is_some() => watch.settle(),
                SeriesNews::Finished(report) => {
                    watch.settle();
                    let kept = keep(journal.as_mut(), (format, game.answers), report);
                    let printed = self.tell(number, report, game.answers);
                    trouble = trouble.take().or(kept.and(printed).err());
                }
            }
        };
        let report = othello_net::block_on(series::play(
            &game.game,
            seat,
            observer,
            &options,
            othello_net::stop_requested(),
        ))??;
        trouble.map_or(Ok(()), Err)?;
        let mut games = report.games.iter().map(|(_, game)| game);
        match games.clone().find_map(not_started) {
            None => {
                let code = self.conclude(&programs, &report)?;
                drop(shown);
                if report.games.len() == self.games as usize {
                    WatchServer::stay(server.as_ref());
                }
                Ok(code)
            }
            Some(fault) => {
                if games.any(|game| not_started(game).is_none()) {
                    self.conclude(&programs, &report)?;
                }
                bail!("{fault}");
            }
        }
    }

    fn tell(
        &self,
        number: u32,
        report: &GameReport<Board>,
        answers: AnswerForm,
    ) -> anyhow::Result<()> {
        if self.detail.quiet {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        Ok(table::game(&mut out, number, report, answers)?)
    }

    fn conclude(
        &self,
        programs: &[CommandLine; 2],
        report: &SeriesReport,
    ) -> anyhow::Result<ExitCode> {
        let names = Contestant::ALL.map(|contestant| name(programs, contestant));
        let mut out = io::stdout().lock();
        table::series(&mut out, &names, report)?;
        out.flush()?;
        let complete = report.undecided == 0 && report.games.len() == self.games as usize;
        Ok(if complete {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

/// Returns the reason why there was no game: a program that could not be started.
pub(crate) fn not_started(report: &GameReport<Board>) -> Option<&Fault> {
    let Outcome::NotStarted { seat } = report.outcome else {
        return None;
    };
    let mut faults = report.seats[seat].faults.iter();
    faults.find(|fault| matches!(fault, Fault::NotStarted { .. }))
}

fn keep(
    journal: Option<&mut Journal>,
    (event, answers): (&str, AnswerForm),
    report: &GameReport<Board>,
) -> anyhow::Result<()> {
    match journal {
        Some(journal) => journal
            .append(&GameRecord::from_report(event, report, answers))
            .context("the game is not on record"),
        None => Ok(()),
    }
}

/// Returns a program's name in tables: its command line, numbered if both are the same.
fn name(programs: &[CommandLine; 2], contestant: Contestant) -> String {
    let line = own::name(&programs[contestant as usize]);
    if programs[0] == programs[1] {
        format!("{line} #{}", contestant as usize + 1)
    } else {
        line
    }
}
