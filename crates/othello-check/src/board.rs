//! The rules, on an array of squares.

use std::fmt;

/// A side, named by its discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The discs printed as X, black.
    X,
    /// The discs printed as O, white.
    O,
}

impl Side {
    /// Returns the opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }
}

/// The content of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Edge,
    Empty,
    Disc(Side),
}

/// The offsets from a cell to its eight neighbours, in rows of ten cells.
const STEPS: [isize; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];

/// A board without a side to move: 8 by 8 squares within a frame of cells that are off the board.
///
/// Squares are cell numbers, 10 * row + column with both from 1 to 8: a1 is 11, b1 is 12, h8 is 88.
#[derive(Clone)]
pub struct Board([Cell; 100]);

impl Board {
    /// Reads 64 squares `X`, `O` and `-`, a1 to h8 row by row, or returns `None` for any other text.
    pub fn read(text: &[u8]) -> Option<Self> {
        if text.len() != 64 {
            return None;
        }
        let mut board = Self([Cell::Edge; 100]);
        for (square, letter) in squares().zip(text) {
            board.0[square] = match letter {
                b'X' => Cell::Disc(Side::X),
                b'O' => Cell::Disc(Side::O),
                b'-' => Cell::Empty,
                _ => return None,
            };
        }
        Some(board)
    }

    /// Returns the empty squares in ascending order.
    pub(crate) fn empties(&self) -> Vec<usize> {
        squares()
            .filter(|&square| self.0[square] == Cell::Empty)
            .collect()
    }

    /// Returns the number of discs that a disc of `side` on `square` flips in the direction of `step`.
    fn turned(&self, square: usize, side: Side, step: isize) -> usize {
        let (mut cell, mut count) = (square.wrapping_add_signed(step), 0);
        while self.0[cell] == Cell::Disc(side.other()) {
            cell = cell.wrapping_add_signed(step);
            count += 1;
        }
        if self.0[cell] == Cell::Disc(side) {
            count
        } else {
            0
        }
    }

    /// Returns whether `side` may play on a square.
    pub(crate) fn is_legal(&self, square: usize, side: Side) -> bool {
        self.0[square] == Cell::Empty
            && STEPS
                .iter()
                .any(|&step| self.turned(square, side, step) > 0)
    }

    /// Returns the board after a move of `side`, or `None` if the move is illegal.
    pub(crate) fn play(&self, square: usize, side: Side) -> Option<Self> {
        if self.0[square] != Cell::Empty {
            return None;
        }
        let mut after = None;
        for step in STEPS {
            let mut cell = square;
            for _ in 0..self.turned(square, side, step) {
                cell = cell.wrapping_add_signed(step);
                after.get_or_insert_with(|| self.clone()).0[cell] = Cell::Disc(side);
            }
        }
        after.as_mut()?.0[square] = Cell::Disc(side);
        after
    }

    /// Returns the number of legal moves of `side` among `squares`.
    pub(crate) fn mobility(&self, squares: &[usize], side: Side) -> usize {
        let legal = |&&square: &&usize| self.is_legal(square, side);
        squares.iter().filter(legal).count()
    }

    /// Returns the score of `side` if the game ends here: its discs minus the other side's, with empty squares to the
    /// side with more discs.
    pub(crate) fn final_score(&self, side: Side) -> i32 {
        let (mut difference, mut empties) = (0, 0);
        for cell in self.0 {
            match cell {
                Cell::Disc(owner) if owner == side => difference += 1,
                Cell::Disc(_) => difference -= 1,
                Cell::Empty => empties += 1,
                Cell::Edge => {}
            }
        }
        difference + i32::signum(difference) * empties
    }

    /// Returns a key that is unique to the position: two bits per square, with the side to move encoded in the empty
    /// squares. On a full board both sides to move have the same key, but there is nothing to play.
    pub(crate) fn key(&self, to_move: Side) -> u128 {
        squares().fold(0, |key, square| {
            let digit = match (self.0[square], to_move) {
                (Cell::Disc(Side::X), _) => 1,
                (Cell::Disc(Side::O), _) => 2,
                (_, Side::X) => 0,
                (_, Side::O) => 3,
            };
            key << 2 | digit
        })
    }
}

/// Returns all squares in ascending order.
fn squares() -> impl Iterator<Item = usize> {
    (1..=8).flat_map(|row| (1..=8).map(move |column| 10 * row + column))
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "X",
            Self::O => "O",
        })
    }
}

impl fmt::Display for Board {
    /// Prints the 64 squares in the format of [`Board::read`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        squares().try_for_each(|square| match self.0[square] {
            Cell::Disc(side) => side.fmt(f),
            Cell::Edge | Cell::Empty => f.write_str("-"),
        })
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
