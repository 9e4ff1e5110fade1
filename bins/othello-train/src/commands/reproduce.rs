//! `othello-train reproduce`: plays games of a manifest again.

use std::path::PathBuf;

use anyhow::Context as _;
use boardgame_files::shards::{Shard, program_version};

use super::generate::{PlayerOptions, play};
use crate::{manifest::Manifest, player::Stopped};

const EXAMPLE: &str = "\
Example:
  othello-train reproduce bins/othello-train/generations/6.toml again --shard 0/2 \\
    --weights 5.weights
Once there are all shards:
  othello-train verify bins/othello-train/generations/6.toml again";

/// Plays the games of a shard of a manifest again.
///
/// Needs an engine with weights of the same signature as those of the manifest. A shard that was stopped early gets
/// the same number of games.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Manifest
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// Folder of the games, created if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Shard of the manifest
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    #[command(flatten)]
    player: PlayerOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (path, shard) = (args.manifest.display(), args.shard);
    let manifest = Manifest::read(&args.manifest)?;
    let games = manifest.games_of(shard).with_context(|| {
        let shards = manifest.document.shards.iter();
        let found: Vec<String> = shards.map(|entry| entry.shard.to_string()).collect();
        let found = found.join(", ");
        format!("{path}: expected a shard {shard}, found {found}")
    })?;
    let program = program_version(env!("CARGO_PKG_VERSION"))?;
    let generation = manifest
        .generation(program, args.player.engine.checksum()?)
        .with_context(|| format!("{path}: expected the number of all games as items"))?;
    let mut player = args.player.player(&generation.recipe)?;
    match manifest.check_player(&mut player) {
        // A stopped player plays no game.
        Err(error) if !error.is::<Stopped>() => return Err(error),
        _ => {}
    }
    let work = generation.work(manifest.player);
    let mut part = generation.parts(&args.folder).open(&work, shard)?;
    play(&mut part, &mut player, games)
}
