//! `othello-train suite`: test positions with exact scores.

use std::{num::NonZeroUsize, path::PathBuf};

use anyhow::ensure;
use othello_train::{Split, Suite, solved};

use crate::{corpus, engine::EngineOptions, problems::write_problems};

const EXAMPLE: &str = "\
Example: othello-train suite gen/4 --empties 20 --every 40 --count 500 --out exact-20.obf
Then:    othello solve exact-20.obf --depth 8

A run that was stopped goes on when it is started again.";

/// Solves positions of games held out, and writes them as OBF with all their best moves.
///
/// Only positions with a choice of moves are taken, no two of them alike up to symmetry. Black is
/// to move in all.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Shards of games, or folders of them
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// The empty squares of the positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=40))]
    empties: u32,
    /// How many positions
    #[arg(long, value_name = "N")]
    count: NonZeroUsize,
    /// Of the games held out, take every so manyth
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// What part of the games is held out
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
    /// The file of problems
    #[arg(long, value_name = "FILE.obf")]
    out: PathBuf,
    /// The transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    hash: usize,
    #[command(flatten)]
    engine: EngineOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let suite = Suite {
        empties: args.empties,
        every: args.every,
        count: args.count.get(),
        split: Split {
            one_in: args.hold_out,
        },
    };
    let positions = suite.positions(&corpus::open(&args.games)?)?;
    ensure!(
        positions.len() == args.count.get(),
        "expected {} positions with {} empty squares, but the games held out have {}",
        args.count,
        args.empties,
        positions.len(),
    );
    let mut searcher = args.engine.searcher(args.hash)?;
    write_problems(&args.out, &positions, &mut |position| {
        solved(&mut searcher, position)
    })
}
