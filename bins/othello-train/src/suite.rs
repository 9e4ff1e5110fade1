//! `othello-train suite`: test positions with exact scores.

use std::{num::NonZeroUsize, path::PathBuf};

use anyhow::ensure;
use othello_engine::HashSize;
use othello_train::{Split, Suite, solve};

use crate::{corpus, engine::EngineOptions, problems::write_problems};

/// The size of the table unless told otherwise: a solution fills more of it than a move.
const DEFAULT_HASH: HashSize = HashSize::new(256).unwrap();

const EXAMPLE: &str = "\
Example: othello-train suite gen/4 --empties 20 --every 40 --count 500 --out exact-20.obf
Then:    othello solve exact-20.obf --depth 8

An interrupted run is resumed by the same command.";

/// Solves positions of held-out games and writes them as OBF with all their best moves.
///
/// The positions have at least two legal moves, are distinct up to symmetry, and are written with
/// Black to move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Shards of games, or folders of them
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Number of empty squares of the positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=40))]
    empties: u32,
    /// Number of positions
    #[arg(long, value_name = "N")]
    count: NonZeroUsize,
    /// Take a position from every K-th held-out game only
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// One in N games is held out
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
    /// File of problems to write
    #[arg(long, value_name = "FILE.obf")]
    out: PathBuf,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH)]
    hash: HashSize,
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
        "expected {} positions with {} empty squares, but the held-out games have {}",
        args.count,
        args.empties,
        positions.len(),
    );
    let mut searcher = args.engine.searcher(args.hash)?;
    write_problems(&args.out, &positions, &mut |position| {
        solve(&mut searcher, position)
    })
}
