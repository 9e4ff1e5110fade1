//! `go-train manifest` and `go-train verify`: manifests to reproduce and check games.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use boardgame_files::shards::{Manifest, ShardError, part_files};

use super::weights::WeightsOption;
use crate::games::{EXTENSION, check_manifest, manifest, recipe, replay};

/// Prints the manifest of a folder of games as TOML: the command, its settings, and the shards with their checksums.
///
/// `go-train generate` with the same settings and weights makes the same games; the same program makes the same shards,
/// byte for byte.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the games
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let manifest = manifest(&files(&args.folder)?)?;
    io::stdout().write_all(manifest.to_string().as_bytes())?;
    Ok(())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, ShardError> {
    part_files(&[folder.into()], EXTENSION)
}

/// Checks games against their manifest, and plays some of them again.
#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// Manifest
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// Folder of the games
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Number of games to play again, spread evenly; 0 for none, which needs no weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    replay: u64,
    #[command(flatten)]
    weights: WeightsOption,
}

pub(crate) fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let manifest = Manifest::read(&args.manifest)?;
    let recipe = recipe(&manifest.work).with_context(|| args.manifest.display().to_string())?;
    let files = files(&args.folder)?;
    check_manifest(&manifest, &files)?;
    let mut replayed = 0;
    if args.replay > 0 {
        let settings = args.weights.settings();
        let (expected, found) = (recipe.weights, settings.weights_checksum());
        ensure!(
            found == expected,
            "expected weights with the checksum {expected:08x}, found {found:08x}; name those that the games were played \
             with by --weights, or play none again by --replay 0"
        );
        replayed = replay(&files, &mut settings.searcher(), args.replay)?;
    }
    writeln!(
        io::stdout(),
        "{} games as in the manifest, {replayed} of them played again",
        manifest.records()
    )?;
    Ok(())
}
