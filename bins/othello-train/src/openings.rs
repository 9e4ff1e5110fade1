//! `othello-train openings`: the first positions of the game, labelled by a search.

use std::path::PathBuf;

use othello_train::{label, openings};

use crate::{
    engine::{EngineOptions, SMALL_TABLE},
    problems::write_problems,
};

const EXAMPLE: &str = "\
Example: othello-train openings --weights gen/1.weights --depth 10 --out gen/openings.obf
Then:    othello-train fit gen/2 --openings gen/openings.obf --out gen/2.model

An interrupted run is resumed by the same command.";

/// Searches every position of the first moves, up to symmetry, and writes them as OBF.
///
/// The positions are written with Black to move; scores are values of the search in whole discs.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Maximum number of moves; there are 80,068 positions after up to 8
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=10))]
    moves: u32,
    /// Depth of the search
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=60))]
    depth: u32,
    #[command(flatten)]
    engine: EngineOptions,
    /// File of problems to write
    #[arg(long, value_name = "FILE.obf")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut searcher = args.engine.searcher(SMALL_TABLE)?;
    write_problems(&args.out, &openings(args.moves), &mut |position| {
        label(&mut searcher, position, args.depth)
    })
}
