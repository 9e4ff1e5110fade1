//! `othello analyze`: the value of every move of a game.

pub(crate) mod annotate;
pub(crate) mod batch;
pub(crate) mod html;
mod input;
mod json;
mod proofs;
pub(crate) mod report;
mod search;

use std::{
    ffi::{OsStr, OsString},
    num::NonZeroU64,
    path::{Path, PathBuf},
    process::ExitCode,
    slice,
    time::Duration,
};

use anyhow::{bail, ensure};
use boardgame_cli::{PAGE_START, duration, number_of, positive};
use clap::builder::ArgPredicate;
use othello_analysis::{Analysis, Report, Settings};
use othello_cli::hash_size;
use othello_engine::{HashSize, ThreadCount, text::threads};

use self::{
    annotate::Annotation,
    batch::{Batch, BatchOptions},
    proofs::Proofs,
    search::End,
};
use crate::{engine::EvaluationOptions, output::tell, records::Reading, store::StoreOptions};

/// The name and version in reports.
pub(crate) const PROGRAM: &str = concat!("othello ", env!("CARGO_PKG_VERSION"));

/// Shows the value of every move of a game, what each lost, and what would have been better.
///
/// Values are in discs from Black's side. Near the end of the game they are exact and have no decimals; those before
/// are estimates. docs/analysis.md explains the numbers.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello analyze game.sgf
  othello analyze f5d6c3d3c4f4f6f3e6e7
  othello analyze WTH_2001.wtb --players WTHOR.JOU --game 17 --time 2m
  othello analyze game.ggf --json=game.json --annotate game-analyzed.sgf
  othello analyze game.pgn --html game.html
  othello analyze game.sgf --proofs proofs
  othello analyze WTH_2001.wtb --batch --player '#1728' --depth 10
  othello analyze games --batch --player ann --compare WTH_2018.json --html ann.html
  By two processes, whose games are then printed as those of one:
    othello analyze games --batch --parts analyzed --shard 0/2 &
    othello analyze games --batch --parts analyzed --shard 1/2 &
    wait; othello analyze games --batch --parts analyzed --merge")]
pub(crate) struct Args {
    /// A file of game records, - for standard input, or moves such as f5d6c3; in a batch several files, or folders of
    /// them
    #[arg(value_name = "GAME", required = true)]
    sources: Vec<OsString>,
    /// The number of the game in the file [default: the first]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>, conflicts_with = "batch")]
    game: Option<NonZeroU64>,
    #[command(flatten)]
    reading: Reading,
    /// Search depth in plies, at least 2, where the game is not solved; lowered by one where needed so that leaves have
    /// an odd number of empty squares [default: 16; no limit with --time]
    #[arg(long, value_name = "PLIES", value_parser = number_of("plies", 2..=60))]
    depth: Option<u32>,
    /// Solve positions exactly from this many empty squares [default: 24; no limit with --time]
    #[arg(long, value_name = "EMPTIES", value_parser = clap::value_parser!(u32).range(..=60))]
    exact_from: Option<u32>,
    /// Use this much time for the game, as thoroughly as it allows
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "batch")]
    time: Option<Duration>,
    /// Search with this many threads, or analyze N games of a batch in parallel; auto is one for each CPU. With --shard
    /// the default is 1
    #[arg(
        long,
        value_name = "N",
        default_value = "auto",
        default_value_if("shard", ArgPredicate::IsPresent, "1"),
        value_parser = threads
    )]
    threads: ThreadCount,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value = "64", value_parser = hash_size())]
    hash: HashSize,
    #[command(flatten)]
    evaluation: EvaluationOptions,
    /// Print the analysis as JSON instead, or write it to a file as well
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Write the analysis, or the tables of a batch, as a page for a browser, one file that loads nothing
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the record with comments and values to a new file, by its name .sgf or .ggf
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    annotate: Option<PathBuf>,
    /// Mark exact values that these files of othello prove, or those of folders, prove
    #[arg(long, value_name = "FILE|FOLDER", num_args = 1.., conflicts_with = "batch")]
    proofs: Vec<PathBuf>,
    /// Refuse a proof that takes more nodes than this to check
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000_000_000,
        requires = "proofs"
    )]
    proof_nodes: u64,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    batch: BatchOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.sources[..] {
        sources if args.batch.batch => run_batch(args, sources),
        _ if args.batch.any() => bail!("expected --batch with filters, --shard and --merge"),
        [source] => analyze(args, source),
        sources => bail!(
            "expected one game, or --batch for several; found {}",
            sources.len()
        ),
    }
}

/// Analyzes many games.
fn run_batch(args: &Args, sources: &[OsString]) -> anyhow::Result<ExitCode> {
    ensure!(
        args.json.as_deref().is_none_or(is_stdout),
        "expected --json without a file: a batch prints a line for each game"
    );
    let defaults = Settings::default();
    batch::run(&Batch {
        sources,
        reading: &args.reading,
        options: &args.batch,
        settings: Settings {
            depth: args.depth.unwrap_or(defaults.depth),
            exact_from: args.exact_from.unwrap_or(defaults.exact_from),
        },
        engine: search::engine(args),
        weights: args.evaluation.weights.as_ref(),
        json: args.json.is_some(),
        html: args.html.as_deref(),
    })
}

/// Analyzes one game.
fn analyze(args: &Args, source: &OsStr) -> anyhow::Result<ExitCode> {
    let annotation = args.annotate.as_deref().map(Annotation::new).transpose()?;
    let json = args.json.as_deref().filter(|path| !is_stdout(path));
    let json = json.map(|path| (path, json::KIND));
    let html = args.html.as_deref().map(|path| (path, PAGE_START));
    for (path, kind) in json.into_iter().chain(html) {
        boardgame_files::check_target(path, kind)?;
    }
    let (mut record, is_whole) = input::read(source, &args.reading, args.game)?;
    let proofs = Proofs::read(&args.proofs, args.proof_nodes, &Analysis::new(&record.game))?;
    let done = search::run(args, &record.game)?;
    if let Some(text) = done.end_in_words() {
        tell(format_args!("{text}"))?;
    }
    let mut report = Report::new(PROGRAM, &record, &done.analysis, &done.settings);
    proofs.mark(&done.analysis, &mut report)?;
    let written = write_files(args, &report).and_then(|()| {
        annotation.map_or(Ok(()), |annotation| {
            othello_analysis::annotate(&mut record, &done.analysis, PROGRAM);
            annotation.write(slice::from_ref(&record))
        })
    });
    // Printed even if a file could not be written, and last, since the reader of standard output may be gone.
    let printed = match args.json.as_deref() {
        Some(path) if is_stdout(path) => json::print(&report),
        _ => report::print(&report).map_err(Into::into),
    };
    written.and(printed)?;
    Ok(if done.end == End::Interrupted || !is_whole {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Writes the report to the files of `--json` and `--html`.
fn write_files(args: &Args, report: &Report) -> anyhow::Result<()> {
    if let Some(path) = args.json.as_deref().filter(|path| !is_stdout(path)) {
        json::write(report, path)?;
    }
    if let Some(path) = &args.html {
        html::write(report, path)?;
    }
    Ok(())
}

/// Returns whether a path means standard output.
fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}
