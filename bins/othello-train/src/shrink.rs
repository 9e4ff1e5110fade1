//! `othello-train shrink`: the file that the engine is built with.

use std::{
    fs,
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::Context as _;
use othello_search::eval;
use othello_train::{
    Corpus, Split,
    fit::{Checkpoint, Errors, Model as _, Network, Rates, validate},
    judge,
};

/// Makes the integers that the engine is built with of a fitted network, and tells what it costs.
///
/// Rows that were never learnt from are left out. The error is that on the games held out.
#[derive(clap::Args)]
#[command(after_help = "Example: othello-train shrink gen/1.model gen/1.weights gen/1")]
pub(crate) struct Args {
    /// The model that a fit has kept
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The file to write
    #[arg(value_name = "WEIGHTS")]
    out: PathBuf,
    /// The games that it was fitted to
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// What part of them was held out
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut network = Network::<{ eval::HIDDEN }>::new(0, Rates::default());
    let checkpoint = Checkpoint::read(&args.model)?;
    let (path, kind) = (args.model.display(), network.kind());
    network
        .set_numbers(&checkpoint.numbers)
        .with_context(|| format!("{path} is no {kind}"))?;
    let weights = network.shrunk();
    let bytes = weights.to_bytes();
    fs::write(&args.out, &bytes).with_context(|| args.out.display().to_string())?;

    let split = Split {
        one_in: args.hold_out,
    };
    let corpus = Corpus::open(&args.games)?;
    let before = validate(&network, &corpus, split)?;
    let small = eval::Network::new(&weights);
    let after = judge(&corpus, split, &mut |position| {
        small.evaluate(position).discs()
    })?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} of {} rows in {} bytes",
        weights.stored_rows(),
        eval::ROWS,
        bytes.len()
    )?;
    for (name, errors) in [("before", &before), ("after", &after)] {
        writeln!(out, "{name:6}  {}", told(errors))?;
    }
    Ok(())
}

fn told(errors: &Errors) -> String {
    let sum = errors.total();
    let (absolute, square) = (sum.mean_absolute(), sum.root_mean_square());
    format!(
        "{absolute:.4} mean absolute, {square:.4} RMS, {} samples",
        sum.count
    )
}
