//! Errors of reading records.

use std::io;

use othello_core::IllegalMove;

use crate::Record;

/// The error of a game that cannot be read, or only in part. Later games can still be read, unless reading the input
/// itself failed.
#[derive(Debug, thiserror::Error)]
#[error("game {game}, byte {offset}: {kind}")]
#[non_exhaustive]
pub struct RecordError {
    /// The number of the game in the input, counted from 1.
    pub game: u64,
    /// The offset in the input in bytes, counted from 0.
    pub offset: u64,
    /// The kind of the error.
    #[source]
    pub kind: RecordErrorKind,
    /// The game with the moves before the error, if there are any; the whole game if only its text is damaged.
    pub record: Option<Box<Record>>,
}

/// The kind of a [`RecordError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum RecordErrorKind {
    /// The text is not valid in the format.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A move is illegal.
    #[error("move {number}: {error}")]
    Illegal {
        number: usize,
        #[source]
        error: IllegalMove,
    },
    /// A move is by the side that is not to move.
    #[error("move {number}: expected a move of the other side")]
    OutOfTurn { number: usize },
    /// The game is longer than the limit.
    #[error("expected a game of at most {max} bytes, found more")]
    TooLong { max: usize },
    /// The board has another size.
    #[error("expected games on a board of 8x8, found {size}x{size}")]
    BoardSize { size: u64 },
    /// Bytes are invalid in the game's encoding; U+FFFD replaces them.
    #[error("expected text in {encoding}")]
    Damaged { encoding: &'static str },
    /// The record is of another game, or of a variant of Othello.
    #[error("expected Othello on a board of 8x8, found {found}")]
    OtherGame { found: String },
    /// The input ends within a game.
    #[error("expected {expected} more bytes of the game, found {found}")]
    CutShort { expected: usize, found: usize },
    /// The input has fewer games than its header says.
    #[error("expected {expected} games, as the header says, found {found}")]
    Missing { expected: u64, found: u64 },
    /// The text is not JSON, or not a game of Othello Quest.
    #[error("expected a game of Othello Quest: {0}")]
    Json(#[source] serde_json::Error),
    /// The input cannot be read.
    #[error(transparent)]
    Io(io::Error),
}

/// An error within a game, and its offset in bytes from the start of the game.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) offset: usize,
    pub(crate) kind: RecordErrorKind,
    /// The record before the error.
    pub(crate) record: Option<Box<Record>>,
}

/// Fills a new record with a function; an error includes the record as far as it was filled.
pub(crate) fn filled(fill: impl FnOnce(&mut Record) -> Result<(), Fault>) -> Result<Record, Fault> {
    let mut record = Record::default();
    match fill(&mut record) {
        Ok(()) => Ok(record),
        Err(fault) => Err(Fault {
            record: Some(Box::new(record)),
            ..fault
        }),
    }
}

impl Fault {
    pub(crate) const fn new(offset: usize, kind: RecordErrorKind) -> Self {
        Self {
            offset,
            kind,
            record: None,
        }
    }

    /// The record before the error, if it has a move.
    pub(crate) fn part(record: Option<Box<Record>>) -> Option<Box<Record>> {
        record.filter(|record| !record.game.moves().is_empty())
    }

    pub(crate) const fn expected(offset: usize, what: &'static str) -> Self {
        Self::new(offset, RecordErrorKind::Expected(what))
    }

    pub(crate) const fn illegal(offset: usize, number: usize, error: IllegalMove) -> Self {
        Self::new(offset, RecordErrorKind::Illegal { number, error })
    }
}

impl From<othello_proto::ParseError> for Fault {
    fn from(error: othello_proto::ParseError) -> Self {
        Self::expected(error.offset(), error.expected())
    }
}
