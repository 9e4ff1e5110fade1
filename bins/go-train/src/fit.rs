//! `go-train fit`: weights that make the moves of games likeliest.

use std::{
    io::{self, Write as _},
    num::NonZeroU64,
    path::PathBuf,
};

use boardgame_files::replace;
use boardgame_shard::part_files;
use go_train::{FitOptions, GAMES_EXTENSION, Likelihood, fit, read_games};

/// Fits the weights of the search to games and writes them to a file.
///
/// The weights of moves in the tree are fitted to the visits of the searches, and those of answers in playouts to the
/// visits of the answers and of all other moves together.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File of the weights, replaced if it exists and has weights
    #[arg(value_name = "WEIGHTS")]
    weights: PathBuf,
    /// Shards of games, or folders of them, of any sizes of board
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Number of rounds, in each of which every group of weights is improved once
    #[arg(long, value_name = "N", default_value_t = FitOptions::default().rounds)]
    rounds: u32,
    /// Number of times that a pattern has to be seen to get a weight of its own
    #[arg(long, value_name = "N", default_value_t = FitOptions::default().min_count)]
    min_count: u32,
    /// Number of times that a shape has to be played to be told from the smaller shapes in it
    #[arg(long, value_name = "X", default_value_t = FitOptions::default().min_played, value_parser = non_negative)]
    min_played: f32,
    /// Power to which the weights of patterns in playouts are raised
    #[arg(long, value_name = "X", default_value_t = FitOptions::default().sharpness, value_parser = non_negative)]
    sharpness: f32,
    /// Leave every Nth game out, and print how likely the weights make the moves of these games, too
    #[arg(long, value_name = "N")]
    held_out: Option<NonZeroU64>,
}

/// Reads a number that is finite and not negative.
fn non_negative(text: &str) -> Result<f32, &'static str> {
    let number = text.parse::<f32>().ok();
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or("expected a finite number of at least 0")
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let files = part_files(&args.games, GAMES_EXTENSION)?;
    let shards: Result<Vec<_>, _> = files.iter().map(|path| read_games(path)).collect();
    let options = FitOptions {
        rounds: args.rounds,
        min_count: args.min_count,
        min_played: args.min_played,
        sharpness: args.sharpness,
        held_out: args.held_out,
        ..FitOptions::default()
    };
    let fit = fit(&shards?, &options);
    replace(&args.weights, fit.weights.as_bytes())?;
    for (what, judged) in [
        ("moves in the tree", fit.tree),
        ("answers in playouts", fit.playouts),
    ] {
        print(what, judged.fitted)?;
        if let Some(held_out) = judged.held_out {
            print(&format!("{what}, held out"), held_out)?;
        }
    }
    Ok(())
}

fn print(what: &str, likelihood: Likelihood) -> io::Result<()> {
    writeln!(
        io::stdout(),
        "{what}: {} positions, mean logarithm {:.4}, {:.1} % of first choices",
        likelihood.competitions,
        likelihood.mean_log,
        100.0 * likelihood.first_choices,
    )
}
