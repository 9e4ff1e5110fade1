//! `go-train fit`: maximum-likelihood weights for the moves of games.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::ensure;
use boardgame_files::{check_target, replace};

use super::source::{GamesOption, print_sources};
use crate::{
    fit::{Evaluation, FitOptions, fit},
    mm::Likelihood,
};

/// Fits the weights of the search to games and writes them to a file.
///
/// The weights of moves in the tree are fitted to the visits of the searches, or to the moves that people chose. Those
/// of playouts are the built-in ones; so are those of distances, lines away from stones, open corners and joseki, unless
/// all games are of people. Memory: about 0.25 MB for each game on 9x9, and 4 to 5 MB on 19x19, for all positions.
///
/// Prints the files as TOML, with the number of games used and skipped, and how well the moves are predicted.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File of the weights, replaced if it exists and has weights
    #[arg(value_name = "WEIGHTS")]
    weights: PathBuf,
    #[command(flatten)]
    source: GamesOption,
    /// Number of rounds, in each of which every group of weights is improved once
    #[arg(long, value_name = "N", default_value_t = FitOptions::default().rounds)]
    rounds: u32,
    /// Number of times that a pattern has to be seen to get a weight of its own
    #[arg(long, value_name = "N", default_value_t = FitOptions::default().min_count)]
    min_count: u32,
    /// Number of times that a shape has to be played, by its shares of the visits, to get a weight of its own
    #[arg(long, value_name = "X", default_value_t = FitOptions::default().min_played, value_parser = non_negative)]
    min_played: f32,
    /// Power to which the weights of moves in the tree are raised
    #[arg(long, value_name = "X", default_value_t = FitOptions::default().power, value_parser = non_negative)]
    power: f32,
    /// Fit the weights of patterns in playouts too, to the visits of answers to the last stone and of all other moves
    /// together
    #[arg(long)]
    answers: bool,
    /// Power to which these weights are raised
    #[arg(long, value_name = "X", requires = "answers", value_parser = non_negative)]
    #[arg(default_value_t = FitOptions::default().sharpness)]
    sharpness: f32,
    /// Hold out one of N games, and print how well their moves are predicted too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: Option<u32>,
}

/// Reads a number that is finite and not negative.
fn non_negative(text: &str) -> Result<f32, &'static str> {
    let number = text.parse::<f32>().ok();
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or("expected a finite number of at least 0")
}

/// The start of a file of weights.
const KIND: &[u8] = b"feature ";

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    check_target(&args.weights, KIND)?;
    let (games, sources) = args.source.read()?;
    let options = FitOptions {
        rounds: args.rounds,
        min_count: args.min_count,
        min_played: args.min_played,
        every: args.source.every,
        all_groups: sources.iter().all(|source| source.of_people),
        power: args.power,
        answers: args.answers,
        sharpness: args.sharpness,
        held_out: args.hold_out.map(|every| every as usize),
        ..FitOptions::default()
    };
    let fit = fit(&games, &options)?;
    ensure!(
        fit.tree.fitted.competitions > 0,
        "expected a game with a choice of moves that is not held out"
    );
    replace(&args.weights, fit.weights.to_string().as_bytes())?;
    print_sources(&sources)?;
    print("moves in the tree", fit.tree)?;
    if let Some(answers) = fit.answers {
        print("answers in playouts", answers)?;
    }
    Ok(())
}

fn print(what: &str, evaluation: Evaluation) -> io::Result<()> {
    print_likelihood(what, evaluation.fitted)?;
    match evaluation.held_out {
        Some(held_out) => print_likelihood(&format!("{what}, held out"), held_out),
        None => Ok(()),
    }
}

fn print_likelihood(what: &str, likelihood: Likelihood) -> io::Result<()> {
    writeln!(
        io::stdout(),
        "{what}: {} positions, mean log-likelihood {:.4}, top-1 accuracy {:.1} %",
        likelihood.competitions,
        likelihood.mean_log,
        100.0 * likelihood.top1_accuracy,
    )
}
