//! `othello-train people`: the model of human play.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use boardgame_match::stats::RatingList;
use othello_engine::Settings;
use othello_search::eval::Network;

use super::engine::SMALL_TABLE;
use crate::people::{Part, People, fit::Fit, report::Predictions};

const EXAMPLE: &str = "\
Example: othello-train people wthor/*.wtb --out people.bin";

/// Fits the model of human play to games of people, and prints how well it predicts held-out moves.
///
/// The players are rated by all their games. Held out are the moves of the last two years, and those of a tenth of
/// the players.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Files of games, such as WTHOR databases
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// File of weights to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Passes over the games
    #[arg(long, value_name = "N", default_value_t = 2)]
    epochs: u32,
    /// Learning rate
    #[arg(long, value_name = "RATE", default_value_t = 0.1)]
    rate: f32,
    /// Positions to search for the weights of searches
    #[arg(long, value_name = "N", default_value_t = 30_000)]
    searched: usize,
    /// Held-out moves to predict
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    predicted: usize,
    /// Held-out moves to predict by searches too
    #[arg(long, value_name = "N", default_value_t = 2000)]
    compared: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let people = People::read(&args.games)?;
    let (games, players) = (people.games.len(), people.list.ratings().len() - 1);
    writeln!(
        out,
        "{games} games, {players} players with a rating, whose intervals of 95 % are ±{:.0} Elo in the median",
        median_interval(&people.list)
    )?;
    let (network, mut searcher) = (
        Network::built_in(),
        Settings {
            hash: SMALL_TABLE,
            ..Settings::default()
        }
        .searcher()?,
    );
    let fit = Fit {
        epochs: args.epochs,
        rate: args.rate,
        searched: args.searched,
    };
    let model = fit.run(&people, &network, &mut searcher);
    let bytes = model.to_bytes();
    let (positions, moves) = model.book.size();
    writeln!(
        out,
        "{} bytes, CRC-32 {:08x}; a book of {positions} positions and {moves} moves; scale {:.3}",
        bytes.len(),
        crc32fast::hash(&bytes),
        model.scale,
    )?;
    if let Some(path) = &args.out {
        boardgame_files::replace(path, &bytes)?;
    }
    for (count, compares) in [(args.predicted, false), (args.compared, true)] {
        let mut predictions = Predictions::default();
        for choice in people.sample(count, |part| part != Part::Fitted) {
            predictions.add(&model, (&network, &mut searcher), &choice, compares);
        }
        writeln!(out, "\n{predictions}")?;
    }
    Ok(())
}

/// Returns half the width of the median interval of the players' ratings.
fn median_interval(list: &RatingList) -> f64 {
    // The first rating is that of all who played few games.
    let players = list.ratings().iter().filter(|rating| rating.engine.0 > 0);
    let mut widths: Vec<f64> = players
        .map(|rating| (rating.elo.high - rating.elo.low) / 2.0)
        .collect();
    widths.sort_by(f64::total_cmp);
    widths.get(widths.len() / 2).copied().unwrap_or(f64::NAN)
}
