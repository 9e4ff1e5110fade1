//! Logistello's logbook: `+d3-c3+c4: -04 10`, one game per line.
//!
//! Each move has a sign, `+` for Black and `-` for White; two equal signs in a row mean that the other side passed.
//! After the colon come the difference of Black's and White's discs on the board, and a number that is the same in
//! every game.

use std::io::{self, BufRead, Write};

use othello_core::{Color, Empties, Move};

use crate::{
    Note, Record, RecordError,
    board::place_of_line,
    error::{Fault, RecordErrorKind, filled},
    input::{Lines, games},
    record::Outcome,
    transcript::first_move,
};

/// Reads games from the standard start.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(Lines::new(input, place_of_line), parse)
}

/// Returns `true` if a line starts like a game of a logbook.
pub(crate) fn is_game(line: &[u8]) -> bool {
    matches!(line, [b'+' | b'-', rest @ ..] if matches!(first_move(rest), Some((Move::Place(_), _))))
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    filled(|record| take(record, text))
}

fn take(record: &mut Record, text: &[u8]) -> Result<(), Fault> {
    let mut rest = text;
    for number in 1.. {
        let offset = text.len() - rest.len();
        let color = match rest {
            [b'+', ..] => Color::Black,
            [b'-', ..] => Color::White,
            [b':', ..] => break,
            _ => {
                return Err(Fault::expected(
                    offset,
                    "+ or - before a move, or : before the result",
                ));
            }
        };
        let mv = first_move(&rest[1..]).ok_or(Fault::expected(offset + 1, "a square a1-h8"))?;
        play(record, color, mv.0, number).map_err(|kind| Fault::new(offset, kind))?;
        rest = &rest[1 + mv.1..];
    }
    record.result = Some(result(rest).ok_or(Fault::expected(
        text.len() - rest.len() + 1,
        "the disc difference, -64 to 64",
    ))?);
    Ok(())
}

fn play(record: &mut Record, color: Color, mv: Move, number: usize) -> Result<(), RecordErrorKind> {
    let illegal = |error| RecordErrorKind::Illegal { number, error };
    if record.game.side_to_move() != color {
        if !record.game.board().must_pass() {
            return Err(RecordErrorKind::OutOfTurn { number });
        }
        record.play(Move::Pass, Note::default()).map_err(illegal)?;
    }
    record.play(mv, Note::default()).map_err(illegal)
}

/// Parses the result after the colon.
fn result(text: &[u8]) -> Option<Outcome> {
    let word = std::str::from_utf8(text.get(1..)?).ok()?;
    let discs: i32 = word.split_ascii_whitespace().next()?.parse().ok()?;
    (-64..=64).contains(&discs).then(|| Outcome::played(discs))
}

/// Writes a game in one line. Without a recorded result, writes the board's.
pub(crate) fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    for (board, mv) in record.game.plies() {
        if let Move::Place(square) = mv {
            let sign = match board.side_to_move() {
                Color::Black => '+',
                Color::White => '-',
            };
            write!(output, "{sign}{square}")?;
        }
    }
    let recorded = record.result.and_then(|result| result.discs());
    let discs = recorded.unwrap_or_else(|| record.board_score(Empties::OnBoard));
    writeln!(output, ": {discs:+03} 10")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with two passes.
    const GAME: &str = "+d3-c3+c4-e3+c2-b3+d2-e1+d1-c1+f4-d6+e6-g4+b2-f6+d7-c8+e7-d8+f3-f5+g5-h4+h6-f2+f7-h5+g6-c6\
        +c5-c7+b6-b5+f8-a6+b4-a5+a4-e8+b8-h7+g8-b7+g2-g3+h2-a1+f1-e2+h3-a3+a8-a7+h8-g7+a2-b1-g1+h1: +00 10\n";

    #[test]
    fn two_equal_signs_in_a_row_mean_a_pass() {
        let record = read(GAME.as_bytes()).next().unwrap().unwrap();
        assert!(record.game.is_over());
        assert_eq!(
            record
                .game
                .moves()
                .iter()
                .filter(|&&mv| mv == Move::Pass)
                .count(),
            1
        );
        assert_eq!(record.result, Some(Outcome::played(0)));
        let mut written = Vec::new();
        write(&record, &mut written).unwrap();
        assert_eq!(written, GAME.as_bytes());
    }

    #[test]
    fn errors_name_the_expected_part_of_a_game() {
        let text =
            "+f5+d6: +01 10\n+f5-f5: +01 10\n+f5-d6\n+f5-d9: 1\n+f5: +65\n+f5:\n+f5: -3 10\n";
        let errors: Vec<String> = read(text.as_bytes())
            .filter_map(Result::err)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(
            errors,
            [
                "game 1, byte 3: move 2: expected a move of the other side",
                "game 2, byte 18: move 2: illegal move f5: the square is occupied",
                "game 3, byte 36: expected + or - before a move, or : before the result",
                "game 4, byte 41: expected a square a1-h8",
                "game 5, byte 51: expected the disc difference, -64 to 64",
                "game 6, byte 60: expected the disc difference, -64 to 64",
            ]
        );
    }
}
