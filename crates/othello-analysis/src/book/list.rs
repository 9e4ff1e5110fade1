//! Opening lists: lines of moves from the start, each with the value after its last move.

use std::fmt::Write as _;

use othello_core::{Board, Color, Game, Move, Position, TranscriptError};
use othello_records::Value;
use serde::{Deserialize, Serialize};

use super::{Book, Import, Leaf, line_from_start};
use crate::{Discs, Source};

/// The evidence for a value without any.
const UNKNOWN: Source = Source::Depth {
    depth: 0,
    confidence: 100,
};

/// A line of moves from the start that leads out of the book with its last move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The moves, such as `f5d6c3`, without passes.
    pub moves: String,
    /// The value after the last move, from Black's point of view.
    pub value: Discs,
    /// The evidence for the value; none in a text.
    #[serde(default = "unknown")]
    pub source: Source,
}

fn unknown() -> Source {
    UNKNOWN
}

/// A fault of a line of an opening list.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ListError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault.
    pub fault: LineError,
}

/// The fault of a line of an opening list.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The moves break the rules.
    #[error(transparent)]
    Moves(#[from] TranscriptError),
    /// There are no moves.
    #[error("expected moves, then a value")]
    NoMoves,
    /// The value is none.
    #[error("expected a value from -64 to 64 discs after the moves")]
    Value,
    /// The depth or the confidence of a search is none.
    #[error("expected a depth to 60 and a confidence to 100 percent")]
    Source,
}

/// Returns a line from the start for each move that leads out of the book, those in which both sides lose least first.
pub fn lines(book: &Book) -> impl Iterator<Item = Line> + '_ {
    book.lines(Position::START).map(|line| Line {
        moves: line_from_start(&line.moves),
        value: line.value,
        source: line.source,
    })
}

/// Returns a value from Black's point of view from that of the side to move, or the other way.
fn from_black(board: Board, value: Discs) -> Discs {
    match board.side_to_move() {
        Color::Black => value,
        Color::White => -value,
    }
}

/// Reads a list as text, and adds its lines.
///
/// # Errors
///
/// Fails at the first line that breaks the format or the rules.
pub fn read(bytes: &[u8], import: &mut Import) -> Result<(), ListError> {
    for (index, row) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let row = row.trim_ascii();
        if row.is_empty() || row.starts_with(b"#") {
            continue;
        }
        let line = parse(row).and_then(|line| add(&line, import));
        line.map_err(|fault| ListError {
            line: index + 1,
            fault,
        })?;
    }
    Ok(())
}

/// Parses moves and a value, with white space, a comma or a semicolon between them.
fn parse(row: &[u8]) -> Result<Line, LineError> {
    let is_end = |&byte: &u8| byte.is_ascii_whitespace() || b",;".contains(&byte);
    let end = row.iter().rposition(is_end).ok_or(LineError::NoMoves)?;
    let moves = row[..end].trim_ascii_end();
    let moves = moves.strip_suffix(b",").unwrap_or(moves);
    let value = Value::read(&row[end + 1..]).ok_or(LineError::Value)?;
    Ok(Line {
        moves: String::from_utf8_lossy(moves).into_owned(),
        value: Discs::from_hundredths(value.hundredths()),
        source: UNKNOWN,
    })
}

/// Adds the positions on a line, and the value of its last move.
///
/// # Errors
///
/// Fails if the moves break the rules or a number is out of range.
pub fn add(line: &Line, import: &mut Import) -> Result<(), LineError> {
    let game: Game = line.moves.parse()?;
    if line.value.hundredths().unsigned_abs() > 6400 {
        return Err(LineError::Value);
    }
    if matches!(line.source, Source::Depth { depth, confidence } if depth > 60 || confidence > 100)
    {
        return Err(LineError::Source);
    }
    let last = game.plies().next_back().ok_or(LineError::NoMoves)?;
    for board in game.boards() {
        if board != game.board() {
            import.add(board.position(), None, None);
        }
    }
    let (board, Move::Place(square)) = last else {
        return Err(LineError::NoMoves);
    };
    let leaf = Leaf {
        square,
        score: from_black(board, line.value),
        source: line.source,
    };
    import.add(board.position(), None, [leaf]);
    Ok(())
}

/// Returns the lines of a book as text.
pub fn write(book: &Book) -> Vec<u8> {
    let mut text = String::new();
    for Line { moves, value, .. } in lines(book) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{moves} {value}");
    }
    text.into_bytes()
}
