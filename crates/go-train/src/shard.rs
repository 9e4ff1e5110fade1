//! Shards: files of games that go on where they stopped.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    str::FromStr,
};

use boardgame_files::{AppendFile, AppendOptions, whole_lines};
use go_core::Size;
use serde::{Deserialize, Serialize};

use crate::{GameRecord, Recipe};

/// The largest shard that is read, in bytes.
const MAX_SIZE: u64 = 1 << 32;

/// A part of the games of a recipe: every N-th from the I-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The part from 0.
    pub index: u64,
    /// The number of parts.
    pub count: u64,
}

impl Part {
    /// Returns the number of the game at a place in the part, from 0.
    pub(crate) const fn game(self, place: u64) -> u64 {
        self.index + place * self.count
    }

    /// Returns the name of the file that has the part.
    pub(crate) fn file_name(self) -> String {
        format!("{}-{}.games", self.index, self.count)
    }
}

/// The error of a text that is no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N with I below N, such as 0/4")]
pub struct PartError;

impl FromStr for Part {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (index, count) = text.split_once('/').ok_or(PartError)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| PartError);
        let (index, count) = (number(index)?, number(count)?);
        (index < count)
            .then_some(Self { index, count })
            .ok_or(PartError)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// An error of a shard.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The file cannot be read or written, or another process writes it.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}, line {line}: expected {expected}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was expected there.
        expected: &'static str,
    },
}

/// The first line of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) recipe: Recipe,
    pub(crate) part: Part,
}

/// The contents of a shard.
pub(crate) struct Contents {
    pub(crate) header: Header,
    pub(crate) games: Vec<GameRecord>,
    /// The CRC-32 of all whole lines.
    pub(crate) crc32: u32,
}

/// A shard that is being written: a line of JSON with the recipe and the part, and then one for each game.
///
/// A line that a writer left incomplete is removed when the shard is opened again.
#[derive(Debug)]
pub struct Shard {
    path: PathBuf,
    file: AppendFile,
    part: Part,
    games: u64,
}

impl Shard {
    /// Opens a shard in a folder, both created if they do not exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be used, another process writes it, or it is of another recipe.
    pub fn open(folder: &Path, recipe: Recipe, part: Part) -> Result<Self, ShardError> {
        let path = folder.join(part.file_name());
        let io = |reason: io::Error| ShardError::Io {
            path: path.clone(),
            reason,
        };
        let options = AppendOptions {
            create_folder: true,
            lock: true,
            regular: true,
        };
        let mut file = AppendFile::open(&path, options).map_err(|error| io(error.into()))?;
        let text = file.read_to_string(MAX_SIZE).map_err(io)?;
        let whole = whole_lines(&text);
        file.truncate(whole.len() as u64).map_err(io)?;
        let header = Header { recipe, part };
        if whole.is_empty() {
            file.append_line(json(&header)).map_err(io)?;
        } else if whole.lines().next() != Some(&json(&header)) {
            return Err(ShardError::Line {
                path,
                line: 1,
                expected: "the same recipe and part",
            });
        }
        let games = whole.lines().count().saturating_sub(1) as u64;
        Ok(Self {
            path,
            file,
            part,
            games,
        })
    }

    /// Returns the number of the next game.
    pub const fn next_game(&self) -> u64 {
        self.part.game(self.games)
    }

    /// Adds the next game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), ShardError> {
        self.games += 1;
        self.file
            .append_line(json(game))
            .map_err(|reason| ShardError::Io {
                path: self.path.clone(),
                reason,
            })
    }

    /// Reads the recipe and the games of a shard; an incomplete line at its end is left out.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or a line is invalid.
    pub fn read(path: &Path) -> Result<(Recipe, Vec<GameRecord>), ShardError> {
        let Contents { header, games, .. } = Self::contents(path)?;
        Ok((header.recipe, games))
    }

    /// Reads all of a shard; an incomplete line at its end is left out.
    pub(crate) fn contents(path: &Path) -> Result<Contents, ShardError> {
        let read = boardgame_files::read_to_string(path, MAX_SIZE);
        let text = read.map_err(|reason| ShardError::Io {
            path: path.into(),
            reason,
        })?;
        let error = |line, expected| ShardError::Line {
            path: path.into(),
            line,
            expected,
        };
        let whole = whole_lines(&text);
        let mut lines = whole.lines();
        let header = lines.next().and_then(header);
        let header = header.ok_or_else(|| error(1, "a recipe and a part"))?;
        let games = (2..)
            .zip(lines)
            .map(|(line, text)| serde_json::from_str(text).map_err(|_| error(line, "a game")));
        Ok(Contents {
            header,
            games: games.collect::<Result<_, _>>()?,
            crc32: crc32fast::hash(whole.as_bytes()),
        })
    }
}

/// Reads the first line of a shard; `None` if it is no header or the board has not 1 to 25 lines.
fn header(line: &str) -> Option<Header> {
    let header: Header = serde_json::from_str(line).ok()?;
    Size::new(header.recipe.lines).map(|_| header)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and strings are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: Recipe = Recipe {
        seed: 1,
        lines: 9,
        playouts: 100,
        weights: 7,
    };

    const PART: Part = Part { index: 1, count: 3 };

    fn game(game: u64) -> GameRecord {
        let moves = Vec::new();
        GameRecord { game, moves }
    }

    #[test]
    fn a_shard_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let mut shard = Shard::open(folder.path(), RECIPE, PART).unwrap();
        for number in [1, 4] {
            assert_eq!(shard.next_game(), number);
            shard.add(&game(number)).unwrap();
        }
        shard.file.append(b"{\"game\":7,").unwrap();
        drop(shard);
        let path = folder.path().join("1-3.games");
        assert_eq!(
            Shard::read(&path).unwrap(),
            (RECIPE, vec![game(1), game(4)])
        );
        let mut shard = Shard::open(folder.path(), RECIPE, PART).unwrap();
        assert_eq!(shard.next_game(), 7);
        shard.add(&game(7)).unwrap();
        assert_eq!(Shard::read(&path).unwrap().1.len(), 3);
    }

    #[test]
    fn a_shard_of_another_recipe_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(Shard::open(folder.path(), RECIPE, PART).unwrap());
        let other = Recipe { seed: 2, ..RECIPE };
        let error = Shard::open(folder.path(), other, PART)
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("line 1: expected the same recipe and part"),
            "{error}"
        );
    }

    #[test]
    fn parts_read_back() {
        assert_eq!("1/3".parse(), Ok(PART));
        assert_eq!(PART.to_string(), "1/3");
        for text in ["3/3", "1", "-1/3", "a/b", "0/0"] {
            assert_eq!(text.parse::<Part>(), Err(PartError), "{text}");
        }
    }
}
