//! The game that a request is about.

use othello_core::{Board, Game};
use othello_records::{Format, Record};

use crate::{FileBytes, RequestError};

/// Returns the game of a board, empty for the start, and moves from there.
pub(crate) fn game(board: &str, moves: &str) -> Result<Game, RequestError> {
    let start = if board.trim().is_empty() {
        Board::START
    } else {
        board.parse()?
    };
    Ok(Game::from_transcript(start, moves)?)
}

/// Returns the bytes of a text or of a file; `None` if neither is given.
pub(crate) fn bytes<'a>(
    text: Option<&'a str>,
    file: Option<&'a FileBytes>,
) -> Result<Option<&'a [u8]>, RequestError> {
    match (text, file) {
        (Some(_), Some(_)) => Err(RequestError::Source),
        (Some(text), None) => Ok(Some(text.as_bytes())),
        (None, file) => Ok(file.map(|file| &file.0[..])),
    }
}

/// Returns the format of a text.
pub(crate) fn format(text: &[u8]) -> Result<Format, RequestError> {
    Ok(Format::detect(text)?)
}

/// Returns the record of the game with this number, or of the first one that can be read.
pub(crate) fn record(text: &[u8], number: Option<u64>) -> Result<Record, RequestError> {
    let mut games = format(text)?.read(text);
    match number {
        Some(number) => numbered(&mut games, number),
        None => first(&mut games),
    }
}

type Read = Result<Record, othello_records::RecordError>;

fn numbered(games: &mut dyn Iterator<Item = Read>, number: u64) -> Result<Record, RequestError> {
    let mut found = 0;
    for read in games {
        found += 1;
        if found == number {
            return Ok(read?);
        }
    }
    Err(RequestError::NoSuchGame {
        games: found,
        found: number,
    })
}

/// Returns the first game that can be read, or else the error of the last one.
fn first(games: &mut dyn Iterator<Item = Read>) -> Result<Record, RequestError> {
    let mut error = RequestError::NoGame;
    for read in games {
        match read {
            Ok(record) => return Ok(record),
            Err(damaged) => error = damaged.into(),
        }
    }
    Err(error)
}

/// Returns a number of a request that is within its range.
pub(crate) fn in_range<T: Copy + Into<u64>>(
    field: &'static str,
    number: Option<T>,
    min: u64,
    max: u64,
) -> Result<Option<T>, RequestError> {
    match number.map(Into::into) {
        Some(found) if !(min..=max).contains(&found) => Err(RequestError::Number {
            field,
            min,
            max,
            found,
        }),
        _ => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_field_and_what_was_expected() {
        let error = |board, moves| game(board, moves).unwrap_err().to_string();
        assert_eq!(
            error("XO", ""),
            "board: expected one of 64 squares (X, O or -) at offset 2"
        );
        assert_eq!(
            error("", "f5f5"),
            "moves: illegal move f5: the square is occupied at offset 2"
        );
        let error = |text: &str, number| record(text.as_bytes(), number).unwrap_err().to_string();
        assert_eq!(
            error("f5d6\nf5f6", Some(3)),
            "game: expected a number from 1 to 2, found 3"
        );
        assert!(error("f5d6\nf5f5", Some(2)).starts_with("text: game 2, byte 7: move 2: illegal"));
        assert!(error("", None).starts_with("text: expected game records"));
        let error = in_range("depth", Some(61_u32), 1, 60).unwrap_err();
        assert_eq!(
            error.to_string(),
            "depth: expected a number from 1 to 60, found 61"
        );
    }

    #[test]
    fn without_a_number_the_first_readable_game_counts() {
        let record = record(b"f5f5\nf5d6", None).unwrap();
        assert_eq!(record.game.moves().len(), 2);
    }
}
