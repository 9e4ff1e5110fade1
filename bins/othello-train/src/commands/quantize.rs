//! `othello-train quantize`: weights for the engine.

use std::{
    io::{self, Write as _},
    num::NonZeroUsize,
    path::PathBuf,
};

use anyhow::{Context as _, ensure};
use boardgame_files::check_target;
use othello_search::eval;

use super::{
    corpus,
    fit::{Fitted, FittedGames, figures, fitted_games, games, read_into},
};
use crate::{
    corpus::{Corpus, Split},
    fit::{Checkpoint, ErrorSum, Rates, validate},
    quantize::evaluation_errors,
};

/// Quantizes a fitted model to the weights that the engine reads.
///
/// Rows without a sample are left out, and with --max-rows those that learned least. The errors on held-out games are
/// printed before and after.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  othello-train quantize gen/1.model gen/1.weights gen/1")]
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
    /// One in N games was held out [default: as in the fit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: Option<u32>,
    /// Keep at most N rows, those with the largest sums of squared gradients
    #[arg(long, value_name = "N")]
    max_rows: Option<NonZeroUsize>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut network = Fitted::new(0, Rates::default());
    let model = read_into(&mut network, &args.model)?;
    let weights = network
        .quantized(args.max_rows.map_or(eval::ROWS, NonZeroUsize::get))
        .with_context(|| args.model.display().to_string())?;
    let what = format!("{} of {} rows", weights.stored_rows(), eval::ROWS);
    args.write(&network, &model, &weights.to_bytes(), &what)
}

impl Args {
    /// Writes the weights and prints their errors next to those of the model in a file.
    fn write(
        &self,
        model: &Fitted,
        file: &Checkpoint,
        bytes: &[u8],
        what: &str,
    ) -> anyhow::Result<()> {
        check_target(&self.out, bytes)?;
        let (corpus, split) = self.games(file)?;
        let before = validate(model, &corpus, split)?;
        let quantized = eval::Network::read(bytes)?;
        let after = evaluation_errors(&corpus, split, &mut |position| {
            quantized.evaluate(position).discs()
        })?;
        boardgame_files::replace(&self.out, bytes)?;
        let mut out = io::stdout().lock();
        writeln!(out, "{what} in {} bytes", bytes.len())?;
        for (name, errors) in [("before", &before), ("after", &after)] {
            writeln!(out, "{name:6}  {}", summary(&errors.total()))?;
        }
        Ok(())
    }

    /// Returns the games and their split, if they are the games of the fit.
    fn games(&self, model: &Checkpoint) -> anyhow::Result<(Corpus, Split)> {
        let FittedGames {
            shares,
            games: expected,
            hold_out: one_in,
        } = fitted_games(model).with_context(|| self.model.display().to_string())?;
        let name = self.model.display();
        let corpus = corpus::open(&self.games)?.limited_to(&shares)?;
        let found = games(&corpus);
        ensure!(
            found == expected,
            "expected the games that {name} is fitted to, with the checksum {expected}, \
             found games with {found}",
        );
        if let Some(found) = self.hold_out {
            ensure!(
                found == one_in,
                "expected --hold-out {one_in}, with which {name} is fitted, found {found}",
            );
        }
        Ok((corpus, Split { one_in }))
    }
}

fn summary(sum: &ErrorSum) -> String {
    let (figures, count) = (figures(sum, 4), sum.count);
    match count {
        0 => figures,
        _ => format!("{figures}, {count} samples"),
    }
}
