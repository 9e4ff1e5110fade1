//! Errors of logs.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::line;
use crate::record::{EngineId, GameId, ReplayError};

/// A log that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The system does not let it be read or written.
    #[error("cannot use the log {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another process writes it.
    #[error("the log {} is being written by another match", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file does not begin as a log does.
    #[error("{} is not the log of a match: expected its header in line 1", path.display())]
    NoLog {
        /// The file.
        path: PathBuf,
    },
    /// It is that of another match.
    #[error("the log {} is that of another match: {difference}", path.display())]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// The difference.
        difference: Difference,
    },
    /// A line is not as it was written.
    #[error("the log {}, line {line}: {error}{}", path.display(), way_on(*line))]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The error in it.
        error: EntryError,
    },
    /// The entry to be added is none of this match.
    #[error("not written to the log {}: {error}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The error in it.
        error: EntryError,
    },
    /// An entry could not be written before, and may lie there in part.
    #[error("the log {} takes no more: an earlier entry was not written", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
    },
}

/// The way to go on without a line; without the header there is none.
const fn way_on(line: usize) -> &'static str {
    match line {
        1 => "",
        _ => {
            "; keep a copy and take the line out, and the match goes on: a game that it held is played \
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

/// A thing that two matches do not share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the {what} to be {expected:?}, found {found:?}")]
pub struct Difference {
    /// What it is.
    pub what: String,
    /// The value of this match.
    pub expected: String,
    /// The value in the log.
    pub found: String,
}

/// An entry that a log cannot hold.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The line is no entry.
    #[error("expected a checksum and an entry: {0}")]
    Json(#[from] serde_json::Error),
    /// The line has no entry, or several.
    #[error("expected a match, a game or a limit beside the checksum, found {found} of them")]
    Kinds {
        /// The number of them in the line.
        found: usize,
    },
    /// The entry is not what was written.
    #[error("expected the checksum {expected}, found {found:?}")]
    Checksum {
        /// That of the bytes.
        expected: String,
        /// The one told.
        found: String,
    },
    /// The log has another format.
    #[error("expected a log of format {}, found format {version}", line::VERSION)]
    Version {
        /// The format's number.
        version: u32,
    },
    /// A header after the first line.
    #[error("expected a game or a limit, found a second header")]
    SecondHeader,
    /// The game is there already.
    #[error(
        "the game of opening {} between engines {} and {} is there already",
        id.opening, id.black.0, id.white.0
    )]
    Duplicate {
        /// The game.
        id: GameId,
    },
    /// There is no such engine.
    #[error("expected one of the {count} engines of the match, found number {}", engine.0)]
    Engine {
        /// The engine.
        engine: EngineId,
        /// The number found.
        count: usize,
    },
    /// The engine has another name.
    #[error("expected the engine {expected:?}, found {found:?}")]
    Name {
        /// The name in the header.
        expected: String,
        /// The name in the game.
        found: String,
    },
    /// The game does not replay through the rules.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}
