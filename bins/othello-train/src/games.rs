//! Games on disk: the parts of a generation, with a record for each game.
//!
//! A record is the number of random moves, a space, the squares of the game as people write them and, if moves were
//! searched for, a space and the values of the searches in tenths of a disc, separated by commas.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use boardgame_files::shards::{BriefFile, PartError, PartReader, Shard, Work};
use serde::{Deserialize, Serialize};

use crate::{
    player::Recipe,
    record::{GameRecord, ParseGameError},
};

/// The extension of files of games.
pub const EXTENSION: &str = "games";
/// The command whose parts they are.
pub const COMMAND: &str = "othello-train generate";

/// The identity of a part of a generation: how its games were played, by which player, and which of all they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamesHeader {
    /// The settings of the games.
    pub recipe: Recipe,
    /// The [signature](crate::Player::signature) of the player.
    pub player: u32,
    /// The shard of the games.
    pub shard: Shard,
}

/// The settings of a generation as manifests have them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    seed: u64,
    min_random: u8,
    max_random: u8,
    depth: u8,
    solve_from: u8,
    /// The signature of the player in hexadecimal digits.
    player: String,
    /// The version of the program, which manifests of earlier versions do not name.
    program: Option<String>,
    weights: Option<String>,
}

/// The error of settings that are not those of a generation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum SettingsError {
    /// The command is another.
    #[error("expected games of {COMMAND}, found work of {found}")]
    Command { found: String },
    /// A setting is missing, unknown or of another type.
    #[error("expected the settings of games: {0}")]
    Settings(#[from] serde_json::Error),
    /// The signature is not one.
    #[error("expected a signature of eight hexadecimal digits, found {found:?}")]
    Player { found: String },
    /// A setting is out of range.
    #[error(transparent)]
    Recipe(#[from] crate::player::RecipeError),
}

/// The names of settings that may differ between two runs that make the same games: a program that was built elsewhere
/// plays the same if its player has the same signature, and a run that was stopped early has fewer games than planned.
pub(crate) const OF_A_RUN: [&str; 3] = ["items", "program", "weights"];

/// Returns the work of playing a number of games with a player of a signature, by a program with weights.
pub(crate) fn work(
    recipe: &Recipe,
    player: u32,
    games: u64,
    program: &str,
    weights: Option<&str>,
) -> Work {
    let settings = Settings {
        seed: recipe.seed,
        min_random: recipe.min_random,
        max_random: recipe.max_random,
        depth: recipe.depth,
        solve_from: recipe.solve_from,
        player: format!("{player:08x}"),
        program: Some(program.to_owned()),
        weights: weights.map(str::to_owned),
    };
    Work::new(COMMAND, games, &settings).expect("numbers and texts are JSON")
}

/// Returns the recipe and the signature of the player of some work.
pub(crate) fn recipe(work: &Work) -> Result<(Recipe, u32), SettingsError> {
    if work.command != COMMAND {
        let found = work.command.clone();
        return Err(SettingsError::Command { found });
    }
    let settings: Settings = work.settings()?;
    let recipe = Recipe {
        seed: settings.seed,
        min_random: settings.min_random,
        max_random: settings.max_random,
        depth: settings.depth,
        solve_from: settings.solve_from,
    };
    recipe.check()?;
    let player = signature(&settings.player).ok_or(SettingsError::Player {
        found: settings.player,
    })?;
    Ok((recipe, player))
}

/// Parses a signature of eight hexadecimal digits.
fn signature(digits: &str) -> Option<u32> {
    let is_digit = |digit: u8| digit.is_ascii_hexdigit();
    (digits.len() == 8 && digits.bytes().all(is_digit))
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
}

impl GamesHeader {
    /// Returns the header of a part, or an error if it is not of a generation.
    fn of(part: &PartReader<impl BufRead>) -> Result<Self, PartError> {
        let (recipe, player) = recipe(part.work()).map_err(|error| part.header_error(error))?;
        Ok(Self {
            recipe,
            player,
            shard: part.shard(),
        })
    }

    /// Returns `true` if some game belongs to both parts, regardless of their lengths.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let same = Self {
            shard: other.shard,
            ..*self
        } == *other;
        same && self.shard.overlaps(other.shard)
    }

    /// Returns bytes that identify it, for checksums that stay the same whatever the format of files.
    pub(crate) fn bytes(&self) -> [u8; 60] {
        let recipe = &self.recipe;
        let mut bytes = [0; 60];
        let mut put = |at: usize, piece: &[u8]| bytes[at..at + piece.len()].copy_from_slice(piece);
        put(0, b"OTHGAMES");
        put(8, &1_u32.to_le_bytes());
        put(12, &[recipe.min_random, recipe.max_random]);
        put(14, &[recipe.depth, recipe.solve_from]);
        put(16, &recipe.seed.to_le_bytes());
        put(24, &self.shard.index().to_le_bytes());
        put(28, &self.shard.count().to_le_bytes());
        put(32, &self.player.to_le_bytes());
        bytes
    }
}

/// An iterator over the games of a part, which may not be complete.
#[derive(Debug)]
pub struct GamesReader {
    header: GamesHeader,
    part: PartReader<BufReader<BriefFile>>,
}

impl GamesReader {
    /// Opens a part.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or does not begin as a part of a generation.
    pub fn open(path: &Path) -> Result<Self, PartError> {
        Self::open_one_of(path, 1)
    }

    /// Opens one of several parts that are [read in turns](PartReader::open_one_of).
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn open_one_of(path: &Path, parts: usize) -> Result<Self, PartError> {
        let part = PartReader::open_one_of(path, parts)?;
        let header = GamesHeader::of(&part)?;
        Ok(Self { header, part })
    }

    /// The header.
    pub const fn header(&self) -> &GamesHeader {
        &self.header
    }

    /// The file.
    pub fn path(&self) -> PathBuf {
        self.part.path().to_owned()
    }

    /// The number of games read so far.
    pub const fn read(&self) -> u64 {
        self.part.records()
    }

    /// The number of bytes of an incomplete game at the end, once the end was read.
    pub const fn torn(&self) -> u64 {
        self.part.torn()
    }

    /// Reads over a number of games from the first on, checks their checksums and returns that of their lines.
    pub(crate) fn checksum_up_to(&mut self, games: u64) -> Result<u32, PartError> {
        self.part.checksum_up_to(games)
    }

    /// Reads over the remaining games, checks their checksums and returns that of all lines.
    ///
    /// # Errors
    ///
    /// Fails if the part is damaged.
    pub fn skip_all(&mut self) -> Result<u32, PartError> {
        self.part.checksum()
    }

    /// The error of the last game read, which is invalid.
    pub(crate) fn record_error(
        &self,
        error: impl std::error::Error + Send + Sync + 'static,
    ) -> PartError {
        self.part.record_error(error)
    }
}

impl Iterator for GamesReader {
    type Item = Result<GameRecord, PartError>;

    /// The next game, or an error, after which nothing more can be read.
    fn next(&mut self) -> Option<Self::Item> {
        let game = self.part.next()?.and_then(|record| {
            let game: Result<GameRecord, ParseGameError> = record.parse();
            game.map_err(|error| self.part.record_error(error))
        });
        Some(game)
    }
}

/// Returns the CRC-32 of the games of a part, each packed in 46 bytes, and of its header.
pub(crate) fn checksum(part: &mut PartReader) -> Result<u32, PartError> {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&GamesHeader::of(part)?.bytes());
    while let Some(record) = part.next() {
        let game: Result<GameRecord, ParseGameError> = record?.parse();
        let game = game.map_err(|error| part.record_error(error))?;
        hasher.update(&game.pack());
    }
    Ok(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate::Generation, player::Player};

    const RECIPE: Recipe = Recipe {
        seed: 1,
        min_random: 8,
        max_random: 40,
        depth: 0,
        solve_from: 0,
    };

    fn generation(games: u64) -> Generation {
        Generation {
            recipe: RECIPE,
            games,
            ..Generation::default()
        }
    }

    #[test]
    fn games_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let shard = Shard::new(1, 3).unwrap();
        let generation = generation(14);
        let work = generation.work(7);
        let mut part = generation.parts(folder.path()).open(&work, shard).unwrap();
        let mut player = Player::new(&RECIPE);
        let mut games = Vec::new();
        while let Some(number) = part.next_item() {
            let game = player.play(number).unwrap();
            part.append(&game.to_string()).unwrap();
            games.push(game);
        }
        assert_eq!(part.path().file_name().unwrap(), "seed1-1of3.games");
        let reader = GamesReader::open(part.path()).unwrap();
        let header = GamesHeader {
            recipe: RECIPE,
            player: 7,
            shard,
        };
        assert_eq!(*reader.header(), header);
        let read: Result<Vec<_>, _> = reader.collect();
        assert_eq!(read.unwrap(), games);
    }

    #[test]
    fn a_record_that_is_no_game_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let generation = generation(2);
        let work = generation.work(7);
        let parts = generation.parts(folder.path());
        let mut part = parts.open(&work, Shard::WHOLE).unwrap();
        part.append("8 f5d6").unwrap();
        part.append("8 f5d").unwrap();
        let mut reader = GamesReader::open(part.path()).unwrap();
        assert!(reader.next().unwrap().is_ok());
        let error = reader.next().unwrap().unwrap_err().to_string();
        assert!(
            error.ends_with("seed1-0of1.games, line 3: expected a number of random moves, the squares of a game, and at most a value for each other move"),
            "{error}"
        );
    }

    #[test]
    fn work_that_is_no_generation_is_refused() {
        let other = |command: &str, name: &str, value: &str| {
            let mut work = generation(2).work(7);
            command.clone_into(&mut work.command);
            work.settings.insert(name.into(), value.into());
            recipe(&work).unwrap_err().to_string()
        };
        assert_eq!(
            other("othello solve", "player", "7"),
            "expected games of othello-train generate, found work of othello solve"
        );
        assert!(other(COMMAND, "depth", "x").starts_with("expected the settings of games: "));
        assert!(other(COMMAND, "more", "x").starts_with("expected the settings of games: "));
        for player in ["x", "+7", "0000007", "+0000007"] {
            let expected =
                format!("expected a signature of eight hexadecimal digits, found {player:?}");
            assert_eq!(other(COMMAND, "player", player), expected);
        }
    }
}
