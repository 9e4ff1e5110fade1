//! `othello-train generate`: games of self-play.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use boardgame_shard::Shard;
use othello_train::{Generation, Manifest, ManifestError, Player, Progress, Recipe, generate};

use crate::{engine::EngineOptions, progress::bar};

const EXAMPLES: &str = "\
Examples:
  Generation 0, random play with perfect ends from 14 empty squares, in one process:
    othello-train generate gen/0 --depth 0 --solve-from 14 --games 300000
  A later generation on two cores:
    othello-train generate gen/3 --weights gen/2.weights --depth 6 --solve-from 14 --games 360000 --shard 0/2 &
    othello-train generate gen/3 --weights gen/2.weights --depth 6 --solve-from 14 --games 360000 --shard 1/2 &
  A shard reproduced from its manifest:
    othello-train generate again --manifest 3.toml --weights gen/2.weights --shard 0/2

An interrupted run is resumed by the same command. The file of a shard is seedS-IofN.games, and ends in .begun
until it is complete; merge makes one file of all.";

/// Plays games of the engine against itself.
///
/// Game k of a seed is the same whichever process plays it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the generation, created if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = Recipe::default().seed)]
    seed: u64,
    /// Depth of the search; 0 plays random moves
    #[arg(long, value_name = "PLIES", default_value_t = Recipe::default().depth, value_parser = clap::value_parser!(u8).range(..=60))]
    depth: u8,
    /// Number of empty squares from which on both sides play perfectly
    #[arg(long, value_name = "EMPTIES", default_value_t = Recipe::default().solve_from, value_parser = clap::value_parser!(u8).range(..=60))]
    solve_from: u8,
    /// Number of games of all shards together
    #[arg(long, value_name = "N", required_unless_present = "manifest", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Reproduce a shard of this manifest; needs the engine and weights it was made with
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "depth", "solve_from", "games"])]
    manifest: Option<PathBuf>,
    /// Part of the games to play: the I-th of N, from 0
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    #[command(flatten)]
    engine: EngineOptions,
    /// Maximum running time, as in 20m; a game in progress is dropped
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (mut player, generation) = args.work()?;
    let began = Instant::now();
    let bar = bar("games");
    let made = generate(&args.folder, &generation, &mut player, &mut |progress| {
        if bar.length().is_none() {
            bar.set_length(progress.total);
            bar.set_position(progress.games);
            bar.reset_eta();
        }
        bar.set_position(progress.games);
        bar.set_message(rate(progress, began.elapsed()));
        true
    })?;
    bar.finish_and_clear();
    writeln!(
        io::stdout(),
        "{} of {} games; {} new positions, {}",
        made.games,
        made.total,
        made.positions,
        rate(&made, began.elapsed()),
    )?;
    Ok(())
}

impl Args {
    /// The player of a recipe, which is stopped after the maximum running time.
    fn player(&self, recipe: &Recipe) -> anyhow::Result<Player> {
        let player = self.engine.player(recipe)?;
        if let Some(time) = self.time {
            let stop = player.stop_handle();
            thread::spawn(move || {
                thread::sleep(time);
                stop.stop();
            });
        }
        Ok(player)
    }

    /// The player and the games to play.
    fn work(&self) -> anyhow::Result<(Player, Generation)> {
        let shard = self.shard;
        if let Some(games) = self.games {
            let recipe = Recipe {
                seed: self.seed,
                depth: self.depth,
                solve_from: self.solve_from,
                ..Recipe::default()
            };
            return Ok((self.player(&recipe)?, Generation { games, shard }));
        }
        let path = self
            .manifest
            .as_ref()
            .context("expected --games or --manifest")?;
        let manifest = Manifest::read(path)?;
        let generation = manifest.generation(shard).with_context(|| {
            let shards = manifest.shards().iter();
            let found: Vec<String> = shards.map(|entry| entry.shard.to_string()).collect();
            let (path, found) = (path.display(), found.join(", "));
            format!("{path}: expected a shard {shard}, found {found}")
        })?;
        let mut player = self.player(&manifest.recipe())?;
        match manifest.check_player(&mut player) {
            // A stopped player plays no game.
            Ok(()) | Err(ManifestError::Stopped(_)) => {}
            Err(error) => return Err(error.into()),
        }
        Ok((player, generation))
    }
}

fn rate(progress: &Progress, elapsed: Duration) -> String {
    let rate = progress.positions as f64 / elapsed.as_secs_f64().max(1e-9);
    format!("{rate:.0} positions/s")
}
