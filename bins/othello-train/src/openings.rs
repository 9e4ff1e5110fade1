//! `othello-train openings`: the first positions of the game with their values.

use std::path::PathBuf;

use othello_train::{judged, openings};

use crate::{
    engine::{EngineOptions, SMALL_TABLE},
    problems::write_problems,
};

const EXAMPLE: &str = "\
Example: othello-train openings --weights gen/1.weights --depth 10 --out gen/openings.obf
Then:    othello-train fit gen/2 --openings gen/openings.obf --out gen/2.model

A run that was stopped goes on when it is started again.";

/// Searches every position of the first moves, up to symmetry, and writes them as OBF.
///
/// Black is to move in all; the score is the value of the search in whole discs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Positions after at most so many moves; there are 80,068 up to 8
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=10))]
    moves: u32,
    /// The depth of the search
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=60))]
    depth: u32,
    #[command(flatten)]
    engine: EngineOptions,
    /// The file of positions
    #[arg(long, value_name = "FILE.obf")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut searcher = args.engine.searcher(SMALL_TABLE)?;
    write_problems(&args.out, &openings(args.moves), &mut |position| {
        judged(&mut searcher, position, args.depth)
    })
}
