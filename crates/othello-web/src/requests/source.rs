//! The game that a request is about.

use othello_core::{Board, Game};
use othello_records::{Format, Record, RecordError};

use super::{FileBytes, RequestError};

/// Returns the game of a board (empty for the start) and moves from there.
pub(crate) fn game(board: &str, moves: &str) -> Result<Game, RequestError> {
    let start = if board.trim().is_empty() {
        Board::START
    } else {
        board.parse()?
    };
    Ok(Game::from_transcript(start, moves)?)
}

/// The text or the file of a request.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    /// The field of the request that has it.
    pub(crate) field: &'static str,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Text<'a> {
    /// Returns the text or the file; `None` if neither is given.
    pub(crate) fn of(
        text: Option<&'a str>,
        file: Option<&'a FileBytes>,
    ) -> Result<Option<Self>, RequestError> {
        let (field, bytes) = match (text, file) {
            (Some(_), Some(_)) => return Err(RequestError::Source),
            (Some(text), None) => ("text", text.as_bytes()),
            (None, Some(file)) => ("base64", &file.0[..]),
            (None, None) => return Ok(None),
        };
        Ok(Some(Self { field, bytes }))
    }

    /// Returns its format.
    pub(crate) fn format(self) -> Result<Format, RequestError> {
        let field = self.field;
        Format::detect(self.bytes).map_err(|error| RequestError::Format { field, error })
    }

    /// Returns the name of its format and, for boards, any assumption about their symbols.
    pub(crate) fn format_in_words(self, format: Format) -> String {
        let boards = matches!(format, Format::Board | Format::Rows | Format::Obf);
        let text = str::from_utf8(self.bytes).ok().filter(|_| boards);
        let reading = text.and_then(|text| Board::read_first(text).ok());
        match reading.and_then(|(reading, _)| reading.assumption) {
            Some(assumption) => format!("{format} ({assumption})"),
            None => format.to_string(),
        }
    }

    /// Returns the record of the game with this number, or of the first whole one. If there is none, returns the moves
    /// before the fault in the first game that has any, and the fault.
    pub(crate) fn record(
        self,
        number: Option<u64>,
    ) -> Result<(Record, Option<String>), RequestError> {
        let field = self.field;
        let mut games = self.format()?.read(self.bytes);
        let read = match number {
            Some(number) => numbered(&mut games, number)?,
            None => first(&mut games).ok_or(RequestError::NoGame { field })?,
        };
        match read {
            Ok(record) => Ok((record, None)),
            Err(mut error) => match error.record.take() {
                Some(part) => Ok((*part, Some(error.to_string()))),
                None => Err(RequestError::Record { field, error }),
            },
        }
    }
}

type Read = Result<Record, RecordError>;

fn numbered(games: &mut dyn Iterator<Item = Read>, number: u64) -> Result<Read, RequestError> {
    let mut found = 0;
    for read in games {
        found += 1;
        if found == number {
            return Ok(read);
        }
    }
    Err(RequestError::NoSuchGame {
        games: found,
        found: number,
    })
}

/// Returns the first whole game, or else the first with readable moves, or the error of the last one; `None` if there
/// are no games.
fn first(games: &mut dyn Iterator<Item = Read>) -> Option<Read> {
    let has_moves = |read: &Read| read.as_ref().is_err_and(|error| error.record.is_some());
    let mut kept = None;
    for read in games {
        if read.is_ok() {
            return Some(read);
        }
        if !kept.as_ref().is_some_and(has_moves) {
            kept = Some(read);
        }
    }
    kept
}

/// Returns a number of a request if it is within its range.
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
        let record = |text| Text::of(Some(text), None).unwrap().unwrap();
        let error = |text, number| record(text).record(number).unwrap_err().to_string();
        assert_eq!(
            error("f5d6\nf5f6", Some(3)),
            "game: expected a number from 1 to 2, found 3"
        );
        assert!(error("f5d6\na1f5", Some(2)).starts_with("text: game 2, byte 5: move 1: illegal"));
        assert!(error("", None).starts_with("text: expected game records"));
        let error = |bytes: &[u8]| {
            let file = FileBytes(bytes.into());
            let file = Text::of(None, Some(&file)).unwrap().unwrap();
            file.record(None).unwrap_err().to_string()
        };
        assert!(error(b"a1f5").starts_with("base64: game 1, byte 0: move 1: illegal"));
        assert!(error(b"").starts_with("base64: expected game records"));
        let error = in_range("depth", Some(61_u32), 1, 60).unwrap_err();
        assert_eq!(
            error.to_string(),
            "depth: expected a number from 1 to 60, found 61"
        );
    }

    #[test]
    fn without_a_number_the_first_whole_game_counts_or_the_moves_before_a_fault() {
        let illegal = "game 2, byte 5: move 2: illegal move f5: the square is occupied";
        for (text, moves, found) in [
            ("f5f5\nf5d6", 2, None),
            ("a1\nf5f5\na1", 1, Some(illegal.into())),
        ] {
            let text = Text::of(Some(text), None).unwrap().unwrap();
            let (record, fault) = text.record(None).unwrap();
            assert_eq!((record.game.moves().len(), fault), (moves, found));
        }
    }
}
