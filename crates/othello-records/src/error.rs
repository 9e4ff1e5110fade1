//! Errors of reading records.

use std::io;

use othello_core::IllegalMove;

use crate::Record;

/// An error: a game cannot be read, or only a part of it. The games after it can, but for an error of the input itself.
#[derive(Debug, thiserror::Error)]
#[error("game {game}, byte {offset}: {problem}")]
#[non_exhaustive]
pub struct RecordError {
    /// The number of the game in the input, counted from 1.
    pub game: u64,
    /// The byte of the input, counted from 0.
    pub offset: u64,
    /// The reason.
    #[source]
    pub problem: Problem,
    /// The game with the moves before the place, if there are any; the whole game if only its text is damaged.
    pub record: Option<Box<Record>>,
}

/// The reason for which a game cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not what the format has there.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The rules forbid a move.
    #[error("move {number}: {error}")]
    Illegal {
        /// The number of the move in the record, counted from 1.
        number: usize,
        /// The fault of the move.
        #[source]
        error: IllegalMove,
    },
    /// A move is that of the side that is not to move.
    #[error("move {number}: expected a move of the other side")]
    OutOfTurn {
        /// The number of the move in the record, counted from 1.
        number: usize,
    },
    /// The game is longer than any game is.
    #[error("expected a game of at most {max} bytes, found more")]
    TooLong {
        /// The maximum in bytes.
        max: usize,
    },
    /// The board is of another size.
    #[error("expected games on a board of 8x8, found {size}x{size}")]
    BoardSize {
        /// The number of rows.
        size: u64,
    },
    /// Bytes are not of the encoding that the game is in. U+FFFD stands for them.
    #[error("expected text in {encoding}")]
    Damaged {
        /// The name of the encoding.
        encoding: &'static str,
    },
    /// It is another game, or a variant of Othello.
    #[error("expected Othello on a board of 8x8, found {found}")]
    OtherGame {
        /// Its name.
        found: String,
    },
    /// The input ends within a game.
    #[error("expected {expected} more bytes of the game, found {found}")]
    CutShort {
        /// The bytes that belong to the game.
        expected: usize,
        /// The bytes that are there.
        found: usize,
    },
    /// The input has fewer games than it says.
    #[error("expected {expected} games, as the header says, found {found}")]
    Missing {
        /// The number in the header.
        expected: u64,
        /// The number in the input.
        found: u64,
    },
    /// The text is no JSON, or not that of the format.
    #[error("expected a game of Othello Quest: {0}")]
    Json(#[source] serde_json::Error),
    /// The input cannot be read.
    #[error(transparent)]
    Io(io::Error),
}

/// The place in a game, in bytes from its beginning, and the reason for which it cannot be read.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) offset: usize,
    pub(crate) problem: Problem,
    /// What was read before the place.
    pub(crate) record: Option<Box<Record>>,
}

/// Reads a record with a function that fills it; a fault has the record as far as it is filled.
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
    pub(crate) const fn new(offset: usize, problem: Problem) -> Self {
        Self {
            offset,
            problem,
            record: None,
        }
    }

    /// The record that was read before the place, if it has a move.
    pub(crate) fn part(record: Option<Box<Record>>) -> Option<Box<Record>> {
        record.filter(|record| !record.game.moves().is_empty())
    }

    pub(crate) const fn expected(offset: usize, what: &'static str) -> Self {
        Self::new(offset, Problem::Expected(what))
    }

    pub(crate) const fn illegal(offset: usize, number: usize, error: IllegalMove) -> Self {
        Self::new(offset, Problem::Illegal { number, error })
    }
}

impl From<othello_proto::ParseError> for Fault {
    fn from(error: othello_proto::ParseError) -> Self {
        Self::expected(error.offset(), error.expected())
    }
}
