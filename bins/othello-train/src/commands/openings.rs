//! `othello-train openings`: the first positions of the game, labelled by a search.

use std::path::PathBuf;

use boardgame_files::shards::{Work, program_version};
use serde::Serialize;

use super::{
    engine::{EngineOptions, SMALL_TABLE},
    problems::write_problems,
};
use crate::openings::{label, openings};

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
    /// File of problems to write. The folder FILE.obf.parts keeps those found so far and the settings; delete both to
    /// start again with other settings
    #[arg(long, value_name = "FILE.obf")]
    out: PathBuf,
}

/// Everything that decides the problems.
#[derive(Serialize)]
struct Settings {
    program: String,
    /// The CRC-32 of the weights, unless they are the built-in ones.
    weights: Option<String>,
    moves: u32,
    depth: u32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let positions = openings(args.moves);
    let settings = Settings {
        program: program_version(env!("CARGO_PKG_VERSION"))?,
        weights: args.engine.checksum()?,
        moves: args.moves,
        depth: args.depth,
    };
    let work = Work::new("othello-train openings", positions.len() as u64, &settings)?;
    let mut searcher = args.engine.searcher(SMALL_TABLE)?;
    write_problems(&args.out, &work, &positions, &mut |position| {
        label(&mut searcher, position, args.depth)
    })
}
