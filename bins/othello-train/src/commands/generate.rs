//! `othello-train generate`: games of self-play.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use boardgame_cli::{Division, ShardOptions};
use boardgame_files::shards::{Part, Parts, Shard, program_version};

use super::{engine::EngineOptions, progress::bar};
use crate::{
    generate::{Generation, generate},
    manifest::Manifest,
    player::{Player, Recipe},
};

const EXAMPLES: &str = "\
Examples:
  Generation 0, random play with perfect ends from 14 empty squares, in one process:
    othello-train generate gen/0 --depth 0 --solve-from 14 --games 300000
  A later generation on two cores, whose parts `fit` reads as they are:
    othello-train generate --depth 6 --solve-from 14 --games 360000 --parts gen/3 --shard 0/2 &
    othello-train generate --depth 6 --solve-from 14 --games 360000 --parts gen/3 --shard 1/2 &
  One file of both, as a single process would have made:
    othello-train generate all --depth 6 --solve-from 14 --games 360000 --parts gen/3 --merge

An interrupted run is resumed by the same command. The file of a shard is seedS-IofN.games, and
ends in .begun until it is complete.";

/// The maximum number in a manifest: a TOML integer.
const MAX_INTEGER: u64 = i64::MAX as u64;

/// Plays games of the engine against itself.
///
/// Game k of a seed is the same whichever process plays it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of the games, created if it does not exist; of shards once they are merged
    #[arg(value_name = "FOLDER", required_unless_present = "shard")]
    folder: Option<PathBuf>,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = Recipe::default().seed, value_parser = clap::value_parser!(u64).range(..=MAX_INTEGER))]
    seed: u64,
    /// Depth of the search; 0 plays random moves
    #[arg(long, value_name = "PLIES", default_value_t = Recipe::default().depth, value_parser = clap::value_parser!(u8).range(..=60))]
    depth: u8,
    /// Number of empty squares from which on both sides play perfectly
    #[arg(long, value_name = "EMPTIES", default_value_t = Recipe::default().solve_from, value_parser = clap::value_parser!(u8).range(..=60))]
    solve_from: u8,
    /// Number of games of all shards together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_INTEGER))]
    games: u64,
    #[command(flatten)]
    player: PlayerOptions,
    #[command(flatten)]
    shards: ShardOptions,
}

/// The player of games, and its time limit.
#[derive(clap::Args)]
pub(crate) struct PlayerOptions {
    #[command(flatten)]
    pub(crate) engine: EngineOptions,
    /// Maximum running time, as in 20m; a game in progress is dropped
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let generation = args.generation()?;
    match args.shards.division() {
        None => args.play(&generation, Shard::WHOLE, args.folder()?),
        Some(Division::Shard(shard, folder)) => args.play(&generation, shard, folder),
        Some(Division::Merge(folder)) => args.merge(&generation, folder),
    }
}

impl Args {
    fn folder(&self) -> anyhow::Result<&Path> {
        self.folder.as_deref().context("expected FOLDER")
    }

    fn generation(&self) -> anyhow::Result<Generation> {
        Ok(Generation {
            recipe: Recipe {
                seed: self.seed,
                depth: self.depth,
                solve_from: self.solve_from,
                ..Recipe::default()
            },
            games: self.games,
            program: program_version(env!("CARGO_PKG_VERSION"))?,
            weights: self.player.engine.checksum()?,
        })
    }

    /// Plays a shard unless it is complete.
    fn play(&self, generation: &Generation, shard: Shard, folder: &Path) -> anyhow::Result<()> {
        let parts = generation.parts(folder);
        let total = shard.share_of(generation.games);
        let mut player = None;
        let signature = match self.known_player(&parts)? {
            Some(signature) => Ok(signature),
            None => player
                .insert(self.player.player(&generation.recipe)?)
                .signature(),
        };
        let Ok(signature) = signature else {
            // The time was up before there was a part.
            return report(0, total, 0, Duration::ZERO);
        };
        let work = generation.work(signature);
        let mut part = self.shards.open(&parts, &work, shard)?;
        if part.is_complete() {
            return report(part.records(), total, 0, Duration::ZERO);
        }
        let mut player = match player {
            Some(player) => player,
            None => self.player.player(&generation.recipe)?,
        };
        play(&mut part, &mut player, total)
    }

    /// Returns the player's signature from the manifest or a part.
    fn known_player(&self, parts: &Parts) -> anyhow::Result<Option<u32>> {
        match &self.shards.manifest {
            Some(path) if path.exists() => Ok(Some(Manifest::read(path)?.player)),
            _ => Ok(Generation::known_player(parts)?),
        }
    }

    /// Writes the games of all shards.
    fn merge(&self, generation: &Generation, folder: &Path) -> anyhow::Result<()> {
        let parts = generation.parts(folder);
        let known = self.known_player(&parts)?;
        let expected = || format!("{}: expected parts, found none", folder.display());
        let work = generation.work(known.with_context(expected)?);
        let merged = self.shards.merged(&parts, &work)?;
        let whole = merged.write(&generation.parts(self.folder()?))?;
        let (games, path) = (whole.records(), whole.path().display());
        Ok(writeln!(io::stdout(), "{games} games in {path}")?)
    }
}

impl PlayerOptions {
    /// Creates a player of a recipe, to be stopped after the maximum running time.
    pub(crate) fn player(&self, recipe: &Recipe) -> anyhow::Result<Player> {
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
}

/// Plays the games of a shard up to a number of games, and prints a summary.
pub(crate) fn play(part: &mut Part, player: &mut Player, games: u64) -> anyhow::Result<()> {
    let began = Instant::now();
    let bar = bar("games", games, part.records());
    let made = generate(part, player, &mut |made| {
        bar.set_position(made.games);
        bar.set_message(rate(made.positions, began.elapsed()));
        made.games < games
    })?;
    bar.finish_and_clear();
    report(made.games, games, made.positions, began.elapsed())
}

fn report(games: u64, of: u64, positions: u64, elapsed: Duration) -> anyhow::Result<()> {
    let rate = rate(positions, elapsed);
    Ok(writeln!(
        io::stdout(),
        "{games} of {of} games; {positions} new positions, {rate}"
    )?)
}

fn rate(positions: u64, elapsed: Duration) -> String {
    let rate = positions as f64 / elapsed.as_secs_f64().max(1e-9);
    format!("{rate:.0} positions/s")
}
