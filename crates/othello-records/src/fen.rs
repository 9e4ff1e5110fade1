//! Boards in the notation of chess positions (FEN), as used in PGN: `p` is a black disc, `P` a
//! white one.

use othello_core::{Bitboard, Board, ByColor, Color, Square};

/// Parses the rows from 8 to 1 and the side to move.
pub(crate) fn read(text: &str) -> Option<Board> {
    let mut words = text.split_ascii_whitespace();
    let (rows, side) = (words.next()?, words.next()?);
    let mut discs: ByColor<Bitboard> = ByColor::default();
    let mut rows_left = 8;
    for row in rows.split('/') {
        rows_left = u8::checked_sub(rows_left, 1)?;
        let mut column: u32 = 0;
        for symbol in row.chars() {
            let disc = match symbol {
                '1'..='8' => {
                    column += u32::from(symbol as u8 - b'0');
                    continue;
                }
                'p' => Color::Black,
                'P' => Color::White,
                _ => return None,
            };
            discs[disc] |= Square::new(u8::try_from(column).ok()?, rows_left)?.into();
            column += 1;
        }
        (column == 8).then_some(())?;
    }
    let side = match side {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return None,
    };
    (rows_left == 0).then(|| Board::from_discs_unchecked(discs, side))
}

/// Formats the rows from 8 to 1 and the side to move, followed by the remaining fields of a chess
/// position.
pub(crate) fn write(board: Board) -> String {
    let mut text = String::new();
    for row in (0..8).rev() {
        let mut empty = 0;
        for square in (0..8).filter_map(|column| Square::new(column, row)) {
            let Some(disc) = board.disc(square) else {
                empty += 1;
                continue;
            };
            push_empty(&mut text, empty);
            empty = 0;
            text.push(match disc {
                Color::Black => 'p',
                Color::White => 'P',
            });
        }
        push_empty(&mut text, empty);
        text += if row > 0 { "/" } else { " " };
    }
    text += match board.side_to_move() {
        Color::Black => "b",
        Color::White => "w",
    };
    text + " - - 0 1"
}

fn push_empty(text: &mut String, empty: u32) {
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_written_from_row_8_down() {
        let mut board = Board::START;
        assert_eq!(write(board), "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1");
        board.play(Square::F5).unwrap();
        assert_eq!(read(&write(board)), Some(board));
        for text in [
            "",
            "8/8 b",
            "8/8/8/8/8/8/8/8 x",
            "8/8/8/8/8/8/8/9 b",
            "8/8/8/8/8/8/8/7pp b",
            "8/8/8/8/8/8/8/8/8 b",
            &format!("{} b", "8".repeat(99)),
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
