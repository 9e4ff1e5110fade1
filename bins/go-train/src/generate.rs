//! `go-train generate`: games of self-play.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    time::{Duration, Instant},
};

use boardgame_shard::Shard;
use go_train::{Recipe, json, parts, self_play, work};

use crate::weights::WeightsOption;

const EXAMPLES: &str = "\
Examples:
  Games on 9x9 with the built-in weights, by two processes:
    go-train generate games --size 9 --playouts 500 --games 1000 --shard 0/2 &
    go-train generate games --size 9 --playouts 500 --games 1000 --shard 1/2 &
  For 20 minutes, with other weights:
    go-train generate more --size 13 --games 1000 --weights first.weights --for 20m

An interrupted run is resumed by the same command: it plays the game in progress again, and the file comes
out as without the interruption, byte for byte. The file of a shard is seedS-IofN.games, and ends in .begun
until it is complete; merge makes one file of all.";

/// The largest seed: that of a manifest is an integer of TOML.
const MAX_SEED: u64 = i64::MAX as u64;

/// Plays games of the engine against itself.
///
/// Game k of a seed is the same whichever process plays it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the games, created if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Number of games of all shards together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Lines of the board
    #[arg(long, value_name = "LINES", default_value_t = 9, value_parser = clap::value_parser!(u8).range(1..=25))]
    size: u8,
    /// Playouts of each move
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    playouts: u32,
    /// Seed of the games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    seed: u64,
    #[command(flatten)]
    weights: WeightsOption,
    /// Part of the games to play: the I-th of N, from 0
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Maximum running time, as in 20m; the game in progress is still played to its end
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let settings = args.weights.settings();
    let recipe = Recipe {
        seed: args.seed,
        lines: args.size,
        playouts: args.playouts,
        weights: settings.weights_checksum(),
    };
    let mut searcher = settings.searcher();
    let work = work(&recipe, &mut searcher);
    let mut part = parts(&args.folder, &recipe).open(&work, args.shard, args.games)?;
    let began = Instant::now();
    let is_late = || args.time.is_some_and(|time| began.elapsed() >= time);
    let mut positions = 0;
    while let Some(number) = part.next_item()
        && !is_late()
    {
        let game = self_play(&mut searcher, &recipe, number);
        positions += game.moves.len();
        part.append(&json(&game))?;
    }
    writeln!(
        io::stdout(),
        "{} of {} games; {positions} new positions, {:.1} a second",
        part.records(),
        args.shard.share_of(args.games),
        positions as f64 / began.elapsed().as_secs_f64().max(1e-9),
    )?;
    Ok(())
}
