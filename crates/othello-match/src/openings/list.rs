//! Openings as lines of text.

use othello_core::{Game, Problem};

use super::{Line, LineError, OpeningsError};

/// The openings of a text, in its order; there is at least one.
pub(super) fn read(name: &str, text: &str) -> Result<Vec<Line>, OpeningsError> {
    let mut lines = Vec::new();
    // Editors write a byte order mark before a text.
    let text = othello_core::without_byte_order_mark(text);
    for (index, text) in text.lines().enumerate() {
        let told = text.split_once('%').map_or(text, |(told, _)| told);
        if told.trim().is_empty() {
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

fn line(text: &str) -> Result<Line, LineError> {
    let offset = text.len() - text.trim_start().len();
    let game: Game = match text.as_bytes().get(offset) {
        Some(b'a'..=b'h' | b'A'..=b'H') => text.parse()?,
        Some(b'X' | b'x' | b'*' | b'#' | b'O' | b'o' | b'-' | b'.' | b'_') => {
            Game::new(text.parse::<Problem>()?.board)
        }
        _ => return Err(LineError::Neither { offset }),
    };
    if game.is_over() {
        return Err(LineError::Over {
            offset: text.trim_end().len(),
        });
    }
    Ok(Line::of(&game))
}
