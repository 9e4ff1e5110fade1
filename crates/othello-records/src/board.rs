//! Boards as text: one line, eight lines, or hexadecimal bitboards.

use std::io::{self, BufRead, Write};

use othello_core::{Bitboard, Board, BoardLine, BoardPart, Color, ParseBoardError, Position};

use crate::{
    Record, RecordError,
    error::Fault,
    input::{Lines, Place, games, utf8},
};

/// The maximum size in bytes of a board in eight lines.
const MAX_ROWS: usize = 4096;

/// Reads boards in eight lines of eight squares, in any form that [`Board::read`] accepts, followed by the side to
/// move.
pub(crate) fn read_rows(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(Lines::new(input, place_of_row), parse)
}

/// A board ends with the side to move, an empty line, or a line that is not part of a board.
fn place_of_row(begun: &[u8], line: &[u8]) -> Place {
    match line.trim_ascii() {
        [] => Place::Between,
        inner if is_comment(inner) => Place::Skipped,
        _ => {
            let text = [begun, line].concat();
            let goes_on = text.len() <= MAX_ROWS
                && std::str::from_utf8(&text).is_ok_and(|text| {
                    let read = text.parse::<Board>();
                    read.is_err_and(|error| error.offset == text.len())
                });
            if goes_on { Place::Joins } else { Place::Ends }
        }
    }
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    let board = utf8(text)?.parse().map_err(board_fault)?;
    Ok(Record::of_board(board))
}

/// Converts an error of the board parser.
pub(crate) const fn board_fault(error: ParseBoardError) -> Fault {
    Fault::expected(error.offset, error.expected.in_words())
}

/// Reads boards as two hexadecimal numbers (the black and the white discs) and the side to move, one board per line.
/// Bit 0 is a1, bit 1 b1, bit 63 h8; numbers may have the prefix `0x`.
pub(crate) fn read_hex(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(Lines::new(input, place_of_line), parse_hex)
}

/// A line that is neither empty nor a comment is a game or a board.
pub(crate) fn place_of_line(_: &[u8], line: &[u8]) -> Place {
    match line.trim_ascii() {
        [] => Place::Between,
        line if is_comment(line) => Place::Between,
        _ => Place::Ends,
    }
}

/// Returns `true` for a comment line: `%` or `#` at the start, unless that is the first square of a board.
pub(crate) fn is_comment(line: &[u8]) -> bool {
    BoardLine::is_comment(&String::from_utf8_lossy(line))
}

/// Classifies a line as part of a board.
pub(crate) fn board_line(line: &[u8]) -> Option<BoardLine> {
    BoardLine::of(std::str::from_utf8(line).ok()?)
}

const DISCS: &str = "the discs of a side as a hexadecimal number of at most 16 digits";

const SIDE: &str = BoardPart::SideToMove.in_words();

fn parse_hex(text: &[u8]) -> Result<Record, Fault> {
    let text = utf8(text)?;
    let mut words = text.split_ascii_whitespace();
    let mut next = |what| {
        let word = words.next();
        let offset = word.map_or(text.trim_end().len(), |word| {
            word.as_ptr() as usize - text.as_ptr() as usize
        });
        word.map(|word| (offset, word))
            .ok_or(Fault::expected(offset, what))
    };
    let discs = |(offset, word)| {
        hexadecimal(word)
            .map(Bitboard)
            .ok_or(Fault::expected(offset, DISCS))
    };
    let black = discs(next(DISCS)?)?;
    let second = next(DISCS)?;
    let white = discs(second)?;
    let (offset, side) = next(SIDE)?;
    let side: Color = side.parse().map_err(|_| Fault::expected(offset, SIDE))?;
    if let Ok((offset, _)) = next("") {
        return Err(Fault::expected(offset, "the end of the line"));
    }
    let overlap = |_| Fault::expected(second.0, "white discs on squares without black ones");
    let position = Position::new(black, white).map_err(overlap)?;
    let board = Board::new(position, Color::Black);
    Ok(Record::of_board(match side {
        Color::Black => board,
        Color::White => board.passed(),
    }))
}

fn hexadecimal(word: &str) -> Option<u64> {
    let digits = word
        .strip_prefix("0x")
        .or(word.strip_prefix("0X"))
        .unwrap_or(word);
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| all)
}

/// Returns `true` if a line starts like a board of two hexadecimal numbers.
pub(crate) fn is_hex(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else {
        return false;
    };
    let mut words = line.split_ascii_whitespace();
    let mut is_number = || {
        words.next().is_some_and(|word| {
            let long = word.len() == 16 || word.starts_with("0x") || word.starts_with("0X");
            long && hexadecimal(word).is_some()
        })
    };
    is_number() && is_number()
}

/// Writes the final board of a game as two hexadecimal numbers and the side to move.
pub(crate) fn write_hex(record: &Record, mut output: impl Write) -> io::Result<()> {
    let board = record.game.board();
    let [black, white] = Color::ALL.map(|color| board.discs(color).0);
    let side = board.side_to_move().disc();
    writeln!(output, "0x{black:016x} 0x{white:016x} {side}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(read: impl Iterator<Item = Result<Record, RecordError>>) -> Vec<String> {
        read.map(|read| match read {
            Ok(record) => record.game.board().to_string(),
            Err(error) => error.to_string(),
        })
        .collect()
    }

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn boards_in_eight_lines_may_follow_each_other() {
        let rows = format!("{:#}", Board::START);
        let spaced = rows.replace("---OX---", "- - - O X - - -");
        // A line of `#` alone is a comment, not the side to move.
        let black = rows.replacen("--------", "########", 1).replace('X', "#");
        let black = black.trim_end_matches('#').to_owned() + "X";
        let text =
            format!("\n{rows}\n{spaced}\n\n--------\n\n--------\nX\n{rows}\n# a comment\n{black}");
        assert_eq!(
            read_all(read_rows(text.as_bytes())),
            [
                START,
                START,
                "game 3, byte 166: expected one of 64 squares (X, O or -)",
                "game 4, byte 177: expected a row of eight squares",
                START,
                &START.replacen("--------", "XXXXXXXX", 1)
            ]
        );
    }

    #[test]
    fn diagrams_with_coordinates_may_follow_each_other() {
        let mut board = Board::START;
        board.play(othello_core::Square::F5).unwrap();
        let [start, next] = [Board::START, board].map(|board| board.pretty().to_string());
        let text = format!("{start}\n{next}\n\n# a comment\n{start}\n");
        assert_eq!(
            crate::Format::detect(text.as_bytes()),
            Ok(crate::Format::Rows)
        );
        assert_eq!(
            read_all(read_rows(text.as_bytes())),
            [START, &board.to_string(), START]
        );
    }

    #[test]
    fn hexadecimal_boards_have_a1_as_their_lowest_bit() {
        let text = "0000000810000000 0000001008000000 X\n0x1 0x2 O\n\n% none\n\
            1 2\n0x1 0x3 X\n1 zz X\n0x1 0x2 Q\n1 2 X X\n00000000000000001 2 X\n";
        let corner = |side| format!("XO{} {side}", "-".repeat(62));
        assert_eq!(
            read_all(read_hex(text.as_bytes())),
            [
                START,
                corner("O").as_str(),
                "game 3, byte 57: expected the side to move (X or O)",
                "game 4, byte 62: expected white discs on squares without black ones",
                "game 5, byte 70: expected the discs of a side as a hexadecimal number of at most 16 digits",
                "game 6, byte 83: expected the side to move (X or O)",
                "game 7, byte 91: expected the end of the line",
                corner("X").as_str(),
            ]
        );
    }
}
