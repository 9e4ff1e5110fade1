//! Games on disk: the parts of a generation, with a record for each game.
//!
//! A record is the number of random moves, a space, the squares of the game in text form and, if moves were searched,
//! a space and the values of the searches in tenths of a disc, separated by commas.

use std::{
    io::{BufRead, BufReader},
    path::Path,
};

use anyhow::{Context as _, anyhow, ensure};
use boardgame_files::shards::{BriefFile, PartReader, Shard, ShardError, Work};
use serde::{Deserialize, Serialize};

use crate::{player::Recipe, record::GameRecord};

/// The extension of files of games.
pub(crate) const EXTENSION: &str = "games";
/// The command that writes the parts.
pub(crate) const COMMAND: &str = "othello-train generate";

/// The identity of a part of a generation: the settings and player of its games, and its shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GamesHeader {
    /// The settings of the games.
    pub(crate) recipe: Recipe,
    /// The [signature](crate::Player::signature) of the player.
    pub(crate) player: u32,
    /// The shard of the games.
    pub(crate) shard: Shard,
}

/// The settings of a generation in manifests.
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
    /// The version of the program, absent in manifests of earlier versions.
    program: Option<String>,
    weights: Option<String>,
}

/// The names of settings that may differ between two runs with the same games: a program built elsewhere plays the
/// same if its player has the same signature, and a run stopped early has fewer games than planned.
pub(crate) const OF_A_RUN: [&str; 3] = ["items", "program", "weights"];

/// Returns the work of playing a number of games, for a player's signature, a program and its weights.
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
pub(crate) fn recipe(work: &Work) -> anyhow::Result<(Recipe, u32)> {
    ensure!(
        work.command == COMMAND,
        "expected games of {COMMAND}, found work of {}",
        work.command
    );
    let settings: Settings =
        (work.settings()).map_err(|error| anyhow!("expected the settings of games: {error}"))?;
    let recipe = Recipe {
        seed: settings.seed,
        min_random: settings.min_random,
        max_random: settings.max_random,
        depth: settings.depth,
        solve_from: settings.solve_from,
    };
    recipe.check()?;
    let player = signature(&settings.player).with_context(|| {
        format!(
            "expected a signature of eight hexadecimal digits, found {:?}",
            settings.player
        )
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
    fn of(part: &PartReader<impl BufRead>) -> Result<Self, ShardError> {
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

    /// Returns bytes that identify the header, for checksums that do not depend on the file format.
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
pub(crate) struct GamesReader {
    pub(crate) header: GamesHeader,
    pub(crate) part: PartReader<BufReader<BriefFile>>,
}

impl GamesReader {
    /// Opens a part.
    pub(crate) fn open(path: &Path) -> Result<Self, ShardError> {
        Self::open_one_of(path, 1)
    }

    /// Opens one of several parts that are [read alternately](PartReader::open_one_of).
    pub(crate) fn open_one_of(path: &Path, parts: usize) -> Result<Self, ShardError> {
        let part = PartReader::open_one_of(path, parts)?;
        let header = GamesHeader::of(&part)?;
        Ok(Self { header, part })
    }
}

impl Iterator for GamesReader {
    type Item = Result<GameRecord, ShardError>;

    /// Returns the next game, or an error, after which nothing more can be read.
    fn next(&mut self) -> Option<Self::Item> {
        let game = self.part.next()?.and_then(|record| {
            let game: anyhow::Result<GameRecord> = record.parse();
            game.map_err(|error| self.part.record_error(error))
        });
        Some(game)
    }
}

/// Returns the CRC-32 of the games of a part, each packed in 46 bytes, and of its header.
pub(crate) fn checksum(part: &mut PartReader) -> Result<u32, ShardError> {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&GamesHeader::of(part)?.bytes());
    while let Some(record) = part.next() {
        let game: anyhow::Result<GameRecord> = record?.parse();
        let game = game.map_err(|error| part.record_error(error))?;
        hasher.update(&game.pack());
    }
    Ok(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generation;

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
        let other = |command: &str, name: &str, value: serde_json::Value| {
            let mut work = generation(2).work(7);
            command.clone_into(&mut work.command);
            work.settings.insert(name.into(), value);
            recipe(&work).unwrap_err().to_string()
        };
        assert_eq!(
            other("othello solve", "player", 7.into()),
            "expected games of othello-train generate, found work of othello solve"
        );
        assert!(
            other(COMMAND, "depth", "x".into()).starts_with("expected the settings of games: ")
        );
        assert!(other(COMMAND, "more", "x".into()).starts_with("expected the settings of games: "));
        assert_eq!(
            other(COMMAND, "depth", 99.into()),
            "expected depth from 0 to 60, found 99"
        );
        for player in ["x", "+7", "0000007", "+0000007"] {
            let expected =
                format!("expected a signature of eight hexadecimal digits, found {player:?}");
            assert_eq!(other(COMMAND, "player", player.into()), expected);
        }
    }
}
