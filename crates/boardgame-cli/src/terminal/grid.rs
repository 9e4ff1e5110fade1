//! A board with a cursor.

use super::frame;

/// A square of a board, by its column from the left and its row from the top, from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The column.
    pub column: u8,
    /// The row.
    pub row: u8,
}

/// A board with a cursor.
#[derive(Clone, Copy)]
pub struct Grid<'a> {
    /// The number of columns.
    pub columns: u8,
    /// The number of rows.
    pub rows: u8,
    /// The square where the cursor starts.
    pub start: Cell,
    /// Returns the text to type for a square.
    pub name: &'a dyn Fn(Cell) -> String,
    /// Returns the board with the cursor on a square, without a final line feed.
    pub draw: &'a dyn Fn(Cell) -> String,
}

impl Grid<'_> {
    /// Returns true if the terminal has room for the board and the input line below.
    pub(super) fn fits(&self) -> bool {
        let text = (self.draw)(self.start) + "\n\n\n";
        frame::fits(&text, frame::size())
    }
}
