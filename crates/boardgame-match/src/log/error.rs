//! Errors of logs.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::line;
use crate::{
    EngineId, GameId,
    record::{ReplayError, one_of},
};

/// An error of a log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("cannot use the log {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// Another process has locked the file.
    #[error("the log {} is being written by another match", path.display())]
    Locked { path: PathBuf },
    /// The file does not start with a header.
    #[error("{} is not the log of a match: expected its header in line 1", path.display())]
    NoLog { path: PathBuf },
    /// The log belongs to another match.
    #[error("the log {} is that of another match: {difference}", path.display())]
    OtherMatch {
        path: PathBuf,
        difference: Difference,
    },
    /// The log belongs to a match of another game.
    #[error(
        "{} is the log of a match of another game: expected games of {expected}, found {}",
        path.display(), one_of(found.as_deref())
    )]
    OtherGame {
        path: PathBuf,
        expected: &'static str,
        /// The name in the log, if there is one.
        found: Option<String>,
    },
    /// A line is invalid.
    #[error("the log {}, line {line}: {error}{}", path.display(), advice(*line))]
    Line {
        path: PathBuf,
        line: usize,
        error: EntryError,
    },
    /// The entry does not belong to the match, and was not written.
    #[error("not written to the log {}: {error}", path.display())]
    Refused { path: PathBuf, error: EntryError },
    /// An earlier entry could not be written, and may be incomplete.
    #[error("nothing more can be written to the log {}: an earlier entry was not written", path.display())]
    Torn { path: PathBuf },
}

/// Returns advice on continuing the match without a line; none for the header.
const fn advice(line: usize) -> &'static str {
    match line {
        1 => "",
        _ => {
            "; to continue the match, keep a copy and delete the line: a game that it held is played \
             again"
        }
    }
}

impl LogError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

/// A difference of the headers of two matches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the {what} to be {expected:?}, found {found:?}")]
pub struct Difference {
    /// The field.
    pub what: String,
    /// The value in the header of the match.
    pub expected: String,
    /// The value in the log.
    pub found: String,
}

/// An error of an entry.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum EntryError {
    /// The line is not an entry.
    #[error("expected a checksum and an entry: {0}")]
    Json(#[from] serde_json::Error),
    /// The checksum is wrong: the entry was changed.
    #[error("expected the checksum {expected}, found {found:?}")]
    Checksum { expected: String, found: String },
    /// The log has another version of the format.
    #[error("expected a log of format {}, found format {version}", line::VERSION)]
    Version { version: u32 },
    /// The first line is not the header.
    #[error("expected the header of a match before its games and limits")]
    NoHeader,
    /// A header stands after the first line.
    #[error("expected a game or a limit, found a second header")]
    SecondHeader,
    /// The log has the game already.
    #[error(
        "the game of opening {} between engines {} and {} is there already",
        id.opening, id.black.0, id.white.0
    )]
    Duplicate { id: GameId },
    /// No round of the tournament has the game.
    #[error(
        "expected a game of a round, found that of opening {} between engines {} and {}",
        id.opening, id.black.0, id.white.0
    )]
    NotPaired { id: GameId },
    /// The match has no such engine.
    #[error("expected one of the {count} engines of the match, found number {}", engine.0)]
    Engine { engine: EngineId, count: usize },
    /// The engine has another name in the header.
    #[error("expected the engine {expected:?}, found {found:?}")]
    Name { expected: String, found: String },
    /// The game does not replay through the rules.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}
