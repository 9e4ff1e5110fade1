//! Boards given as text.

use anyhow::anyhow;
use othello_core::{Board, BoardReading, Game, ParseBoardError, Square};

use crate::output::tell;

/// Parses a board of the command line, and reports any assumption about its symbols.
pub(crate) fn board(text: &str) -> Result<Board, ParseBoardError> {
    let reading = Board::read(text)?;
    tell_symbols(&reading);
    Ok(reading.board)
}

/// Reads moves from the start, or a board.
pub(crate) fn moves_or_board(text: &str) -> anyhow::Result<Game> {
    let moves = text.parse::<Game>();
    match moves {
        Ok(game) => Ok(game),
        // A board does not begin with a square.
        Err(error)
            if text
                .get(..2)
                .is_some_and(|start| start.parse::<Square>().is_ok()) =>
        {
            Err(error.into())
        }
        Err(_) => {
            Ok(Game::new(board(text).map_err(|error| {
                anyhow!("{error}, or moves such as f5d6c3")
            })?))
        }
    }
}

/// Reports on standard error any assumption about the symbols of the first board in a text.
pub(crate) fn tell_symbols_of(text: &str) {
    if let Ok((reading, _)) = Board::read_first(text) {
        tell_symbols(&reading);
    }
}

fn tell_symbols(reading: &BoardReading) {
    if let Some(assumption) = reading.assumption {
        // The reader of standard error may be gone.
        let _ = tell(format_args!("digits in boards: {assumption}"));
    }
}
