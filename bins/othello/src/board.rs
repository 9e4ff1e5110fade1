//! Boards that are given in text.

use othello_core::{Board, BoardReading, ParseBoardError};

use crate::output::tell;

/// Reads a board of the command line, and tells what its symbols are taken for where that is open.
pub(crate) fn board(text: &str) -> Result<Board, ParseBoardError> {
    let reading = Board::read(text)?;
    tell_symbols(&reading);
    Ok(reading.board)
}

/// Tells on standard error what the symbols of the first board of a text are taken for, where that is open.
pub(crate) fn tell_symbols_of(text: &str) {
    if let Ok((reading, _)) = Board::read_first(text) {
        tell_symbols(&reading);
    }
}

fn tell_symbols(reading: &BoardReading) {
    if let Some(assumption) = reading.assumption {
        // A reader of standard error may have gone.
        let _ = tell(format_args!("digits in boards: {assumption}"));
    }
}
