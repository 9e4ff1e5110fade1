//! The games of a text.

use std::collections::BTreeSet;

use othello_analysis::GameInfo;
use othello_records::Record;

use super::{
    Comment, Event, GameRecord, ReadProblem, Records, RecordsRequest, RequestError,
    source::{Text, in_range},
};

/// The maximum number of games in an answer.
const MAX_GAMES: u64 = 1000;

/// The default number of games in an answer.
const DEFAULT_GAMES: u64 = 100;

/// The maximum number of problems in an answer.
const MAX_PROBLEMS: usize = 100;

/// Reads the requested games.
pub(crate) fn read(request: &RecordsRequest) -> Result<Event, RequestError> {
    let text = Text::of(request.text.as_deref(), request.base64.as_ref())?;
    let text = text.ok_or(RequestError::Source)?;
    let first = in_range("first", request.first, 1, u64::MAX)?.unwrap_or(1);
    let count = in_range("count", request.count, 0, MAX_GAMES)?.unwrap_or(DEFAULT_GAMES);
    let asked = first..first.saturating_add(count);
    let format = text.format()?;
    let mut records = Records {
        format: text.format_in_words(format),
        total: 0,
        games: Vec::new(),
        problems: Vec::new(),
    };
    let mut encodings = BTreeSet::new();
    for read in format.read(text.bytes) {
        records.total += 1;
        let number = records.total;
        let record = match read {
            Ok(record) => Some(record),
            Err(error) => {
                if records.problems.len() < MAX_PROBLEMS {
                    records.problems.push(ReadProblem {
                        game: number,
                        message: error.to_string(),
                    });
                }
                error.record.map(|record| *record)
            }
        };
        let Some(record) = record else { continue };
        encodings.extend(record.encoding);
        if asked.contains(&number) {
            records.games.push(game(number, &record));
        }
    }
    for encoding in encodings {
        records.format = format!("{}, read as {encoding}", records.format);
    }
    Ok(Event::Records(records))
}

/// Returns a game with its number for the page.
pub(crate) fn game(number: u64, record: &Record) -> GameRecord {
    GameRecord {
        number,
        info: GameInfo::new(record),
        board: record.game.start(),
        moves: record.game.transcript().to_string(),
        comment: record.comment.clone(),
        comments: comments(record),
    }
}

fn comments(record: &Record) -> Vec<Comment> {
    let notes = record.notes.iter().enumerate();
    let comments = notes.map(|(ply, note)| Comment {
        ply,
        text: note.comment.clone(),
    });
    comments
        .filter(|comment| !comment.text.is_empty())
        .collect()
}
