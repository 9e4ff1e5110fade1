//! Transcripts: `f5d6c3`, `F5 D6`, `1. f5 2. d6`, a game a line.

use std::io::{self, BufRead, Write};

use othello_core::Move;

use crate::{
    Note, Record, RecordError,
    error::{Fault, filled},
    input::{Lines, Place, games},
};

/// Reads transcripts from the standard start.
///
/// A game is a line, and every line after it that begins with a number of a move above 1. Squares may be in either
/// case, with numbers, blanks, commas and hyphens between them; a pass is `--`, `pa`, `ps` or `pass`, or left out.
/// The rest of a line from `%` or `#` on is a comment, which is skipped.
pub fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(Lines::new(input, place), parse)
}

fn place(game: &[u8], line: &[u8]) -> Place {
    let line = without_comment(line).trim_ascii();
    if line.is_empty() {
        Place::Between
    } else if !game.is_empty() && goes_on(line) {
        Place::Joins
    } else {
        Place::Begins
    }
}

/// Returns `true` if a line begins with a number of a move above 1, as in `3. c3`.
fn goes_on(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit());
    numbered(line) > 0 && &line[..digits.count()] != b"1"
}

fn without_comment(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| matches!(byte, b'%' | b'#'));
    &line[..end.unwrap_or(line.len())]
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    filled(|record| {
        let mut offset = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let code = without_comment(line);
            play_all(record, code, offset)?;
            offset += line.len();
        }
        Ok(())
    })
}

/// Plays the moves of a text that begins at `offset` of the game.
pub(crate) fn play_all(record: &mut Record, text: &[u8], offset: usize) -> Result<(), Fault> {
    let mut rest = text;
    let mut number = record.game.moves().len();
    loop {
        rest = after_separators(rest);
        if rest.is_empty() {
            return Ok(());
        }
        let offset = offset + text.len() - rest.len();
        let (mv, length) = first_move(rest).ok_or(Fault::expected(offset, EXPECTED))?;
        number += 1;
        record
            .play(mv, Note::default())
            .map_err(|error| Fault::illegal(offset, number, error))?;
        rest = &rest[length..];
    }
}

const EXPECTED: &str = "a square a1-h8, a pass or the number of a move";

/// Returns `true` if a line begins with a square, perhaps after the number of a move.
pub(crate) fn is_game(line: &[u8]) -> bool {
    matches!(
        first_move(after_separators(line)),
        Some((Move::Place(_), _))
    )
}

/// Skips what may stand between moves: blanks, commas, single hyphens, and numbers of moves with their points.
fn after_separators(text: &[u8]) -> &[u8] {
    let mut rest = text;
    loop {
        let length = match rest {
            [b'-', b'-', ..] => 0,
            [b' ' | b'\t' | b'\r' | b'\n' | b',' | b';' | b'-', ..] => 1,
            [b'0'..=b'9', ..] => numbered(rest),
            _ => 0,
        };
        if length == 0 {
            return rest;
        }
        rest = &rest[length..];
    }
}

/// The length of the number of a move and its points, or 0 if there is no point or blank after it.
fn numbered(text: &[u8]) -> usize {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let points = text[digits..]
        .iter()
        .take_while(|&&byte| byte == b'.')
        .count();
    let ends = points > 0 || matches!(text.get(digits), Some(b' ' | b'\t' | b')' | b':'));
    if ends { digits + points.max(1) } else { 0 }
}

/// The move at the beginning of a text, and its length in bytes.
pub(crate) fn first_move(text: &[u8]) -> Option<(Move, usize)> {
    let word = |length: usize| std::str::from_utf8(text.get(..length)?).ok()?.parse().ok();
    match word(4) {
        Some(Move::Pass) => Some((Move::Pass, 4)),
        _ => word(2).map(|mv| (mv, 2)),
    }
}

/// Writes a game as a line.
///
/// # Errors
///
/// Fails if the output does.
pub fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "{}", record.game.transcript())
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::Game;

    fn told(text: &str) -> Vec<String> {
        crate::tests::transcripts(read(text.as_bytes()))
    }

    #[test]
    fn games_are_read_in_every_spelling() {
        for text in [
            "f5d6c3",
            "F5 D6\tC3",
            "F5-D6-C3",
            "f5, d6; c3",
            "1. f5 2. d6 3. c3",
            "1.f5 d6 2.c3",
            "1. f5 d6\n2. c3\n",
            "1) f5 2) d6 3: c3",
            "f5d6c3 % the tiger begins",
            "\u{feff}# a line of comment\n\nf5d6c3\r\n\r\n",
        ] {
            assert_eq!(told(text), ["f5d6c3"], "{text}");
        }
    }

    #[test]
    fn passes_may_be_written_in_four_ways_or_left_out() {
        let mut game = Game::default();
        while !game.moves().contains(&Move::Pass) {
            let square = game.board().legal_moves().last();
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        game.play(game.board().legal_moves().first().unwrap())
            .unwrap();
        let with_pass = game.transcript().to_string();
        let (before, after) = with_pass.split_once("--").expect("a pass");
        for pass in ["", "--", " pass ", "PA", "ps"] {
            assert_eq!(
                told(&format!("{before}{pass}{after}")),
                [with_pass.as_str()]
            );
        }
    }

    #[test]
    fn a_bad_line_loses_no_other() {
        let told = told("f5\nf5f5\nf5d6x3\nf5d\n9\nf5pass\nd3\n");
        assert_eq!(
            told,
            [
                "f5",
                "game 2, byte 5: move 2: illegal move f5: the square is occupied",
                "game 3, byte 12: expected a square a1-h8, a pass or the number of a move",
                "game 4, byte 17: expected a square a1-h8, a pass or the number of a move",
                "game 5, byte 19: expected a square a1-h8, a pass or the number of a move",
                "game 6, byte 23: move 2: illegal move pass: there is a legal move",
                "d3",
            ]
        );
    }
}
