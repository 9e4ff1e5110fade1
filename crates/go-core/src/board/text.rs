//! Boards from stones, and diagrams of boards.

use core::{fmt, str::FromStr};

use alloc::vec::Vec;
use boardgame_core::Color;

use super::Board;
use crate::{Point, Size, handicap::star_points, point::column_letter};

/// A diagram of a board, with columns, rows and stones.
///
/// Black is `X`, White `O`, an empty point `.` and a handicap point `+`; the last move is in parentheses. [`Board`]
/// parses the same text, with or without coordinates.
///
/// # Examples
///
/// ```
/// use go_core::{Board, Color, Point, Size};
///
/// let mut board = Board::new(Size::NINE);
/// board.play(Color::Black, "C6".parse()?);
/// let white: Point = "D6".parse()?;
/// board.play(Color::White, white);
/// let expected = "  \
///   A B C D E F G H J
/// 9 . . . . . . . . . 9
/// 8 . . . . . . . . . 8
/// 7 . . + . . . + . . 7
/// 6 . . X(O). . . . . 6
/// 5 . . . . + . . . . 5
/// 4 . . . . . . . . . 4
/// 3 . . + . . . + . . 3
/// 2 . . . . . . . . . 2
/// 1 . . . . . . . . . 1
///   A B C D E F G H J";
/// let diagram = board.diagram().last_move(Some(white)).to_string();
/// assert_eq!(diagram, expected);
/// assert_eq!(diagram.parse::<Board>()?, board);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoardDiagram<'a> {
    board: &'a Board,
    last: Option<Point>,
}

impl Board {
    /// Creates a board with stones.
    ///
    /// # Errors
    ///
    /// Fails if a point is off the board or given twice, or if a chain has no liberty.
    pub fn from_stones(
        size: Size,
        stones: impl IntoIterator<Item = (Point, Color)>,
    ) -> Result<Self, StonesError> {
        let mut board = Self::new(size);
        for (point, color) in stones {
            let error = |kind| Err(StonesError { point, kind });
            if !size.contains(point) {
                return error(StonesErrorKind::OffBoard);
            } else if !board.is_empty(point) {
                return error(StonesErrorKind::Twice);
            }
            // Every subset of a set of stones with liberties has liberties too, so no stone is captured.
            if board.play(color, point) > 0 || board.is_empty(point) {
                return error(StonesErrorKind::NoLiberty);
            }
        }
        Ok(board)
    }

    /// Returns a printable diagram of the board.
    pub const fn diagram(&self) -> BoardDiagram<'_> {
        BoardDiagram {
            board: self,
            last: None,
        }
    }
}

/// The error of stones that cannot be on a board together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct StonesError {
    /// The first stone that is incompatible with the stones before it.
    pub point: Point,
    pub kind: StonesErrorKind,
}

/// The kind of a [`StonesError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StonesErrorKind {
    /// The point is not on a board of this size.
    OffBoard,
    /// The point is given twice.
    Twice,
    /// The stone leaves a chain without liberties.
    NoLiberty,
}

impl fmt::Display for StonesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let point = self.point;
        match self.kind {
            StonesErrorKind::OffBoard => write!(f, "{point} is off the board"),
            StonesErrorKind::Twice => write!(f, "{point} is given twice"),
            StonesErrorKind::NoLiberty => {
                write!(f, "the stone on {point} leaves a chain without liberties")
            }
        }
    }
}

impl core::error::Error for StonesError {}

impl BoardDiagram<'_> {
    /// Marks the last move.
    #[must_use]
    pub const fn last_move(self, last: Option<Point>) -> Self {
        Self { last, ..self }
    }

    fn write_columns(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.board.size().lines();
        write!(f, "{:1$}", "", Self::number_width(lines))?;
        (0..lines).try_for_each(|column| write!(f, " {}", column_letter(column)))
    }

    fn write_row(self, f: &mut fmt::Formatter<'_>, row: u8) -> fmt::Result {
        let lines = self.board.size().lines();
        write!(f, "{:1$}", row + 1, Self::number_width(lines))?;
        let mut before = None;
        for point in (0..lines).filter_map(|column| Point::new(column, row)) {
            let gap = self.gap(before, Some(point));
            write!(f, "{gap}{}", self.symbol(point))?;
            before = Some(point);
        }
        write!(f, "{}{}", self.gap(before, None), row + 1)
    }

    /// Returns the number of characters of the largest row number.
    const fn number_width(lines: u8) -> usize {
        1 + (lines >= 10) as usize
    }

    fn symbol(self, point: Point) -> char {
        match self.board.stone(point) {
            Some(color) => color.disc(),
            None if star_points(self.board.size()).contains(point) => '+',
            None => '.',
        }
    }

    fn gap(self, before: Option<Point>, after: Option<Point>) -> char {
        match self.last {
            Some(_) if self.last == after => '(',
            Some(_) if self.last == before => ')',
            _ => ' ',
        }
    }
}

impl fmt::Display for BoardDiagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_columns(f)?;
        for row in (0..self.board.size().lines()).rev() {
            f.write_str("\n")?;
            self.write_row(f, row)?;
        }
        f.write_str("\n")?;
        self.write_columns(f)
    }
}

impl fmt::Display for Board {
    /// Writes the diagram without a last move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagram().fmt(f)
    }
}

/// The error of parsing a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseBoardError {
    /// The line, counted from 1; if the number of rows is wrong, the last line.
    pub line: usize,
    /// The part of the diagram in which parsing failed.
    pub part: BoardPart,
}

/// The part of a diagram in which parsing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardPart {
    /// A character other than `X`, `O`, `.` and `+`.
    Symbol(char),
    /// A row with a different length from the first one, or with more than 25 points.
    RowLength,
    /// The number of rows, which differs from the number of columns.
    RowCount,
    /// The stones.
    Stones(StonesError),
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            BoardPart::Symbol(symbol) => write!(f, "expected X, O, . or + and found {symbol:?}")?,
            BoardPart::RowLength => f.write_str("expected rows of the same length, 1 to 25")?,
            BoardPart::RowCount => f.write_str("expected as many rows as columns")?,
            BoardPart::Stones(error) => error.fmt(f)?,
        }
        write!(f, " in line {}", self.line)
    }
}

// The message includes that of the stones, so they are not a source: it would be printed twice.
impl core::error::Error for ParseBoardError {}

/// Returns the points of a row without numbers and parentheses, or `None` for a blank line or a line of column letters,
/// which begins with `A`.
fn row_symbols(line: &str) -> Option<impl Iterator<Item = char>> {
    let row = line.trim().trim_matches(|c: char| c.is_ascii_digit());
    let is_row = !row.is_empty() && !row.starts_with('A');
    is_row.then(|| {
        row.chars()
            .filter(|&c| !c.is_whitespace() && c != '(' && c != ')')
    })
}

fn read_symbol(symbol: char) -> Result<Option<Color>, BoardPart> {
    match symbol {
        '.' | '+' => Ok(None),
        'X' => Ok(Some(Color::Black)),
        'O' => Ok(Some(Color::White)),
        _ => Err(BoardPart::Symbol(symbol)),
    }
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Parses a diagram, top row first. Column letters, row numbers and spaces are optional.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut rows: Vec<Vec<Option<Color>>> = Vec::new();
        let mut last_line = 1;
        for (number, line) in (1..).zip(text.lines()) {
            let error = |part| ParseBoardError { line: number, part };
            let Some(symbols) = row_symbols(line) else {
                continue;
            };
            // One point more than the maximum is enough to detect a row that is too long.
            let row = symbols
                .take(26)
                .map(read_symbol)
                .collect::<Result<Vec<_>, _>>()
                .map_err(error)?;
            if row.len() > 25 || rows.first().is_some_and(|first| first.len() != row.len()) {
                return Err(error(BoardPart::RowLength));
            }
            rows.push(row);
            last_line = number;
        }
        let error = |part| ParseBoardError {
            line: last_line,
            part,
        };
        let columns = rows.first().map_or(0, Vec::len);
        let size = Size::new(columns as u8).filter(|_| rows.len() == columns);
        let size = size.ok_or(error(BoardPart::RowCount))?;
        let stones = size.points().filter_map(|point| {
            let row = &rows[usize::from(size.lines() - 1 - point.row())];
            Some((point, row[usize::from(point.column())]?))
        });
        Self::from_stones(size, stones).map_err(|stones| error(BoardPart::Stones(stones)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    fn point(name: &str) -> Point {
        name.parse().unwrap()
    }

    #[test]
    fn row_numbers_are_aligned() {
        let mut board = Board::new(Size::new(10).unwrap());
        board.play(Color::White, point("K10"));
        let diagram = board.diagram().last_move(Some(point("K10"))).to_string();
        let lines: Vec<_> = diagram.lines().collect();
        assert_eq!(lines[0], "   A B C D E F G H J K");
        assert_eq!(lines[1], "10 . . . . . . . . .(O)10");
        assert_eq!(lines[10], " 1 . . . . . . . . . . 1");
        assert_eq!(lines[11], lines[0]);
        assert_eq!(diagram.parse(), Ok(board));
    }

    #[test]
    fn diagrams_without_coordinates_are_parsed() {
        let board: Board = "\n ..X \r\n .O.\n+..\n\n".parse().unwrap();
        let stones: Vec<_> = board.stones().collect();
        assert_eq!(
            stones,
            [(point("B2"), Color::White), (point("C3"), Color::Black)]
        );
        assert_eq!(board.to_string().parse(), Ok(board));
    }

    #[test]
    fn errors_name_the_expected_text() {
        for (text, expected) in [
            ("x", "expected X, O, . or + and found 'x' in line 1"),
            (
                ".\n..",
                "expected rows of the same length, 1 to 25 in line 2",
            ),
            ("..\n.x", "expected X, O, . or + and found 'x' in line 2"),
            ("...\n...\n", "expected as many rows as columns in line 2"),
            ("", "expected as many rows as columns in line 1"),
            (
                &".".repeat(26),
                "expected rows of the same length, 1 to 25 in line 1",
            ),
            (
                "XO\n.X",
                "the stone on B2 leaves a chain without liberties in line 2",
            ),
            (
                "X",
                "the stone on A1 leaves a chain without liberties in line 1",
            ),
        ] {
            let error = text.parse::<Board>().unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn stones_that_cannot_be_on_a_board_together_are_rejected() {
        let size = Size::new(2).unwrap();
        let place = |stones: &[(&str, Color)]| {
            let stones = stones.iter().map(|&(name, color)| (point(name), color));
            Board::from_stones(size, stones).map_err(|error| error.to_string())
        };
        let (black, white) = (Color::Black, Color::White);
        let error = |text: &str| Err(text.to_string());
        assert_eq!(place(&[("C1", black)]), error("C1 is off the board"));
        assert_eq!(
            place(&[("A1", black), ("A1", white)]),
            error("A1 is given twice")
        );
        // A capture, and suicide.
        let surrounded = error("the stone on B1 leaves a chain without liberties");
        assert_eq!(
            place(&[("A1", white), ("A2", black), ("B1", black)]),
            surrounded
        );
        assert_eq!(
            place(&[("A1", white), ("B2", white), ("B1", black)]),
            surrounded.clone()
        );
        assert_eq!(
            place(&[("A1", white), ("A2", white), ("B2", black)])
                .unwrap()
                .stone_count(),
            3
        );
    }
}
