//! Errors of requests.

use othello_core::{ParseBoardError, TranscriptError};
use othello_records::{DetectError, RecordError};

/// The error of a request that cannot be carried out. Its text describes the expected form.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The text is not JSON, or lacks the fields of a request.
    #[error("expected a request in JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The board cannot be parsed.
    #[error("board: {0}")]
    Board(#[from] ParseBoardError),
    /// The moves cannot be parsed, or one of them is illegal.
    #[error("moves: {0}")]
    Moves(#[from] TranscriptError),
    /// A number is out of its range.
    #[error("{field}: expected a number from {min} to {max}, found {found}")]
    Number {
        /// The field of the request.
        field: &'static str,
        /// The smallest number.
        min: u64,
        /// The largest number.
        max: u64,
        /// The number in the request.
        found: u64,
    },
    /// A move is requested in a finished game.
    #[error("moves: expected a game that is not over")]
    GameOver,
    /// The request has no game, or more than one.
    #[error("expected either text, base64, or board and moves")]
    Source,
    /// The text or file is in no format of game records.
    #[error("{field}: {error}")]
    Format {
        /// The field of the request.
        field: &'static str,
        /// The error in it.
        error: DetectError,
    },
    /// The game cannot be read.
    #[error("{field}: {error}")]
    Record {
        /// The field of the request.
        field: &'static str,
        /// The error in it.
        error: RecordError,
    },
    /// The text or file has no game.
    #[error("{field}: expected a game, found none")]
    NoGame {
        /// The field of the request.
        field: &'static str,
    },
    /// The requested game's number exceeds the number of games in the text.
    #[error("game: expected a number from 1 to {games}, found {found}")]
    NoSuchGame {
        /// The games in the text.
        games: u64,
        /// The number in the request.
        found: u64,
    },
}
