//! Manifests of generations: the settings and checksums from which one can be reproduced.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use boardgame_files::shards::{PartError, Shard, ShardEntry, part_files};

use crate::{
    games::{self, GamesReader, SettingsError},
    generate::Generation,
    player::{Player, Recipe, Stopped},
};

/// The manifest of a generation: everything that its games depend on, and their checksums. The
/// player's signature covers the weights.
///
/// Manifests are stored as TOML instead of the games: `othello-train reproduce` plays the games of a part again, with an
/// engine of the same signature. The checksum of a part is that of its games, packed, and stays the same whatever the
/// format of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    document: boardgame_files::shards::Manifest,
    recipe: Recipe,
    player: u32,
}

/// An error of a manifest, or of a generation that does not match it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ManifestError {
    /// The manifest is not valid, or the games do not match it.
    #[error(transparent)]
    Manifest(#[from] boardgame_files::shards::ManifestError),
    /// A part cannot be read.
    #[error(transparent)]
    Part(#[from] PartError),
    /// The manifest is not that of a generation.
    #[error("{}: expected a manifest: {error}", path.display())]
    Settings {
        path: PathBuf,
        /// The error of its settings.
        error: SettingsError,
    },
    /// The player was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The engine or its weights are not those that played the games.
    #[error(
        "the engine plays differently from that of the manifest: expected signature {expected:08x}, found {found:08x}"
    )]
    Player {
        /// The signature in the manifest.
        expected: u32,
        found: u32,
    },
    /// A game is different when it is played again.
    #[error("{}, game {game}: a different game when played again", path.display())]
    Game { path: PathBuf, game: u64 },
}

impl Manifest {
    /// Makes the manifest of the generation in a folder; every record is checked.
    ///
    /// # Errors
    ///
    /// Fails if a part cannot be read, or if the parts are not of one generation or have games in
    /// common.
    pub fn of(folder: &Path) -> Result<Self, ManifestError> {
        let files = part_files(&[folder.into()], games::EXTENSION)?;
        let manifest = boardgame_files::shards::Manifest::of(&files, games::checksum)?;
        Self::new(manifest, folder)
    }

    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is no manifest of a generation, or has a setting out of range.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        Self::new(boardgame_files::shards::Manifest::read(path)?, path)
    }

    fn new(
        document: boardgame_files::shards::Manifest,
        path: &Path,
    ) -> Result<Self, ManifestError> {
        let settings = games::recipe(&document.work);
        let (recipe, player) = settings.map_err(|error| ManifestError::Settings {
            path: path.into(),
            error,
        })?;
        Ok(Self {
            document,
            recipe,
            player,
        })
    }

    /// The settings that the games were played with.
    pub const fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// The [signature](Player::signature) of the player.
    pub const fn player(&self) -> u32 {
        self.player
    }

    /// The parts, in the order of their shards.
    pub fn shards(&self) -> &[ShardEntry] {
        &self.document.shards
    }

    /// The number of games of all parts.
    pub fn games(&self) -> u64 {
        self.document.records()
    }

    /// The number of games of a shard, or `None` if it has no part in the manifest.
    pub fn games_of(&self, shard: Shard) -> Option<u64> {
        let entry = self.shards().iter().find(|entry| entry.shard == shard)?;
        Some(entry.records)
    }

    /// The generation that a program with some weights, named by their checksum, plays to make the same games again, or
    /// `None` if the manifest does not tell the number of all games.
    pub fn generation(&self, program: String, weights: Option<String>) -> Option<Generation> {
        Some(Generation {
            recipe: self.recipe,
            games: self.document.work.items()?,
            program,
            weights,
        })
    }

    /// Checks that a player has the signature in the manifest.
    ///
    /// # Errors
    ///
    /// Fails if the signature differs, or if the player is stopped.
    pub fn check_player(&self, player: &mut Player) -> Result<(), ManifestError> {
        let (expected, found) = (self.player, player.signature()?);
        if found == expected {
            Ok(())
        } else {
            Err(ManifestError::Player { expected, found })
        }
    }

    /// Checks that the games in a folder are those of the manifest, also if another build of the program played them, or
    /// more games had been planned.
    ///
    /// # Errors
    ///
    /// Fails if they are not, or cannot be read.
    pub fn check(&self, folder: &Path) -> Result<(), ManifestError> {
        Ok(self.games_alone().check(&Self::of(folder)?.games_alone())?)
    }

    /// Returns the manifest without what does not decide the games.
    fn games_alone(&self) -> boardgame_files::shards::Manifest {
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
///
/// # Errors
///
/// Fails if a game is different, a part cannot be read, or the player is stopped.
pub fn verify_games(
    folder: &Path,
    player: &mut Player,
    every: u64,
    observer: &mut dyn FnMut(),
) -> Result<(), ManifestError> {
    let mut games: u64 = 0;
    for path in part_files(&[folder.into()], games::EXTENSION)? {
        let reader = GamesReader::open(&path)?;
        let shard = reader.header().shard;
        for (place, game) in (0..).zip(reader) {
            let game = game?;
            let is_chosen = games.is_multiple_of(every.max(1));
            games += 1;
            if !is_chosen {
                continue;
            }
            let number = shard.item(place);
            if !player.play(number)?.agrees_with(&game) {
                return Err(ManifestError::Game { path, game: number });
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
    use crate::generate::{generate, play_shard};

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

    /// Plays a shard of a manifest again, with a program of another version.
    fn reproduce(folder: &Path, manifest: &Manifest, shard: Shard, player: &mut Player) {
        let generation = manifest.generation("2".into(), None).unwrap();
        let (parts, work) = (generation.parts(folder), generation.work(manifest.player()));
        let mut part = parts.open(&work, shard).unwrap();
        let games = manifest.games_of(shard).unwrap();
        generate(&mut part, player, &mut |made| made.games < games).unwrap();
    }

    #[test]
    fn games_without_values_of_searches_are_verified_by_their_moves() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), RECIPE, 4, "0/1");
        let path = folder.path().join("seed11-0of1.games");
        let games: Vec<_> = GamesReader::open(&path).unwrap().collect();
        fs::remove_file(&path).unwrap();
        let generation = Generation {
            recipe: RECIPE,
            games: 4,
            ..Generation::default()
        };
        let mut player = Player::new(&RECIPE);
        let work = generation.work(player.signature().unwrap());
        let mut part = generation
            .parts(folder.path())
            .open(&work, Shard::WHOLE)
            .unwrap();
        for game in games {
            let game = game.unwrap().to_string();
            assert_eq!(game.split(' ').count(), 3);
            part.append(game.rsplit_once(' ').unwrap().0).unwrap();
        }
        verify_games(folder.path(), &mut player, 1, &mut || {}).unwrap();
    }

    #[test]
    fn a_generation_is_reproduced_from_its_manifest() {
        let (first, again) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        make(first.path(), RECIPE, 30, "0/2");
        make(first.path(), RECIPE, 30, "1/2");
        // As if one of them had been stopped early.
        let generation = Generation {
            recipe: RECIPE,
            games: 30,
            ..Generation::default()
        };
        let parts = generation.parts(first.path());
        let second = Shard::new(1, 2).unwrap();
        let text = fs::read_to_string(parts.path(second)).unwrap();
        let begun: String = text.split_inclusive('\n').take(10).collect();
        fs::write(parts.begun_path(second), begun).unwrap();
        fs::remove_file(parts.path(second)).unwrap();
        let manifest = Manifest::of(first.path()).unwrap();
        let path = first.path().join("manifest.toml");
        fs::write(&path, manifest.to_string()).unwrap();
        let read = Manifest::read(&path).unwrap();
        assert_eq!(read, manifest);
        assert_eq!(read.games(), 24);

        let mut player = Player::new(&read.recipe());
        read.check_player(&mut player).unwrap();
        for entry in read.shards() {
            reproduce(again.path(), &read, entry.shard, &mut player);
        }
        assert_eq!(read.games_of(Shard::WHOLE), None);
        read.check(again.path()).unwrap();
        let records = |folder: &Path| {
            let parts = generation.parts(folder);
            let paths = [
                parts.path(Shard::new(0, 2).unwrap()),
                parts.begun_path(second),
            ];
            paths.map(|path| {
                let records = boardgame_files::shards::PartReader::open(&path).unwrap();
                records.collect::<Result<Vec<String>, _>>().unwrap()
            })
        };
        assert_eq!(records(first.path()), records(again.path()));
        let mut played = 0;
        verify_games(first.path(), &mut player, 5, &mut || played += 1).unwrap();
        assert_eq!(played, 5);
    }

    #[test]
    fn games_of_every_shard_are_verified() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), RECIPE, 30, "1/2");
        make(folder.path(), RECIPE, 30, "2/4");
        let mut player = Player::new(&RECIPE);
        // The numbers of the games of shard 1/2 are odd.
        let mut played = 0;
        verify_games(folder.path(), &mut player, 2, &mut || played += 1).unwrap();
        assert_eq!(played, (15 + 7_u32).div_ceil(2));
        let path = folder.path().join("seed11-1of2.games");
        let text = fs::read_to_string(&path).unwrap();
        // Another first game, as of another program.
        let first = text.lines().nth(1).unwrap();
        let second = text.lines().nth(2).unwrap();
        fs::remove_file(&path).unwrap();
        let generation = Generation {
            recipe: RECIPE,
            games: 2,
            ..Generation::default()
        };
        let parts = generation.parts(folder.path());
        let work = generation.work(player.signature().unwrap());
        fs::remove_file(folder.path().join("seed11-2of4.games")).unwrap();
        let mut part = parts.open(&work, Shard::new(1, 2).unwrap()).unwrap();
        let record = |line: &str| line[9..].split_once(' ').unwrap().1.to_owned();
        assert_ne!(record(first), record(second));
        part.append(&record(second)).unwrap();
        let error = verify_games(folder.path(), &mut player, 2, &mut || {}).unwrap_err();
        assert!(
            matches!(error, ManifestError::Game { game: 1, .. }),
            "{error}"
        );
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
        // As in the manifest of these games when files of games were binary.
        let found = manifest.shards().iter().map(|entry| &*entry.crc32);
        assert_eq!(found.collect::<Vec<_>>(), ["7764f9c9", "6bfb1741"]);
        assert_eq!(manifest.player(), 0x7d70_61ed);
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
            matches!(error, ManifestError::Game { game: 0, .. }),
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
}
