//! `othello-train calibrate`: the calibration of ProbCut.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::ensure;
use boardgame_files::shards::Shard;

use super::{
    corpus,
    engine::{EngineOptions, SMALL_TABLE},
    progress::bar,
};
use crate::{
    calibrate::{
        Calibration, Observation, Observations, Pairs, read_observations, search_parts,
        search_work, source,
    },
    corpus::Split,
};

const EXAMPLES: &str = "\
Example: othello-train calibrate searches gen/2 --weights gen/2.weights --out fit.rs
With --shard the searches can be divided among processes.

An interrupted run is resumed by the same command.";

/// Fits ProbCut: the errors of shallow searches relative to deep searches and exact scores.
///
/// Positions of held-out games are searched without selectivity, each from an empty table. The
/// results are stored; the fits use those of all shards in the folder.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the searches, created if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Shards of games, or folders of them
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Number of positions to search, of all shards together
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    searches: usize,
    /// Part of the positions to search: the I-th of N, from 0
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    #[command(flatten)]
    engine: EngineOptions,
    /// One in N games is held out
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
    /// Maximum running time, as in 20m
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Write the fits as Rust source for the search
    #[arg(long, value_name = "FILE.rs")]
    out: Option<PathBuf>,
}

/// The minimum number of searches to the end for `--out`: the deviation has five coefficients.
const MIN_ENDS: usize = 5;
/// The beginning of the comment of a source file with fits.
const MADE: &str = "Made by `othello-train calibrate`";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.out {
        boardgame_files::check_target(path, format!("//! {MADE}").as_bytes())?;
    }
    search(args)?;
    let observations = read_observations(&args.folder)?;
    let ends = observations.iter().filter(|search| search.exact.is_some());
    let ends = ends.count();
    ensure!(
        args.out.is_none() || ends >= MIN_ENDS,
        "expected at least {MIN_ENDS} searches to the end for a fit, found {ends}"
    );
    let calibration = Calibration::from(Pairs::of(&observations));
    if let Some(path) = &args.out {
        let text = source(&calibration, &comment(args, observations.len())?);
        boardgame_files::replace(path, text.as_bytes())?;
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} searches, {ends} of them to the end",
        observations.len(),
    )?;
    write!(out, "{calibration}")?;
    Ok(())
}

/// Runs the missing searches.
fn search(args: &Args) -> anyhow::Result<()> {
    let corpus = corpus::open(&args.games)?;
    let mut searcher = args.engine.searcher(SMALL_TABLE)?;
    let wanted = Observations {
        count: args.searches,
        split: Split {
            one_in: args.hold_out,
        },
    };
    let positions = wanted.positions(&corpus)?;
    ensure!(
        positions.len() == args.searches,
        "expected {} positions, but the held-out games have {}",
        args.searches,
        positions.len(),
    );
    let work = search_work(&wanted, &corpus, &mut searcher);
    let mut part = search_parts(&args.folder).open(&work, args.shard)?;
    let share = args.shard.share_of(positions.len() as u64);
    let bar = bar("searches", share, part.records());
    let began = Instant::now();
    while let Some(number) = part.next_item()
        && args.time.is_none_or(|time| began.elapsed() < time)
    {
        let observation = Observation::make(&mut searcher, number, positions[number as usize]);
        part.append(&observation.to_string())?;
        bar.inc(1);
    }
    part.sync()?;
    bar.finish_and_clear();
    Ok(())
}

/// The comment at the start of the source file, which states its origin.
fn comment(args: &Args, searches: usize) -> anyhow::Result<String> {
    let weights = args.engine.name()?;
    Ok(format!("{MADE} from {searches} searches with {weights}."))
}
