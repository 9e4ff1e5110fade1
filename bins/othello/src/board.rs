//! Boards given as text.

use othello_core::{Board, BoardReading, ParseBoardError};

use crate::output::tell;

/// Parses a board of the command line, and reports any assumption about its symbols.
pub(crate) fn board(text: &str) -> Result<Board, ParseBoardError> {
    let reading = Board::read(text)?;
    tell_symbols(&reading);
    Ok(reading.board)
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
