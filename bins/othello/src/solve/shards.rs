//! Problems divided into shards, whose parts have an answer a line, without times, so that they are reproducible.

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use anyhow::Context as _;
use boardgame_cli::Division;
use boardgame_files::shards::{Parts, Shard, Work, program_version};
use serde::Serialize;

use super::{Args, Problems, examine, found::Found, tell, total::Total};
use crate::output::progress_bar;

/// All settings that affect the answers.
#[derive(Serialize)]
struct Settings {
    program: String,
    /// The CRC-32 of the text of the problems.
    problems: String,
    first: Option<usize>,
    depth: Option<u32>,
    confidence: u8,
    wld: bool,
    stats: bool,
    threads: String,
    hash: String,
    /// The CRC-32 of the weights, unless they are the built-in ones.
    weights: Option<String>,
}

/// Solves the problems of a shard, or prints the answers of all.
pub(super) fn run(
    args: &Args,
    division: Division<'_>,
    problems: &Problems,
) -> anyhow::Result<ExitCode> {
    let work = work(args, problems)?;
    match division {
        Division::Shard(shard, folder) => solve(args, &work, shard, folder, problems),
        Division::Merge(folder) => merge(args, &work, folder),
    }
}

fn work(args: &Args, problems: &Problems) -> anyhow::Result<Work> {
    let settings = Settings {
        program: program_version(env!("CARGO_PKG_VERSION"))?,
        problems: format!("{:08x}", problems.checksum),
        first: args.first.map(std::num::NonZeroUsize::get),
        depth: args.depth,
        confidence: args.confidence,
        wld: args.wld,
        stats: args.stats,
        threads: args.engine.threads.to_string(),
        hash: args.engine.hash.to_string(),
        weights: args
            .engine
            .evaluation
            .weights
            .as_ref()
            .map(|weights| format!("{:08x}", weights.checksum())),
    };
    let count = problems.list.len() as u64;
    Ok(Work::new("othello solve", count, &settings)?)
}

fn parts(folder: &Path) -> Parts {
    Parts::new(folder, "solve", "part")
}

fn solve(
    args: &Args,
    work: &Work,
    shard: Shard,
    folder: &Path,
    problems: &Problems,
) -> anyhow::Result<ExitCode> {
    let mut part = args.shards.open(&parts(folder), work, shard)?;
    if !part.is_complete() {
        let mut searcher = args.engine.settings().searcher()?;
        let bar = progress_bar(shard.share_of(problems.list.len() as u64) as usize);
        bar.set_position(part.records());
        while let Some(item) = part.next_item() {
            let problem = &problems.list[item as usize];
            let report = examine(&mut searcher, problem, args);
            let found = Found::new(item as u32 + 1, problem, &report, args.stats);
            part.append(&serde_json::to_string(&found.without_time())?)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
    }
    writeln!(
        io::stdout(),
        "{} problems in {}",
        part.records(),
        part.path().display()
    )?;
    Ok(ExitCode::SUCCESS)
}

fn merge(args: &Args, work: &Work, folder: &Path) -> anyhow::Result<ExitCode> {
    let mut total = Total::default();
    for record in args.shards.merged(&parts(folder), work)?.records()? {
        let record = record?;
        let found: Found = serde_json::from_str(&record)
            .with_context(|| format!("{}: expected answers, found {record}", folder.display()))?;
        total.add(&found);
        tell(args.json, &found)?;
    }
    tell(args.json, &total)?;
    Ok(total.exit_code())
}
