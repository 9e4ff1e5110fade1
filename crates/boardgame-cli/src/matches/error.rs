//! Errors of matches.

use std::{io, path::PathBuf};

use boardgame_files::shards::{ManifestError, MergeError, PartError};
use boardgame_match::{
    calibrate::CalibrationError, engine::ReadEnginesError, limit::Limit, log::LogError,
    schedule::ScheduleError,
};

/// The error of a match that cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum MatchError {
    /// Options do not go together.
    #[error("expected {0}")]
    Options(&'static str),
    /// There are not enough engines.
    #[error("expected two engines or more, by --engine or in the file of --engines, found {found}")]
    FewEngines { found: usize },
    /// A match in pairs has more than two engines.
    #[error("expected two engines for pairs, found {found}; --form names other forms")]
    NoPair { found: usize },
    /// Two engines have one name.
    #[error("two engines have the name {name}")]
    SameName { name: String },
    /// No engine has a name.
    #[error("expected one of the engines {}, found {found:?}", names.join(", "))]
    NoEngine {
        /// The names that there are.
        names: Vec<String>,
        found: String,
    },
    /// There is more than one limit for all engines.
    #[error(
        "expected one limit for all engines, found {found}: name the engine, as in -l {engine}={limit}"
    )]
    Limits {
        found: usize,
        engine: String,
        limit: Box<Limit>,
    },
    /// An engine has more than one limit.
    #[error("expected one limit for {name}, found {found}")]
    LimitsOfOne { name: String, found: usize },
    /// The CPU time of an engine is to be matched by itself.
    #[error("expected two engines in --match-cpu, found {name} twice")]
    MatchesItself { name: String },
    /// The engine to be limited is a program.
    #[error("expected our own engine first in --match-cpu, found {name}")]
    NotOurs { name: String },
    /// The engine to be limited has no limit to scale.
    #[error(
        "expected a limit of {name} that --match-cpu can scale, such as nodes:20000 or move:50ms, \
         found \"{limit}\""
    )]
    NotScalable { name: String, limit: Box<Limit> },
    /// More games at a time would take time from each other's clocks.
    #[error(
        "expected at most {room} games at a time: each takes {threads} of the {processors} \
         processors, and more would take time from each other's clocks"
    )]
    Concurrency {
        /// The number of games there is room for.
        room: usize,
        /// The threads of a game.
        threads: usize,
        processors: usize,
    },
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
    /// The log is that of another match, perhaps of another game.
    #[error("{0}; --log names another file")]
    OtherLog(LogError),
    /// An engine does not start.
    #[error("{0}")]
    CannotStart(String),
    /// The part of a shard cannot be used.
    #[error(transparent)]
    Part(#[from] PartError),
    /// The parts of the shards cannot be merged.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// The match is not that of the manifest.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A game cannot be written to a part, or read from it.
    #[error("expected games in the parts: {0}")]
    Record(#[from] serde_json::Error),
    /// A game of a shard is not in its log.
    #[error("expected all games of the shard in its log, found none of number {item}")]
    Unplayed {
        /// The number of the game in the schedule.
        item: u64,
    },
    /// There are other games than those of the match.
    #[error("{}: expected the games of the shards of this match, found others", path.display())]
    OtherGames {
        /// The log, or the folder of the parts.
        path: PathBuf,
    },
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
