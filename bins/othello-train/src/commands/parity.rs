//! `othello-train parity`: scores that do not swing between odd and even depths.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    sync::Arc,
};

use anyhow::Context as _;
use boardgame_files::check_target;
use othello_engine::{HashSize, Settings};
use othello_search::eval::{Network, Weights};

use super::engine::{SMALL_TABLE, read_weights};
use crate::parity::{PARITY_DEPTHS, ParityScores, parity_scores, remove_parity};

const EXAMPLE: &str = "\
Example: othello-train parity gen/7.weights --out gen/7-level.weights
Then:    othello-train parity gen/7-level.weights";

/// Prints the mean scores of searches by depth and removes their swing.
///
/// The positions are of games that begin balanced and are played by searches of a few plies. With --out, the biases of
/// the weights are lowered by half the swing between odd and even depths.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// File of weights
    #[arg(value_name = "WEIGHTS")]
    weights: PathBuf,
    /// File of weights to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=2000))]
    games: u32,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = SMALL_TABLE)]
    hash: HashSize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let bytes = read_weights(&args.weights)?;
    let weights = Weights::read(&bytes).with_context(|| args.weights.display().to_string())?;
    let settings = Settings {
        hash: args.hash,
        network: Arc::new(Network::new(&weights)),
        ..Settings::default()
    };
    if let Some(out) = &args.out {
        check_target(out, &bytes)?;
    }
    let scores = parity_scores(&mut settings.searcher()?, args.games as usize);
    if let Some(out) = &args.out {
        let mut model = weights.model();
        remove_parity(&mut model, &scores);
        boardgame_files::replace(out, &Weights::quantized(&model)?.to_bytes())?;
    }
    Ok(print(&scores)?)
}

fn print(scores: &[ParityScores]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "discs  games ")?;
    for depth in PARITY_DEPTHS {
        write!(out, " depth {depth:<2}")?;
    }
    writeln!(out, "  spread")?;
    for line in scores {
        write!(out, "{:5}  {:5} ", line.discs, line.positions)?;
        for mean in &line.means {
            write!(out, " {mean:+8.2}")?;
        }
        writeln!(out, "  {:6.2}", line.spread())?;
    }
    Ok(())
}
