//! The error of parsing a record.

use core::fmt;

use crate::{IllegalMove, Komi, StonesError};

/// The error of parsing a record of a game of Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ParseRecordError {
    /// The byte offset of the unexpected text or property, or of the start of an unclosed part.
    pub offset: usize,
    pub kind: ParseRecordErrorKind,
}

/// The kind of a [`ParseRecordError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ParseRecordErrorKind {
    /// Expected a game, which begins with `(;`.
    NoGame,
    /// Expected `;` after `(`.
    NoNode,
    /// Expected a property, `;`, `(` or `)`.
    NoProperty,
    /// Expected an identifier with an upper-case letter.
    Identifier,
    /// Expected `[` after an identifier.
    NoValue,
    /// Expected `(` or `)` after a variation.
    AfterVariation,
    /// A value lacks its `]`.
    UnclosedValue,
    /// The game or a variation lacks its `)`.
    UnclosedTree,
    /// Variations are nested more than [`MAX_DEPTH`](super::MAX_DEPTH) deep.
    TooDeep,
    /// `GM` names another game.
    OtherGame,
    /// `SZ` is not the size of a square board from 1x1 to 25x25.
    Size,
    /// `KM` is not a number of whole or half points.
    Komi,
    /// A value of `AB`, `AW` or `AE` is not a point or rectangle of the board.
    Points,
    /// The stones of `AB` and `AW` cannot be on the board together.
    Stones(StonesError),
    /// The value of `B` or `W` is not a move.
    NoMove { number: usize },
    /// A move is illegal.
    IllegalMove { number: usize, error: IllegalMove },
}

/// Input that the specification forbids and the reader accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct RecordLeniency {
    /// The byte offset of the property, or of the start of the unclosed part.
    pub offset: usize,
    pub kind: RecordLeniencyKind,
}

/// The kind of a [`RecordLeniency`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum RecordLeniencyKind {
    /// The game or a variation lacks its `)`.
    Unclosed,
    /// `KM` is empty, has a decimal comma, or counts hundredths of points, or stones of two points or hundredths of them.
    Komi { read_as: Komi },
    /// Stones are added or removed after this number of moves: the game begins there.
    LateSetup { moves: usize },
    /// Stones are added or removed after the last move or two passes, which changes nothing.
    SetupAfterEnd,
}

impl RecordLeniency {
    /// Returns the name of the leniency in the documentation.
    pub const fn name(self) -> &'static str {
        match self.kind {
            RecordLeniencyKind::Unclosed => "unclosed-record",
            RecordLeniencyKind::Komi { .. } => "komi-notation",
            RecordLeniencyKind::LateSetup { .. } => "late-setup",
            RecordLeniencyKind::SetupAfterEnd => "setup-after-end",
        }
    }
}

impl fmt::Display for RecordLeniency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: ", self.offset)?;
        match self.kind {
            RecordLeniencyKind::Unclosed => f.write_str("a variation that begins here lacks its )"),
            RecordLeniencyKind::Komi { read_as } => write!(f, "komi read as {read_as}"),
            RecordLeniencyKind::LateSetup { moves } => write!(
                f,
                "stones added or removed after move {moves}: the game begins there, without earlier prisoners"
            ),
            RecordLeniencyKind::SetupAfterEnd => {
                f.write_str("stones added or removed after the end, which changes nothing")
            }
        }
    }
}

impl fmt::Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ParseRecordErrorKind as Kind;
        let syntax = match self.kind {
            Kind::NoGame => "expected a game, which begins with (;",
            Kind::NoNode => "expected ; after (",
            Kind::NoProperty => "expected a property, ;, ( or )",
            Kind::Identifier => "expected an identifier with an upper-case letter",
            Kind::NoValue => "expected [ after an identifier",
            Kind::AfterVariation => "expected ( or ) after a variation",
            Kind::UnclosedValue => "expected ] at the end of the value that begins",
            Kind::UnclosedTree => "expected ) at the end of the variation that begins",
            Kind::TooDeep => "expected fewer variations within each other",
            kind => return write!(f, "offset {}: {}", self.offset, Content(kind)),
        };
        write!(f, "{syntax} at offset {}", self.offset)
    }
}

/// Displays an error in what a record says.
struct Content(ParseRecordErrorKind);

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ParseRecordErrorKind as Kind;
        f.write_str(match self.0 {
            Kind::OtherGame => "expected the game of Go, GM[1]",
            Kind::Size => "expected the size of a square board, 1 to 25",
            Kind::Komi => "expected whole or half points as komi",
            Kind::Stones(error) => return error.fmt(f),
            Kind::NoMove { number } => {
                return write!(f, "move {number}: expected a point of the board or a pass");
            }
            Kind::IllegalMove { number, error } => return write!(f, "move {number}: {error}"),
            _ => "expected points of the board",
        })
    }
}

impl core::error::Error for ParseRecordError {}
