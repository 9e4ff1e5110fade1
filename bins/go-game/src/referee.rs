//! `go-game referee`: games of the tournament between two programs.

mod ask;
mod live;

use std::{
    fs,
    future::ready,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context as _, bail};
use boardgame_cli::LimitOptions;
use boardgame_core::{ByColor, Color};
use boardgame_io::{printable, stop_requested};
use boardgame_match::{Fault, GameReport, News, Outcome, Seat, conduct};
use clap::ValueEnum;
use go_core::{Move, Position, sgf::Record};
use go_match::{
    GoProgram, Judge, Ruling, TournamentOptions, is_judged, ko_violations, record, times,
};
use tokio::task::spawn_blocking;

use self::live::LivePage;
use crate::options::{JudgeOptions, RuleOptions};

const EXAMPLES: &str = "\
Examples:
  go-game referee ./mine ./other --games 2 --sgf games
  go-game referee ./mine 'gtp:gnugo --mode gtp --seed {seed}' --names Mine 'GNU Go' --games 2";

/// Referees games between two programs by the rules of the USENIX Computer Go Tournament.
///
/// A program gets no arguments but those given here. Its clock counts user CPU time; it may not start another
/// process. Two passes in sequence end a game, and a judge counts it.
#[derive(clap::Args)]
#[command(
    after_help = EXAMPLES
)]
pub(crate) struct Args {
    /// The program that has Black in the first game: a command line, after gtp: if it speaks GTP. {seed} in it
    /// is the number of the game
    black: GoProgram,
    /// The program that has White in the first game
    white: GoProgram,
    /// The names of the two programs on record, in place of their command lines
    #[arg(long, num_args = 2, value_names = ["BLACK", "WHITE"])]
    names: Vec<String>,
    /// The number of games; colours are exchanged from one to the next
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Write the games to this folder as 1.sgf, 2.sgf, …; it must not contain such files yet
    #[arg(long, value_name = "FOLDER")]
    sgf: Option<PathBuf>,
    /// Show the current game on a page for a browser, one file that is written after every move and reloads itself
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    limits: LimitOptions,
    /// Who has the last word on dead stones
    #[arg(long = "judge", value_enum, default_value_t = LastWord::Auto)]
    last_word: LastWord,
    #[command(flatten)]
    judge: JudgeOptions,
}

/// Who has the last word on a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LastWord {
    /// The judge who counts by playouts
    Auto,
    /// A person at the terminal, who sees what playouts say; the end of input accepts it
    Ask,
}

/// The end of a game or a series of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Decided,
    /// A game has no result.
    Undecided,
    CalledOff,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    TournamentOptions::check_system()?;
    if let Some(folder) = &args.sgf {
        prepare(folder, args.games)?;
    }
    let end = boardgame_io::block_on(args.play_all())??;
    Ok(match end {
        End::Decided => ExitCode::SUCCESS,
        End::Undecided | End::CalledOff => ExitCode::FAILURE,
    })
}

impl Args {
    async fn play_all(&self) -> anyhow::Result<End> {
        let options = TournamentOptions {
            limits: self.limits.limits()?,
            ..TournamentOptions::from(self.rules)
        };
        let mut page = match &self.html {
            Some(path) => Some(LivePage::new(path, options.setup())?),
            None => None,
        };
        let end = self.play_games(&options, page.as_mut()).await;
        if let Some(page) = page {
            page.end();
        }
        end
    }

    async fn play_games(
        &self,
        options: &TournamentOptions,
        mut page: Option<&mut LivePage>,
    ) -> anyhow::Result<End> {
        let judge = Judge::from(self.judge);
        let mut end = End::Decided;
        for number in 1..=self.games {
            let programs = self.programs(number);
            if let Some(page) = &mut page {
                page.start(programs.as_ref().map(|(_, name)| name.clone()));
            }
            let seats = programs
                .map(|(program, name)| program.with_seed(number.into()).seat(name, options));
            let report = play(options, judge, seats, page.as_deref_mut()).await?;
            check_started(&report)?;
            match Box::pin(self.conclude(number, &report, judge, page.as_deref_mut())).await? {
                End::Decided => {}
                End::Undecided => end = End::Undecided,
                End::CalledOff => return Ok(End::CalledOff),
            }
        }
        Ok(end)
    }

    /// Returns the programs of a game with their names. Their colours depend on its number.
    fn programs(&self, number: u32) -> ByColor<(&GoProgram, String)> {
        let mut programs = [(&self.black, 0), (&self.white, 1)].map(|(program, place)| {
            let name = self.names.get(place).cloned();
            (program, name.unwrap_or_else(|| program.to_string()))
        });
        if number.is_multiple_of(2) {
            programs.reverse();
        }
        programs.into()
    }

    /// Judges a game, writes its record and prints its outcome.
    async fn conclude(
        &self,
        number: u32,
        report: &GameReport<Position>,
        judge: Judge,
        page: Option<&mut LivePage>,
    ) -> anyhow::Result<End> {
        let (ruling, end) = if is_judged(report) {
            let (ruling, end) = Box::pin(self.rule(report, judge)).await;
            (Some(ruling), end)
        } else if report.outcome.verdict().is_some() {
            (None, Ok(End::Decided))
        } else {
            (None, Ok(End::CalledOff))
        };
        // The record comes first: the reader of the output may be gone.
        if self.sgf.is_some() || page.is_some() {
            let record = record(report, ruling.as_ref());
            if let Some(folder) = &self.sgf {
                write_sgf(folder, number, &record)?;
            }
            if let Some(page) = page {
                page.finish(record);
            }
        }
        print(number, report, ruling.as_ref())?;
        end
    }

    /// Returns the judge's last word and the end of the game by it: the proposed judgement, if a person cannot be asked
    /// to the end.
    async fn rule(
        &self,
        report: &GameReport<Position>,
        judge: Judge,
    ) -> (Ruling, anyhow::Result<End>) {
        let judgement = judge.judge(&report.position);
        let proposed = Ruling::counted(judgement.clone());
        if self.last_word == LastWord::Auto {
            return (proposed, Ok(End::Decided));
        }
        let position = report.position.clone();
        let asking = spawn_blocking(move || {
            // Standard output is not locked, so that others can write to it while the question is open.
            ask::ask(
                &mut io::stdin().lock(),
                &mut io::stdout(),
                &position,
                judgement,
            )
        });
        tokio::select! {
            answered = asking => match answered.map_err(anyhow::Error::from) {
                Ok(Ok(ruling)) if ruling.is_incomplete => (ruling, Ok(End::Undecided)),
                Ok(Ok(ruling)) => (ruling, Ok(End::Decided)),
                Ok(Err(error)) => (proposed, Err(error.into())),
                Err(error) => (proposed, Err(error)),
            },
            () = stop_requested() => (proposed, Ok(End::CalledOff)),
        }
    }
}

async fn play(
    options: &TournamentOptions,
    judge: Judge,
    mut seats: ByColor<Box<dyn Seat<Position>>>,
    mut page: Option<&mut LivePage>,
) -> anyhow::Result<GameReport<Position>> {
    let game = options.game(Arc::new(judge));
    let seats = seats.as_mut().map(Box::as_mut);
    let show = |_: &Position, news: News<'_, Move>| {
        if let Some(page) = &mut page {
            page.show(news);
        }
    };
    let keep = |_: &Position, _: &_| ready(());
    let bounds = options.game_options();
    let played = conduct(game, seats, show, keep, &bounds, stop_requested()).await;
    Ok(played?)
}

/// Fails with the reason if a program was not started, so that there was no game.
pub(crate) fn check_started(report: &GameReport<Position>) -> anyhow::Result<()> {
    let Outcome::NotStarted { seat } = report.outcome else {
        return Ok(());
    };
    let seat = &report.seats[seat];
    let faults = seat.faults.iter().map(|fault| match fault {
        Fault::NotStarted { .. } => fault.to_string(),
        fault => format!("{} {fault}", seat.name),
    });
    let faults: Vec<String> = faults.collect();
    bail!(printable(&faults.join(", ")))
}

fn print(number: u32, report: &GameReport<Position>, ruling: Option<&Ruling>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let sentence = ruling.map_or_else(
        || report.outcome.to_string(),
        |ruling| ruling.sentence(report),
    );
    writeln!(out, "game {number}: {}", printable(&sentence))?;
    for color in Color::ALL {
        let seat = &report.seats[color];
        let name = printable(&seat.name);
        writeln!(out, "  {color}: {name}: {}", times(seat))?;
        for fault in &seat.faults {
            writeln!(out, "  {color} {}", printable(&fault.to_string()))?;
        }
    }
    let violations = ko_violations(report);
    if !violations.is_empty() {
        writeln!(out, "  moves that take a ko back at once: {violations:?}")?;
    }
    if let Some(Ruling { judgement, .. }) = ruling {
        writeln!(out, "{judgement}")?;
    }
    out.flush()
}

/// Creates the folder of the records, unless it is there.
///
/// # Errors
///
/// Fails if the records of the games would replace some in it.
fn prepare(folder: &Path, games: u32) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut records = (1..=games).map(|number| record_path(folder, number));
    if let Some(old) = records.find(|path| path.exists()) {
        let old = old.display();
        bail!("expected a folder for --sgf without records of other games, found {old}");
    }
    Ok(())
}

fn record_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number}.sgf"))
}

fn write_sgf(folder: &Path, number: u32, record: &Record) -> anyhow::Result<()> {
    let path = record_path(folder, number);
    let text = record.to_string();
    boardgame_files::overwrite(&path, text.as_bytes()).with_context(|| path.display().to_string())
}
