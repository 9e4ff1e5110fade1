//! `othello-train manifest` and `othello-train verify`: manifests of generations.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use super::{engine::EngineOptions, progress::bar};
use crate::manifest::{Manifest, verify_games};

/// Prints the manifest of a generation as TOML: settings, counts and checksums.
///
/// `othello-train reproduce` plays the games again.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the generation
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let manifest = Manifest::of(&args.folder)?;
    io::stdout().write_all(manifest.to_string().as_bytes())?;
    Ok(())
}

/// Checks a generation against its manifest and plays some of its games again.
#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// Manifest
    #[arg(value_name = "FILE")]
    manifest: PathBuf,
    /// Folder of the generation
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    engine: EngineOptions,
    /// Play every N-th game again
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

pub(crate) fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let manifest = Manifest::read(&args.manifest)?;
    manifest.check(&args.folder)?;
    let mut player = args.engine.player(&manifest.recipe)?;
    manifest.check_player(&mut player)?;
    let games = manifest.document.records();
    let bar = bar("games", games.div_ceil(args.every), 0);
    let mut played = 0;
    verify_games(&args.folder, &mut player, args.every, &mut || {
        played += 1;
        bar.set_position(played);
    })?;
    bar.finish_and_clear();
    writeln!(
        io::stdout(),
        "{games} games match the manifest; {played} of them played again are equal"
    )?;
    Ok(())
}
