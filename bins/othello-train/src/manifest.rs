//! Manifests of generations: the settings and checksums needed to reproduce them.

use std::{fmt, path::Path};

use anyhow::{anyhow, bail, ensure};
use boardgame_files::shards::{self, Shard, part_files};

use crate::{
    games::{self, GamesReader},
    generate::Generation,
    player::{Player, Recipe},
};

/// The manifest of a generation: everything that its games depend on, and their checksums. The
/// player's signature covers the weights.
///
/// Manifests are stored as TOML instead of the games: `othello-train reproduce` plays the games of a part again, with
/// an engine of the same signature. The checksum of a part covers its packed games, and does not depend on the file
/// format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) document: shards::Manifest,
    /// Returns the settings of the games.
    pub(crate) recipe: Recipe,
    /// The [signature](Player::signature) of the player.
    pub(crate) player: u32,
}

impl Manifest {
    /// Creates the manifest of the generation in a folder, and checks every record.
    pub(crate) fn of(folder: &Path) -> anyhow::Result<Self> {
        let files = part_files(&[folder.into()], games::EXTENSION)?;
        let manifest = shards::Manifest::of(&files, games::checksum)?;
        Self::new(manifest, folder)
    }

    /// Reads a manifest.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        Self::new(shards::Manifest::read(path)?, path)
    }

    fn new(document: shards::Manifest, path: &Path) -> anyhow::Result<Self> {
        let (recipe, player) = games::recipe(&document.work)
            .map_err(|error| anyhow!("{}: expected a manifest: {error}", path.display()))?;
        Ok(Self {
            document,
            recipe,
            player,
        })
    }

    /// The number of games of a shard, or `None` if it has no part in the manifest.
    pub(crate) fn games_of(&self, shard: Shard) -> Option<u64> {
        let entry = self
            .document
            .shards
            .iter()
            .find(|entry| entry.shard == shard)?;
        Some(entry.records)
    }

    /// Returns the generation that reproduces the games with a program and weights, given by their checksum, or `None`
    /// if the manifest does not state the total number of games.
    pub(crate) fn generation(
        &self,
        program: String,
        weights: Option<String>,
    ) -> Option<Generation> {
        Some(Generation {
            recipe: self.recipe,
            games: self.document.work.items()?,
            program,
            weights,
        })
    }

    /// Checks that a player has the signature in the manifest.
    pub(crate) fn check_player(&self, player: &mut Player) -> anyhow::Result<()> {
        let (expected, found) = (self.player, player.signature()?);
        ensure!(
            found == expected,
            "the engine plays differently from that of the manifest: expected signature {expected:08x}, found \
             {found:08x}"
        );
        Ok(())
    }

    /// Checks that the games in a folder match the manifest, even if another build of the program played them or more
    /// games were planned.
    pub(crate) fn check(&self, folder: &Path) -> anyhow::Result<()> {
        Ok(self.games_alone().check(&Self::of(folder)?.games_alone())?)
    }

    /// Returns the manifest without settings that do not affect the games.
    fn games_alone(&self) -> shards::Manifest {
        self.document.without(&games::OF_A_RUN)
    }
}

impl fmt::Display for Manifest {
    /// Writes the manifest as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.fmt(f)
    }
}

/// Plays every `every`-th game of the parts in a folder again, the first of all among them, and compares them;
/// `observer` is called after each.
pub(crate) fn verify_games(
    folder: &Path,
    player: &mut Player,
    every: u64,
    observer: &mut dyn FnMut(),
) -> anyhow::Result<()> {
    let mut games: u64 = 0;
    for path in part_files(&[folder.into()], games::EXTENSION)? {
        let reader = GamesReader::open(&path)?;
        let shard = reader.header.shard;
        for (place, game) in (0..).zip(reader) {
            let game = game?;
            let is_chosen = games.is_multiple_of(every.max(1));
            games += 1;
            if !is_chosen {
                continue;
            }
            let number = shard.item(place);
            if player.play(number)? != game {
                bail!(
                    "{}, game {number}: a different game when played again",
                    path.display()
                );
            }
            observer();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::generate::play_shard;

    const RECIPE: Recipe = Recipe {
        seed: 11,
        min_random: 8,
        max_random: 40,
        depth: 2,
        solve_from: 8,
    };

    fn make(folder: &Path, recipe: Recipe, games: u64, shard: &str) {
        play_shard(folder, recipe, games, shard);
    }

    #[test]
    fn checksums_do_not_depend_on_the_format_of_files() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe {
            seed: 5,
            depth: 0,
            solve_from: 0,
            ..RECIPE
        };
        for shard in ["0/2", "1/2"] {
            make(folder.path(), recipe, 10, shard);
        }
        let manifest = Manifest::of(folder.path()).unwrap();
        // As in the manifest of these games from the time of binary files.
        let found = manifest.document.shards.iter().map(|entry| &*entry.crc32);
        assert_eq!(found.collect::<Vec<_>>(), ["7764f9c9", "6bfb1741"]);
        assert_eq!(manifest.player, 0x7d70_61ed);
    }

    #[test]
    fn other_games_do_not_match_the_manifest() {
        let (first, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        make(first.path(), RECIPE, 24, "0/1");
        make(other.path(), Recipe { seed: 12, ..RECIPE }, 24, "0/1");
        let manifest = Manifest::of(first.path()).unwrap();
        let error = manifest.check(other.path()).unwrap_err().to_string();
        assert!(
            error.starts_with("not as in the manifest: expected player = ")
                && error.ends_with(", seed = 12"),
            "{error}"
        );
        let mut player = Player::new(&Recipe { seed: 12, ..RECIPE });
        let error = verify_games(first.path(), &mut player, 1, &mut || {}).unwrap_err();
        assert!(
            error.to_string().contains(", game 0: a different game"),
            "{error}"
        );

        make(other.path(), RECIPE, 24, "0/1");
        let error = Manifest::of(other.path()).unwrap_err().to_string();
        assert!(
            error.contains("is of other work: expected player = "),
            "{error}"
        );
        let path = first.path().join("manifest.toml");
        let settings = "command = \"othello-train generate\"\n[settings]\nseed = 1\n";
        fs::write(&path, settings).unwrap();
        let error = Manifest::read(&path).unwrap_err().to_string();
        assert!(
            error.contains("manifest.toml: expected a manifest: "),
            "{error}"
        );
    }

    /// The manifests of the generations that the built-in weights come from.
    #[test]
    fn every_generation_has_a_valid_manifest() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("generations");
        let mut players = std::collections::BTreeSet::new();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let manifest = Manifest::read(&path).unwrap();
            // A comment precedes the manifest.
            let text = fs::read_to_string(&path).unwrap();
            let (_, toml) = text.split_once("\n\n").unwrap();
            assert_eq!(manifest.to_string(), toml, "{}", path.display());
            for entry in &manifest.document.shards {
                assert_eq!(manifest.games_of(entry.shard), Some(entry.records));
                // Some shards were stopped early.
                let generation = manifest.generation("1".into(), None).unwrap();
                assert!(entry.records <= entry.shard.share_of(generation.games));
            }
            players.insert(manifest.player);
        }
        // All were played by different players.
        assert_eq!(players.len(), 15);
        let weights = folder.join("../../../crates/othello-search/src/eval/weights.bin");
        let crc32 = crc32fast::hash(&fs::read(weights).unwrap());
        let last = fs::read_to_string(folder.join("9-depth-4.toml")).unwrap();
        assert!(last.contains(&format!("of 9.weights {crc32:08x}.")));
    }
}
