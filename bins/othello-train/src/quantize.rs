//! `othello-train quantize`: the weights that the engine is built with.

use std::{
    io::{self, Write as _},
    num::NonZeroUsize,
    path::PathBuf,
};

use anyhow::Context as _;
use othello_search::eval;
use othello_train::{
    Split, evaluation_errors,
    fit::{Errors, Linear, Model, Network, Rates, validate},
};

use crate::{
    corpus,
    fit::{Form, read_into},
};

/// Quantizes a fitted model to the weights that the engine reads.
///
/// Rows without a sample are left out, and with --max-rows those that learned least. The errors on held-out games are
/// printed before and after. `shrink` is an alias.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello-train quantize gen/1.model gen/1.weights gen/1
  othello-train quantize gen/1-linear.model gen/1-linear.weights gen/1 --hidden 0 --phase 4")]
pub(crate) struct Args {
    /// Model written by `fit`
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// File of weights to write
    #[arg(value_name = "WEIGHTS")]
    out: PathBuf,
    /// Games that the model was fitted to
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// One in N games was held out
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
    /// Keep at most N rows, those with the largest sums of squared gradients
    #[arg(long, value_name = "N")]
    max_rows: Option<NonZeroUsize>,
    #[command(flatten)]
    form: Form,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.form.check()?;
    if let Some(phase) = args.form.linear() {
        anyhow::ensure!(
            args.max_rows.is_none(),
            "expected no --max-rows beside --hidden 0"
        );
        let mut linear = Linear::new(phase, 0.0);
        read_into(&mut linear, &args.model)?;
        let weights = linear
            .quantized()
            .with_context(|| args.model.display().to_string())?;
        return args.write(&linear, &weights.to_bytes(), "all weights");
    }
    let mut network = Network::<{ eval::HIDDEN }>::new(0, Rates::default());
    read_into(&mut network, &args.model)?;
    let weights = network
        .quantized(args.max_rows.map_or(eval::ROWS, NonZeroUsize::get))
        .with_context(|| args.model.display().to_string())?;
    let what = format!("{} of {} rows", weights.stored_rows(), eval::ROWS);
    args.write(&network, &weights.to_bytes(), &what)
}

impl Args {
    /// Writes the weights and prints their errors beside those of the model.
    fn write(&self, model: &impl Model, bytes: &[u8], what: &str) -> anyhow::Result<()> {
        let split = Split {
            one_in: self.hold_out,
        };
        let corpus = corpus::open(&self.games)?;
        let before = validate(model, &corpus, split)?;
        let quantized = eval::Network::read(bytes)?;
        let after = evaluation_errors(&corpus, split, &mut |position| {
            quantized.evaluate(position).discs()
        })?;
        boardgame_files::replace(&self.out, bytes)?;
        let mut out = io::stdout().lock();
        writeln!(out, "{what} in {} bytes", bytes.len())?;
        for (name, errors) in [("before", &before), ("after", &after)] {
            writeln!(out, "{name:6}  {}", summary(errors))?;
        }
        Ok(())
    }
}

fn summary(errors: &Errors) -> String {
    let sum = errors.total();
    let (absolute, square) = (sum.mean_absolute(), sum.root_mean_square());
    format!(
        "{absolute:.4} mean absolute, {square:.4} RMS, {} samples",
        sum.count
    )
}
