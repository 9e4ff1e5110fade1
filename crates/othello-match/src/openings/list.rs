//! Openings as lines of text.

use othello_core::{BoardLine, Game, Problem, Square, TranscriptError, TranscriptErrorKind};

use super::{Line, LineError, OpeningsError};

/// The openings of a text, in its order; there is at least one.
pub(super) fn read(name: &str, text: &str) -> Result<Vec<Line>, OpeningsError> {
    let mut lines = Vec::new();
    for (index, text) in text.lines().enumerate() {
        let told = text.split_once('%').map_or(text, |(told, _)| told);
        if told.trim().is_empty() || BoardLine::is_comment(text) {
            continue;
        }
        let opening = line(told).map_err(|error| OpeningsError::Line {
            name: name.to_owned(),
            line: index + 1,
            error,
        })?;
        lines.push(opening);
    }
    if lines.is_empty() {
        return Err(OpeningsError::Empty {
            name: name.to_owned(),
        });
    }
    Ok(lines)
}

/// Returns whether the text after the moves is the opening's name: a word that begins with three letters.
fn is_name(text: &str, error: TranscriptError) -> bool {
    let (moves, rest) = text.split_at(error.offset);
    let letters = rest.chars().take(3).filter(|letter| letter.is_alphabetic());
    error.kind == TranscriptErrorKind::NoMove
        && moves.ends_with(char::is_whitespace)
        && letters.count() == 3
}

fn line(text: &str) -> Result<Line, LineError> {
    let offset = text.len() - text.trim_start().len();
    let is_move = |text: &str| {
        text.get(..2)
            .is_some_and(|name| name.parse::<Square>().is_ok())
    };
    let game: Game = if is_move(&text[offset..]) {
        match text.parse() {
            Err(error) if is_name(text, error) => text[..error.offset].parse()?,
            read => read?,
        }
    } else {
        match text.parse::<Problem>() {
            Ok(problem) => Game::new(problem.board),
            Err(error) if error.offset == offset => return Err(LineError::Neither { offset }),
            Err(error) => return Err(error.into()),
        }
    };
    if game.is_over() {
        return Err(LineError::Over {
            offset: text.trim_end().len(),
        });
    }
    Ok(Line::of(&game))
}
