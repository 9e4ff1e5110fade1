//! Manifests: the recipe and the checksums from which games can be reproduced.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    str::FromStr,
};

use go_search::Searcher;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::{Part, Recipe, Shard, ShardError, self_play};

/// The manifest of the shards in a folder: the recipe of their games, and their checksums.
///
/// It is kept as TOML instead of the shards, which `go-train generate` with the same recipe and weights reproduces byte
/// for byte.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The settings that the games were played with.
    pub recipe: Recipe,
    /// The shards, in the order of their parts.
    pub shards: Vec<ShardEntry>,
}

/// A shard in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardEntry {
    /// The part of the games that it has, which gives the name of its file.
    #[serde(deserialize_with = "part")]
    pub part: Part,
    /// The number of games.
    pub games: u64,
    /// The CRC-32 of its whole lines.
    pub crc32: u32,
}

/// An error of a manifest, or of shards that do not match it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The text is no manifest.
    #[error("expected a manifest: {reason}")]
    Syntax {
        /// The place, and what was expected there.
        reason: Box<toml::de::Error>,
    },
    /// The folder cannot be read.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
    /// A shard cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The folder has no shard.
    #[error("{}: expected shards, files that end in .games", path.display())]
    NoShards {
        /// The folder.
        path: PathBuf,
    },
    /// A shard has not the name of its part.
    #[error("{}: expected the name {expected}", path.display())]
    Name {
        /// The shard.
        path: PathBuf,
        /// The name of its part.
        expected: String,
    },
    /// The shards are not of one recipe.
    #[error("{}: expected the same recipe as in the other shards", path.display())]
    Mixed {
        /// The shard.
        path: PathBuf,
    },
    /// The shards do not match the manifest.
    #[error("the shards are not those of the manifest: expected {expected}, found {found}")]
    Differs {
        /// The line of the manifest.
        expected: String,
        /// The line that the manifest of the shards has instead.
        found: String,
    },
    /// A game is different when it is played again.
    #[error("{}, line {line}: a different game when played again", path.display())]
    Game {
        /// The shard.
        path: PathBuf,
        /// The line of the game, from 1.
        line: u64,
    },
}

impl Manifest {
    /// Returns the manifest of the shards in a folder; an incomplete line at the end of one is left out.
    ///
    /// # Errors
    ///
    /// If there is no shard, one cannot be read or has another name, or they are not of one recipe.
    pub fn of(folder: &Path) -> Result<Self, ManifestError> {
        let (mut recipe, mut shards) = (None, Vec::new());
        for path in shard_files(folder)? {
            let shard = Shard::contents(&path)?;
            let (of_shard, part) = (shard.header.recipe, shard.header.part);
            if path.file_name() != Some(part.file_name().as_ref()) {
                let expected = part.file_name();
                return Err(ManifestError::Name { path, expected });
            }
            if *recipe.get_or_insert(of_shard) != of_shard {
                return Err(ManifestError::Mixed { path });
            }
            shards.push(ShardEntry {
                part,
                games: shard.games.len() as u64,
                crc32: shard.crc32,
            });
        }
        shards.sort_by_key(|shard| (shard.part.count, shard.part.index));
        match recipe {
            Some(recipe) => Ok(Self { recipe, shards }),
            None => Err(ManifestError::NoShards {
                path: folder.into(),
            }),
        }
    }

    /// Returns the number of games of all shards.
    pub fn games(&self) -> u64 {
        self.shards.iter().map(|shard| shard.games).sum()
    }

    /// Checks that a folder has the shards of the manifest, and no others.
    ///
    /// # Errors
    ///
    /// If it has not, or they cannot be read.
    pub fn check(&self, folder: &Path) -> Result<(), ManifestError> {
        let (expected, found) = (self.to_string(), Self::of(folder)?.to_string());
        let mut lines = values(&expected).zip(values(&found));
        match lines.find(|(expected, found)| expected != found) {
            None => Ok(()),
            Some((expected, found)) => Err(ManifestError::Differs {
                expected: expected.into(),
                found: found.into(),
            }),
        }
    }

    /// Plays `count` of the games again, spread evenly, or all if there are fewer, and returns their number.
    ///
    /// # Errors
    ///
    /// If a game is different, or a shard cannot be read.
    pub fn replay(
        &self,
        folder: &Path,
        searcher: &mut Searcher,
        count: u64,
    ) -> Result<u64, ManifestError> {
        let total = self.games();
        let count = count.min(total);
        let (mut before, mut replayed) = (0, 0);
        for shard in &self.shards {
            let path = folder.join(shard.part.file_name());
            let games = Shard::contents(&path)?.games;
            for (place, game) in (0..).zip(&games) {
                // The games whose share of the count lies at or beyond that of the games before them.
                if (before + place) * count < replayed * total || replayed == count {
                    continue;
                }
                let number = shard.part.game(place);
                if self_play(searcher, &self.recipe, number) != *game {
                    let line = place + 2;
                    return Err(ManifestError::Game { path, line });
                }
                replayed += 1;
            }
            before += shard.games;
        }
        Ok(replayed)
    }
}

impl FromStr for Manifest {
    type Err = ManifestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        toml::from_str(text).map_err(|reason| ManifestError::Syntax {
            reason: Box::new(reason),
        })
    }
}

impl fmt::Display for Manifest {
    /// Writes the manifest as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recipe {
            seed,
            lines,
            playouts,
            weights,
        } = self.recipe;
        writeln!(f, "[recipe]\nseed = {seed}\nlines = {lines}")?;
        writeln!(f, "playouts = {playouts}\nweights = {weights:#010x}")?;
        for ShardEntry { part, games, crc32 } in &self.shards {
            writeln!(f, "\n[[shards]]\npart = \"{part}\"")?;
            writeln!(f, "games = {games}\ncrc32 = {crc32:#010x}")?;
        }
        Ok(())
    }
}

/// Returns the lines of a manifest that have a value, and a last one.
fn values(text: &str) -> impl Iterator<Item = &str> {
    let values = text.lines().filter(|line| line.contains('='));
    values.chain(["no more shards"])
}

/// Reads a part as it is printed.
fn part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Part, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

/// Returns the files in a folder that end in `.games`.
fn shard_files(folder: &Path) -> Result<Vec<PathBuf>, ManifestError> {
    let files = || -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let is_shard = |path: &PathBuf| path.extension().is_some_and(|it| it == "games");
        paths
            .filter(|path| path.as_ref().map_or(true, is_shard))
            .collect()
    };
    files().map_err(|reason| ManifestError::Io {
        path: folder.into(),
        reason,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_search::Options;

    const RECIPE: Recipe = Recipe {
        seed: 1,
        lines: 3,
        playouts: 20,
        weights: 7,
    };

    fn make(folder: &Path, recipe: Recipe, part: &str, games: usize) {
        let mut shard = Shard::open(folder, recipe, part.parse().unwrap()).unwrap();
        let mut searcher = Searcher::new(Options::default());
        for _ in 0..games {
            let game = self_play(&mut searcher, &recipe, shard.next_game());
            shard.add(&game).unwrap();
        }
    }

    #[test]
    fn a_manifest_reads_back_and_its_games_come_out_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        make(folder, RECIPE, "0/2", 3);
        make(folder, RECIPE, "1/2", 2);
        let manifest: Manifest = Manifest::of(folder).unwrap().to_string().parse().unwrap();
        assert_eq!((manifest.recipe, manifest.games()), (RECIPE, 5));
        manifest.check(folder).unwrap();
        let mut searcher = Searcher::new(Options::default());
        for (count, replayed) in [(0, 0), (1, 1), (2, 2), (4, 4), (9, 5)] {
            let result = manifest.replay(folder, &mut searcher, count);
            assert_eq!(result.unwrap(), replayed, "{count}");
        }
    }

    #[test]
    fn what_differs_is_named() {
        let (first, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        make(first.path(), RECIPE, "0/1", 1);
        let manifest = Manifest::of(first.path()).unwrap();
        let seed = Recipe { seed: 2, ..RECIPE };
        let error = || manifest.check(other.path()).unwrap_err().to_string();
        assert!(error().ends_with("expected shards, files that end in .games"));
        make(other.path(), seed, "0/1", 1);
        let expected = "the shards are not those of the manifest: ";
        assert_eq!(
            error(),
            format!("{expected}expected seed = 1, found seed = 2")
        );
        make(first.path(), RECIPE, "0/3", 0);
        let error = manifest.check(first.path()).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{expected}expected no more shards, found part = \"0/3\"")
        );

        make(other.path(), RECIPE, "0/2", 0);
        let error = Manifest::of(other.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Mixed { .. }), "{error}");
        fs::remove_file(other.path().join("0-1.games")).unwrap();
        fs::rename(other.path().join("0-2.games"), other.path().join("a.games")).unwrap();
        let error = Manifest::of(other.path()).unwrap_err().to_string();
        assert!(
            error.ends_with("a.games: expected the name 0-2.games"),
            "{error}"
        );
    }

    #[test]
    fn a_game_that_is_different_is_found() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), RECIPE, "0/1", 2);
        let path = folder.path().join("0-1.games");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("\"game\":1", "\"game\":2", 1)).unwrap();
        let manifest = Manifest::of(folder.path()).unwrap();
        let mut searcher = Searcher::new(Options::default());
        manifest.replay(folder.path(), &mut searcher, 1).unwrap();
        let error = manifest
            .replay(folder.path(), &mut searcher, 2)
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("line 3: a different game when played again"),
            "{error}"
        );
    }

    #[test]
    fn a_text_that_is_no_manifest_is_refused() {
        let error = |text: &str| text.parse::<Manifest>().unwrap_err().to_string();
        assert!(error("[recipe]\nseed = 1").contains("lines"));
        let text = "[recipe]\nseed = 1\nlines = 3\nplayouts = 1\nweights = 0\n[[shards]]\ngames = 1\ncrc32 = 0\npart = \"2/2\"";
        assert!(error(text).contains("expected I/N with I below N"));
    }
}
