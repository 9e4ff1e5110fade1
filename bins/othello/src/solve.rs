//! `othello solve`: solves endgame problems.

mod found;
mod shards;
mod total;

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, ensure};
use boardgame_cli::{ShardOptions, number_of, positive};
use clap::{Arg, builder::ArgPredicate};
use othello_core::Problem;
use othello_search::{Goal, Limits, Report, Searcher};
use serde::Serialize;

use self::{found::Found, total::Total};
use crate::{board::tell_symbols_of, engine::EngineOptions, output::progress_bar};

/// The maximum size of a file of problems, in bytes.
const MAX_PROBLEMS: u64 = 64 * boardgame_files::MIB;

/// Solves endgame problems exactly or with a confidence, or searches them to a depth, and checks the
/// scores that come with them.
///
/// Scores are disc differences from the side to move, empties to the winner.
#[derive(clap::Args)]
#[command(
    mut_arg("threads", one_thread_in_shards),
    after_help = "\
Examples:
  othello solve fforum-40-59.obf --first 10
  othello solve fforum-40-59.obf --first 10 --wld
  othello solve fforum-40-59.obf --first 10 --confidence 98
  othello solve suite.obf --depth 12 --json > depth-12.jsonl
  othello solve suite.obf --depth 0 --weights new.weights
  By two processes, whose answers, without times, are then printed as those of one:
    othello solve suite.obf --parts solved --shard 0/2 &
    othello solve suite.obf --parts solved --shard 1/2 &
    wait; othello solve suite.obf --parts solved --merge"
)]
pub(crate) struct Args {
    /// A file of OBF problems, one a line; - is standard input
    #[arg(value_name = "FILE")]
    problems: PathBuf,
    /// Solve only the first N
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    first: Option<NonZeroUsize>,
    /// Search to this depth where there are more empty squares; 0 evaluates without searching
    #[arg(long, value_name = "PLIES", value_parser = number_of("plies", 0..=60))]
    depth: Option<u32>,
    /// Solve with at least this confidence, in levels of 79, 89, 95, 98 and 99; 100 is exact, and takes the most time
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=100))]
    confidence: u8,
    /// Find only win, draw or loss
    #[arg(long, conflicts_with_all = ["depth", "confidence"])]
    wld: bool,
    /// Also print how many positions were generated but not searched: to order moves, to look them
    /// up, and after passes
    #[arg(long)]
    stats: bool,
    /// Print JSON: an object a line for each problem, and one for the total
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    shards: ShardOptions,
}

/// Makes one thread the default for divided work, whose result is then always the same.
pub(crate) fn one_thread_in_shards(threads: Arg) -> Arg {
    let divided = ["shard", "merge"].map(|option| (option, ArgPredicate::IsPresent, "1"));
    threads.default_value_ifs(divided).help(
        "Search with this many threads; auto is one for each CPU. \
         With --shard and --merge the default is 1",
    )
}

/// The problems to solve.
struct Problems {
    list: Vec<Problem>,
    /// The CRC-32 of their text.
    checksum: u32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut problems = read(&args.problems)?;
    let first = args.first.map_or(usize::MAX, NonZeroUsize::get);
    problems.list.truncate(first);
    if let Some(division) = args.shards.division() {
        return shards::run(args, division, &problems);
    }
    let problems = problems.list;
    let mut searcher = args.engine.settings().searcher()?;
    let mut total = Total::default();
    let bar = progress_bar(problems.len());
    for (problem, number) in problems.iter().zip(1..) {
        let report = examine(&mut searcher, problem, args);
        let found = Found::new(number, problem, &report, args.stats);
        total.add(&found);
        bar.suspend(|| tell(args.json, &found))?;
        bar.inc(1);
        bar.set_message(total.to_string());
    }
    bar.finish_and_clear();
    tell(args.json, &total)?;
    Ok(total.exit_code())
}

/// Prints a line, as JSON or in words.
fn tell(json: bool, what: &(impl Serialize + ToString)) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, what)?;
    } else {
        out.write_all(what.to_string().as_bytes())?;
    }
    writeln!(out)?;
    out.flush()
}

fn read(path: &Path) -> anyhow::Result<Problems> {
    let (bytes, name) = if path == Path::new("-") {
        let bytes = boardgame_files::read_from(io::stdin(), MAX_PROBLEMS);
        (bytes, "standard input".to_owned())
    } else {
        let bytes = boardgame_files::read(path, MAX_PROBLEMS);
        (bytes, path.display().to_string())
    };
    let (text, _) = boardgame_files::decode(&bytes.with_context(|| name.clone())?);
    tell_symbols_of(&text);
    let list = Problem::read_all(&text).map_err(|error| anyhow::anyhow!("{name}, {error}"))?;
    ensure!(
        !list.is_empty(),
        "{name}: expected OBF problems, found none"
    );
    Ok(Problems {
        list,
        checksum: crc32fast::hash(text.as_bytes()),
    })
}

/// Searches a problem as deep as possible, or to a depth, independently of the one before.
fn examine(searcher: &mut Searcher, problem: &Problem, args: &Args) -> Report {
    let position = problem.board.position();
    let empties = position.empties().count();
    searcher.clear();
    if args.depth == Some(0) && !position.is_over() {
        return Report::evaluated(searcher.evaluate(position));
    }
    let limits = Limits {
        goal: if args.wld {
            Goal::WinDrawLoss
        } else {
            Goal::Score
        },
        confidence: args.confidence,
        ..Limits::depth(args.depth.unwrap_or(empties).min(empties))
    };
    searcher.search(position, &limits)
}
