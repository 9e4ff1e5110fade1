//! Manifests: the settings and checksums from which a generation can be reproduced.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::{
    corpus::{self, CorpusError, DisjointShards},
    generate::Generation,
    player::{Player, Recipe, RecipeError, Stopped},
    shard::{Header, Part, ShardError, ShardReader},
};

/// The manifest of a generation: everything that its games depend on, and their checksums. The
/// player's signature covers the weights.
///
/// Manifests are stored as TOML instead of the shards: `othello-train generate --manifest` reproduces
/// the shards byte for byte, with an engine of the same signature.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`Recipe::seed`].
    pub seed: u64,
    /// [`Recipe::min_random`].
    #[serde(rename = "least_random")]
    pub min_random: u8,
    /// [`Recipe::max_random`].
    #[serde(rename = "most_random")]
    pub max_random: u8,
    /// [`Recipe::depth`].
    pub depth: u8,
    /// [`Recipe::solve_from`].
    pub solve_from: u8,
    /// The [signature](Player::signature) of the player, in hexadecimal digits.
    pub player: String,
    /// The shards, in the order of their parts.
    pub shards: Vec<ShardEntry>,
}

/// A shard in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardEntry {
    /// The file's name.
    pub file: String,
    /// The part of the games it has, as in `0/2`.
    pub part: String,
    /// The number of games.
    pub games: u64,
    /// The CRC-32 of its header and games, in hexadecimal digits.
    pub crc32: String,
}

/// An error of a manifest, or of a generation that does not match it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The shards cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A shard cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The shards are not of one generation.
    #[error("{} holds games of another kind: expected {expected}, found {found}", path.display())]
    Mixed {
        /// The shard.
        path: PathBuf,
        /// The header expected from the other shards.
        expected: Header,
        /// Its header.
        found: Header,
    },
    /// The text is not a manifest.
    #[error("expected a manifest: {0}")]
    Syntax(#[from] toml::de::Error),
    /// A setting is out of range.
    #[error("expected a manifest")]
    Recipe(#[from] RecipeError),
    /// The player was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The generation does not match the manifest.
    #[error("the games are not those of the manifest: expected {expected}, found {found}")]
    Differs {
        /// The line of the manifest.
        expected: String,
        /// The line that the generation would have.
        found: String,
    },
    /// The engine or its weights are not those that played the games.
    #[error(
        "the engine plays differently from that of the manifest: expected signature {expected}, found {found}"
    )]
    Player {
        /// The signature in the manifest.
        expected: String,
        /// The engine's.
        found: String,
    },
    /// A game is different when it is played again.
    #[error("{}, game {game}: a different game when played again", path.display())]
    Game {
        /// The shard.
        path: PathBuf,
        /// The game's number.
        game: u64,
    },
}

impl Manifest {
    /// Makes the manifest of the generation in a folder; every record is checked.
    ///
    /// # Errors
    ///
    /// Fails if a shard cannot be read, or if the shards are not of one generation or have games in
    /// common.
    pub fn of(folder: &Path) -> Result<Self, ManifestError> {
        let mut first: Option<Header> = None;
        let (mut shards, mut distinct) = (Vec::new(), DisjointShards::default());
        for path in corpus::shard_files(folder)? {
            let reader = ShardReader::open(&path)?;
            let header = *reader.header();
            let expected = Header {
                part: header.part,
                ..*first.get_or_insert(header)
            };
            if header != expected {
                return Err(ManifestError::Mixed {
                    path,
                    expected,
                    found: header,
                });
            }
            distinct.add(&path, header)?;
            shards.push((header.part, entry(&path, reader)?));
        }
        let header = first.ok_or(CorpusError::Empty)?;
        shards.sort_by_key(|(part, _)| (part.count(), part.index()));
        let recipe = header.recipe;
        Ok(Self {
            seed: recipe.seed,
            min_random: recipe.min_random,
            max_random: recipe.max_random,
            depth: recipe.depth,
            solve_from: recipe.solve_from,
            player: format!("{:08x}", header.player),
            shards: shards.into_iter().map(|(_, entry)| entry).collect(),
        })
    }

    /// Parses a manifest.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a manifest, or if a setting is out of range.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let manifest: Self = toml::from_str(text)?;
        manifest.recipe().check()?;
        Ok(manifest)
    }

    /// Prints the manifest as TOML, as [`Manifest::parse`] reads it.
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "seed = {}\nleast_random = {}\nmost_random = {}\ndepth = {}\nsolve_from = {}\nplayer = \"{}\"\n",
            self.seed, self.min_random, self.max_random, self.depth, self.solve_from, self.player
        );
        for shard in &self.shards {
            let ShardEntry {
                file,
                part,
                games,
                crc32,
            } = shard;
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "\n[[shards]]\nfile = \"{file}\"\npart = \"{part}\"\ngames = {games}\ncrc32 = \"{crc32}\"\n"
            );
        }
        text
    }

    /// The settings that the games were played with.
    pub const fn recipe(&self) -> Recipe {
        Recipe {
            seed: self.seed,
            min_random: self.min_random,
            max_random: self.max_random,
            depth: self.depth,
            solve_from: self.solve_from,
        }
    }

    /// The generation to pass to [`generate`](crate::generate) to reproduce the shard of a part, or
    /// `None` if there is no such shard or its number of games overflows.
    pub fn generation(&self, part: Part) -> Option<Generation> {
        let name = part.to_string();
        let shard = self.shards.iter().find(|shard| shard.part == name)?;
        // The number of games of all parts that gives this part its number.
        let games = match shard.games.checked_sub(1) {
            None => 0,
            Some(last) => last
                .checked_mul(u64::from(part.count()))?
                .checked_add(u64::from(part.index()) + 1)?,
        };
        Some(Generation { games, part })
    }

    /// Checks that a player has the signature in the manifest.
    ///
    /// # Errors
    ///
    /// Fails if the signature differs, or if the player is stopped.
    pub fn check_player(&self, player: &mut Player) -> Result<(), ManifestError> {
        let found = format!("{:08x}", player.signature()?);
        let expected = self.player.clone();
        if found == expected {
            Ok(())
        } else {
            Err(ManifestError::Player { expected, found })
        }
    }

    /// Checks that the games in a folder are those of the manifest.
    ///
    /// # Errors
    ///
    /// Fails if they are not, or cannot be read.
    pub fn check(&self, folder: &Path) -> Result<(), ManifestError> {
        let found = Self::of(folder)?;
        if found == *self {
            return Ok(());
        }
        let (expected, found) = (self.to_toml(), found.to_toml());
        let mut lines = expected.lines().zip(found.lines());
        let pair = lines.find(|(expected, found)| expected != found);
        let (expected, found) = pair.unwrap_or(("the same shards", "others"));
        Err(ManifestError::Differs {
            expected: expected.to_owned(),
            found: found.to_owned(),
        })
    }
}

/// Plays the games of the shards in a folder again if their number is a multiple of `every`, and
/// compares them; `observer` is called after each.
///
/// # Errors
///
/// Fails if a game is different, a shard cannot be read, or the player is stopped.
pub fn verify_games(
    folder: &Path,
    player: &mut Player,
    every: u64,
    observer: &mut dyn FnMut(),
) -> Result<(), ManifestError> {
    for path in corpus::shard_files(folder)? {
        let reader = ShardReader::open(&path)?;
        let part = reader.header().part;
        for (place, game) in (0..).zip(reader) {
            let number = part.game(place);
            let game = game?;
            if number.is_multiple_of(every.max(1)) {
                if player.play(number)? != game {
                    return Err(ManifestError::Game { path, game: number });
                }
                observer();
            }
        }
    }
    Ok(())
}

fn entry(path: &Path, reader: ShardReader) -> Result<ShardEntry, ShardError> {
    let mut hasher = crc32fast::Hasher::new();
    let (header, games) = (*reader.header(), reader.games());
    hasher.update(&header.body());
    for game in reader {
        hasher.update(&game?.pack());
    }
    let name = path.file_name().unwrap_or_default();
    Ok(ShardEntry {
        file: name.to_string_lossy().into_owned(),
        part: header.part.to_string(),
        games,
        crc32: format!("{:08x}", hasher.finalize()),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::generate::generate;

    const RECIPE: Recipe = Recipe {
        seed: 11,
        min_random: 8,
        max_random: 40,
        depth: 2,
        solve_from: 8,
    };

    fn make(folder: &Path, recipe: Recipe, games: u64, part: &str) {
        let part = part.parse().unwrap();
        let mut player = Player::new(&recipe);
        let generation = Generation { games, part };
        generate(folder, &generation, &mut player, &mut |_| true).unwrap();
    }

    #[test]
    fn a_generation_is_reproduced_from_its_manifest_byte_for_byte() {
        let (first, again) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        // Shards that were stopped early differ in length.
        make(first.path(), RECIPE, 30, "0/2");
        make(first.path(), RECIPE, 18, "1/2");
        let manifest = Manifest::of(first.path()).unwrap();
        let read = Manifest::parse(&manifest.to_toml()).unwrap();
        assert_eq!(read, manifest);
        assert_eq!(read.shards.iter().map(|shard| shard.games).sum::<u64>(), 24);

        let mut player = Player::new(&read.recipe());
        read.check_player(&mut player).unwrap();
        for shard in &read.shards {
            let generation = read.generation(shard.part.parse().unwrap()).unwrap();
            generate(again.path(), &generation, &mut player, &mut |_| true).unwrap();
        }
        assert_eq!(read.generation(Part::WHOLE), None);
        read.check(again.path()).unwrap();
        for shard in &read.shards {
            let [first, again] = [&first, &again].map(|folder| folder.path().join(&shard.file));
            assert_eq!(fs::read(first).unwrap(), fs::read(again).unwrap());
        }
        let mut played = 0;
        verify_games(first.path(), &mut player, 5, &mut || played += 1).unwrap();
        assert_eq!(played, 5);
    }

    #[test]
    fn other_games_do_not_match_the_manifest() {
        let (first, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        make(first.path(), RECIPE, 24, "0/1");
        make(other.path(), Recipe { seed: 12, ..RECIPE }, 24, "0/1");
        let manifest = Manifest::of(first.path()).unwrap();
        assert_eq!(
            manifest.check(other.path()).unwrap_err().to_string(),
            "the games are not those of the manifest: expected seed = 11, found seed = 12"
        );
        let mut player = Player::new(&Recipe { seed: 12, ..RECIPE });
        let error = verify_games(first.path(), &mut player, 1, &mut || {}).unwrap_err();
        assert!(
            matches!(error, ManifestError::Game { game: 0, .. }),
            "{error}"
        );

        make(other.path(), RECIPE, 24, "0/1");
        let error = Manifest::of(other.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Mixed { .. }), "{error}");
        let error = Manifest::parse("seed = 1").unwrap_err();
        assert!(error.to_string().contains("least_random"), "{error}");
    }
}
