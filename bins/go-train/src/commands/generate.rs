//! `go-train generate`: games of self-play.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use boardgame_cli::{Division, ShardOptions};
use boardgame_files::shards::{Shard, Work, program_version};

use super::weights::WeightsOption;
use crate::{
    games::{json, parts, work},
    self_play::{Recipe, self_play},
};

const EXAMPLES: &str = "\
Examples:
  Games on 9x9 with the built-in weights, by two processes:
    go-train generate --size 9 --playouts 500 --games 1000 --parts games --shard 0/2 &
    go-train generate --size 9 --playouts 500 --games 1000 --parts games --shard 1/2 &
  One file of both, as a single process would have made:
    go-train generate merged --size 9 --playouts 500 --games 1000 --parts games --merge
  For 20 minutes, with other weights:
    go-train generate more --size 13 --games 1000 --weights first.weights --for 20m

An interrupted run is resumed by the same command: it plays the game in progress again, and the
file comes out as without the interruption, byte for byte. The file of a shard is
seedS-IofN.games, and ends in .begun until it is complete.";

/// The maximum number in a manifest: a TOML integer.
const MAX_INTEGER: u64 = i64::MAX as u64;

/// Plays self-play games.
///
/// Game k of a seed is the same whichever process plays it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the games, created if it does not exist; of shards once they are merged
    #[arg(value_name = "FOLDER", required_unless_present = "shard")]
    folder: Option<PathBuf>,
    /// Number of games of all shards together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_INTEGER))]
    games: u64,
    /// Lines of the board
    #[arg(long, value_name = "LINES", default_value_t = 9, value_parser = clap::value_parser!(u8).range(1..=25))]
    size: u8,
    /// Maximum number of playouts of each move
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    playouts: u32,
    /// Seed of the games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_INTEGER))]
    seed: u64,
    #[command(flatten)]
    weights: WeightsOption,
    /// Maximum running time, as in 20m; the game in progress is still played to its end
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    #[command(flatten)]
    shards: ShardOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let recipe = Recipe {
        seed: args.seed,
        lines: args.size,
        playouts: args.playouts,
        weights: args.weights.settings().weights_checksum(),
    };
    let program = program_version(env!("CARGO_PKG_VERSION"))?;
    let work = work(&recipe, args.games, program);
    match args.shards.division() {
        None => args.play(&recipe, &work, Shard::WHOLE, args.folder()?),
        Some(Division::Shard(shard, folder)) => args.play(&recipe, &work, shard, folder),
        Some(Division::Merge(folder)) => args.merge(&recipe, &work, folder),
    }
}

impl Args {
    fn folder(&self) -> anyhow::Result<&Path> {
        self.folder.as_deref().context("expected FOLDER")
    }

    /// Plays a shard unless it is complete.
    fn play(
        &self,
        recipe: &Recipe,
        work: &Work,
        shard: Shard,
        folder: &Path,
    ) -> anyhow::Result<()> {
        let parts = parts(folder, recipe);
        let mut part = self.shards.open(&parts, work, shard)?;
        let began = Instant::now();
        let is_late = || self.time.is_some_and(|time| began.elapsed() >= time);
        let mut positions = 0;
        if !part.is_complete() {
            let mut searcher = self.weights.settings().searcher();
            while let Some(number) = part.next_item()
                && !is_late()
            {
                let game = self_play(&mut searcher, recipe, number);
                positions += game.moves.len();
                part.append(&json(&game))?;
            }
            part.sync()?;
        }
        writeln!(
            io::stdout(),
            "{} of {} games; {positions} new positions, {:.1} a second",
            part.records(),
            shard.share_of(self.games),
            positions as f64 / began.elapsed().as_secs_f64().max(1e-9),
        )?;
        Ok(())
    }

    /// Writes the games of all shards.
    fn merge(&self, recipe: &Recipe, work: &Work, folder: &Path) -> anyhow::Result<()> {
        let merged = self.shards.merged(&parts(folder, recipe), work)?;
        let whole = merged.write(&parts(self.folder()?, recipe))?;
        let (games, path) = (whole.records(), whole.path().display());
        Ok(writeln!(io::stdout(), "{games} games in {path}")?)
    }
}
