//! `othello analyze --batch`: the losses and the accuracy of players in many games.

pub(crate) mod games;
pub(crate) mod html;
mod shards;
mod tables;
pub(crate) mod workers;

use std::{
    ffi::OsString,
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context as _;
use boardgame_cli::{PAGE_START, ShardOptions, positive};
use boardgame_io::printable;
use othello_analysis::{AccuracyReport, AccuracyTables, GameLosses, Settings};
use othello_core::Color;
use othello_engine::Settings as EngineSettings;
use othello_match::engine::OwnWeights;
use serde::{Deserialize, Serialize};

use self::games::{BatchGame, Games};
use crate::{
    output::progress_bar,
    records::{Reading, exit_code, filter::Filter},
};

/// Options of a batch.
#[derive(clap::Args)]
pub(super) struct BatchOptions {
    /// Analyze all games of the files, or of the files in folders, and print how accurate the players are. Results
    /// depend on the games and the settings alone: the store is not used, and each of the threads analyzes games of its
    /// own
    #[arg(long, conflicts_with_all = ["store", "store_size"], help_heading = "Batches")]
    pub(super) batch: bool,
    /// Analyze only the first N games
    #[arg(
        long,
        value_name = "N",
        value_parser = positive::<NonZeroUsize>,
        requires = "batch",
        help_heading = "Batches"
    )]
    first: Option<NonZeroUsize>,
    /// Compare with the players of another batch, whose output with --json this file has
    #[arg(
        long,
        value_name = "FILE",
        requires = "batch",
        help_heading = "Batches"
    )]
    compare: Option<PathBuf>,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    shards: ShardOptions,
}

impl BatchOptions {
    /// Returns `true` if an option is used that is only for batches.
    pub(super) fn any(&self) -> bool {
        self.filter != Filter::default() || self.shards.division().is_some()
    }
}

/// The input and settings of a batch.
pub(super) struct Batch<'a> {
    /// Files and folders.
    pub(super) sources: &'a [OsString],
    pub(super) reading: &'a Reading,
    pub(super) options: &'a BatchOptions,
    pub(super) settings: Settings,
    /// The settings of the searchers; their threads analyze separate games.
    pub(super) engine: EngineSettings,
    /// The weights, unless they are the built-in ones.
    pub(super) weights: Option<&'a OwnWeights>,
    /// Print JSON: an object a line for each game, and one for the accuracy.
    pub(super) json: bool,
    /// A page of the tables.
    pub(super) html: Option<&'a Path>,
}

/// The last line of JSON.
#[derive(Serialize, Deserialize)]
struct Total {
    accuracy: AccuracyReport,
    /// The tables of `--compare`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compared: Option<AccuracyReport>,
}

impl Total {
    /// The largest output that is read.
    const MAX_SIZE: u64 = 1 << 30;

    /// Reads the last line of a batch's output.
    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = boardgame_files::read(path, Self::MAX_SIZE)?;
        let mut lines = text.trim_ascii_end().rsplit(|&byte| byte == b'\n');
        let read = serde_json::from_slice(lines.next().unwrap_or_default());
        read.context("expected the output of analyze --batch --json to its end")
    }
}

/// An analyzed game: a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Analyzed {
    /// The number of the game in the batch, from 1.
    number: u64,
    /// The name of the file, without its folder.
    file: String,
    /// The number of the game in the file, from 1.
    number_in_file: u64,
    #[serde(flatten)]
    losses: GameLosses,
}

impl Analyzed {
    fn new(item: u64, game: &BatchGame, losses: GameLosses) -> Self {
        Self {
            number: item + 1,
            file: game.file.clone(),
            number_in_file: game.number,
            losses,
        }
    }
}

/// The printer of a batch's results.
struct Printer<'a> {
    json: bool,
    html: Option<&'a Path>,
    filter: &'a Filter,
    tables: AccuracyTables,
    compared: Option<AccuracyReport>,
}

impl<'a> Printer<'a> {
    fn new(batch: &Batch<'a>) -> anyhow::Result<Self> {
        if let Some(path) = batch.html {
            boardgame_files::check_target(path, PAGE_START)?;
        }
        let compared = batch.options.compare.as_deref().map(|path| {
            let total = Total::read(path);
            total.with_context(|| path.display().to_string())
        });
        Ok(Self {
            json: batch.json,
            html: batch.html,
            filter: &batch.options.filter,
            tables: AccuracyTables::default(),
            compared: compared.transpose()?.map(|total| total.accuracy),
        })
    }

    /// Prints a game and adds it to the tables.
    fn game(&mut self, game: &Analyzed) -> io::Result<()> {
        self.tables.add(&game.losses);
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, game)?;
        } else {
            write!(out, "{}", in_words(game))?;
        }
        writeln!(out)?;
        out.flush()
    }

    /// Prints the accuracy in all games.
    fn tables(&self) -> anyhow::Result<()> {
        let total = Total {
            accuracy: self.tables.report(),
            compared: self.compared.clone(),
        };
        let tables = tables::Tables::new(&total.accuracy, total.compared.as_ref(), |player| {
            self.filter.names(player)
        });
        if let Some(path) = self.html {
            html::write(&tables, path)?;
        }
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &total)?;
            writeln!(out)?;
        } else {
            write!(out, "\n{tables}")?;
        }
        Ok(out.flush()?)
    }
}

/// Analyzes the games, or a shard of them, or merges all shards.
pub(super) fn run(batch: &Batch<'_>) -> anyhow::Result<ExitCode> {
    let BatchOptions { filter, first, .. } = batch.options;
    let games = Games::read(batch.sources, batch.reading, filter, *first)?;
    let code = exit_code(games.errors);
    if let Some(division) = batch.options.shards.division() {
        shards::run(batch, division, &games)?;
        return Ok(code);
    }
    let mut printer = Printer::new(batch)?;
    let bar = progress_bar(games.list.len());
    let items = (0..games.list.len() as u64).collect();
    let analyzed = workers::analyzed(batch, &games);
    workers::each(&batch.engine, items, analyzed, |game| {
        bar.suspend(|| printer.game(&game))?;
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    printer.tables()?;
    Ok(code)
}

/// Describes a game: `WTH_2001.wtb 12: Ann - Bob, 33-31, Tiger: Black loses 0.41 a move, 2 mistakes; White …`.
fn in_words(game: &Analyzed) -> String {
    let info = &game.losses.game;
    let named = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
    let mut parts = vec![format!(
        "{} - {}",
        named(&info.black.name),
        named(&info.white.name)
    )];
    parts.extend(info.result.as_ref().map(|result| result.text.clone()));
    parts.extend(info.remarks.iter().cloned());
    parts.extend(info.opening.as_ref().map(|opening| opening.name.clone()));
    let sides = [Color::Black, Color::White].map(|color| side_in_words(&game.losses, color));
    printable(&format!(
        "{} {}: {}: {}",
        game.file,
        game.number_in_file,
        parts.join(", "),
        sides.join("; ")
    ))
}

fn side_in_words(losses: &GameLosses, color: Color) -> String {
    let sums = losses.sums(&[color], None);
    let mean = sums.loss.to_f64() / f64::from(sums.moves.max(1));
    let mistakes = match sums.mistakes {
        1 => "1 mistake".to_owned(),
        mistakes => format!("{mistakes} mistakes"),
    };
    format!("{color} loses {mean:.2} a move, {mistakes}")
}
