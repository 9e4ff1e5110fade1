//! Errors of matches.

use std::{io, path::PathBuf};

use boardgame_files::shards::ShardError;
use boardgame_match::{
    calibrate::CalibrationError, engine::ReadEnginesError, log::LogError, schedule::ScheduleError,
};

/// The error of a match that cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum MatchError {
    /// Options or engines do not go together.
    #[error("expected {0}")]
    Options(String),
    /// The form does not fit the engines.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// A file of engines is none.
    #[error("{}", path.display())]
    Engines {
        path: PathBuf,
        source: ReadEnginesError,
    },
    /// The log cannot be used.
    #[error(transparent)]
    Log(LogError),
    /// The log belongs to another match, perhaps of another game.
    #[error("{0}; --log names another file")]
    OtherLog(LogError),
    /// An engine does not start.
    #[error("{0}")]
    CannotStart(String),
    /// A limit of programs cannot be enforced.
    #[error(transparent)]
    Limit(#[from] crate::LimitError),
    /// The parts of the shards cannot be used or merged, or differ from the manifest.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A game cannot be written to a part, or read from it.
    #[error("expected games in the parts: {0}")]
    Record(#[from] serde_json::Error),
    /// A game of a shard is not in its log.
    #[error("expected all games of the shard in its log, found none of number {item}")]
    Unplayed { item: u64 },
    /// There are games that do not belong to the match.
    #[error("{}: expected the games of the shards of this match, found others", path.display())]
    OtherGames { path: PathBuf },
    /// The calibration found no limit.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The report cannot be written.
    #[error("the report cannot be written")]
    Output(#[from] io::Error),
}

impl From<LogError> for MatchError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::OtherMatch { .. } | LogError::OtherGame { .. } => Self::OtherLog(error),
            error => Self::Log(error),
        }
    }
}
