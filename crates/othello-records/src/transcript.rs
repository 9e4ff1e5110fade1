//! Transcripts: `f5d6c3`, `F5 D6`, `1. f5 2. d6`; opening lists, and tables with a column of moves.

mod line_parts;
mod lines;

use std::{io::BufRead, rc::Rc};

use othello_core::{Color, Move, Square};

use crate::{
    Date, Note, Outcome, Record, RecordError,
    error::{Fault, filled},
    input::{Lines, games, utf8},
    record::add_comment,
};
use line_parts::{Heading, LineParts};
use lines::{FirstLine, GameLines};

/// Reads transcripts from the standard start.
///
/// Squares may be in either case, with move numbers, white space, commas and hyphens between them. A pass is `--`,
/// `pa`, `ps`, `pass`, `p`, `null`, `@@`, `z0` or `パス`, or omitted. A name may follow the moves. A `%` or `#` starts a
/// comment up to the end of the line, and a line that begins with `//` is a comment.
///
/// Each line is a game unless it continues the lines before; each row of a table is a game.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    let first_line = FirstLine::default();
    let mut lines = GameLines::new(Rc::clone(&first_line));
    let place = move |game: &[u8], line: &[u8]| lines.place(!game.is_empty(), line);
    games(Lines::new(input, place), move |text| {
        parse(text, first_line.get().and_then(Option::as_ref))
    })
}

fn without_comment(line: &[u8]) -> &[u8] {
    let slashes = line.starts_with(b"//").then_some(0);
    let end = slashes.or_else(|| line.iter().position(|byte| matches!(byte, b'%' | b'#')));
    &line[..end.unwrap_or(line.len())]
}

fn parse(text: &[u8], heading: Option<&Heading>) -> Result<Record, Fault> {
    filled(|record| {
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let parts = LineParts::of(line.trim_ascii(), heading);
            let place = |part: &[u8]| part.as_ptr() as usize - text.as_ptr() as usize;
            let played = play_all(record, parts.moves, place(parts.moves));
            if played.is_ok() && parts.is_row && record.game.moves().is_empty() {
                return Err(Fault::expected(place(line), "moves in a column"));
            }
            for (column, other) in parts.others {
                let other = utf8(other)
                    .map_err(|fault| Fault::new(place(other) + fault.offset, fault.kind))?;
                take(record, column, other);
            }
            played?;
        }
        Ok(())
    })
}

/// Sets a property from a column other than the moves. Without a column name, the text is a comment.
fn take(record: &mut Record, column: &str, text: &str) {
    match column.to_ascii_lowercase().as_str() {
        _ if text.is_empty() => {}
        "" if text.contains(char::is_alphabetic) => add_comment(&mut record.comment, ", ", text),
        "" => {}
        "black" => text.clone_into(&mut record.players.black.name),
        "white" => text.clone_into(&mut record.players.white.name),
        "event" | "tournament" => text.clone_into(&mut record.event),
        "date" if Date::read(text).is_some() => record.date = Date::read(text),
        "winner" | "result" if outcome(text).is_some() => {
            record.result = outcome(text);
            // The board determines the discs too.
            if record.result.is_some_and(|it| it.score.is_none()) && record.result_follows() {
                record.result = None;
            }
        }
        _ => record.tag(column, text),
    }
}

/// Parses a result: a winner, as a word or as `1` for Black, `-1` for White and `0` for a draw, or a result in PGN
/// notation.
fn outcome(text: &str) -> Option<Outcome> {
    let won = |winner| Outcome {
        winner: Some(winner),
        score: None,
        kind: crate::OutcomeKind::Played,
    };
    match text.to_ascii_lowercase().as_str() {
        "1" | "black" | "b" => Some(won(Color::Black)),
        "-1" | "white" | "w" => Some(won(Color::White)),
        "0" | "draw" => Some(Outcome::played(0)),
        _ => Outcome::parse(text),
    }
}

/// Plays the moves of a text that starts at `offset` of the game.
pub(crate) fn play_all(record: &mut Record, text: &[u8], offset: usize) -> Result<(), Fault> {
    for (number, (place, mv)) in (record.game.moves().len() + 1..).zip(tokens(text)) {
        let mv = mv.ok_or(Fault::expected(offset + place, EXPECTED))?;
        record
            .play(mv, Note::default())
            .map_err(|error| Fault::illegal(offset + place, number, error))?;
    }
    Ok(())
}

const EXPECTED: &str = "a square a1-h8, a pass or the number of a move";

/// The moves of a text with their offsets; `None` for the first text that is not a move.
fn tokens(text: &[u8]) -> impl Iterator<Item = (usize, Option<Move>)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = after_separators(rest);
        let place = text.len() - rest.len();
        let (mv, length) = match first_move(rest) {
            Some((mv, length)) => (Some(mv), length),
            None => (None, rest.len()),
        };
        rest = &rest[length..];
        (place < text.len()).then_some((place, mv))
    })
}

/// Returns `true` if the first lines of a text are a game or a row of a table, optionally after a heading.
pub(crate) fn is_game<'a>(mut lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let begins = |line: &[u8]| {
        let first = first_move(after_separators(line));
        matches!(first, Some((Move::Place(_), _))) || line_parts::is_row(line)
    };
    lines.next().is_some_and(|first| {
        begins(first) || line_parts::is_heading(first) && lines.next().is_some_and(begins)
    })
}

/// Skips separators between moves: white space, commas, single hyphens, and move numbers with their dots.
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

/// The move number at the start of a line.
fn number(line: &[u8]) -> Option<usize> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&line[..digits]).ok()?.parse().ok()?;
    (numbered(line) > 0).then_some(number)
}

/// The length of a move number and its dots, or 0 if neither a dot nor white space follows it.
fn numbered(text: &[u8]) -> usize {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let points = text[digits..]
        .iter()
        .take_while(|&&byte| byte == b'.')
        .count();
    let ends = points > 0 || matches!(text.get(digits), Some(b' ' | b'\t' | b')' | b':'));
    if ends { digits + points.max(1) } else { 0 }
}

/// The names of a pass. A single `p` is one too, before a square or apart from other letters.
const PASSES: [&str; 8] = ["pass", "null", "パス", "pa", "ps", "--", "@@", "z0"];

/// The move at the start of a text, and its length in bytes.
pub(crate) fn first_move(text: &[u8]) -> Option<(Move, usize)> {
    let square = |from: usize| -> Option<Square> {
        std::str::from_utf8(text.get(from..from + 2)?)
            .ok()?
            .parse()
            .ok()
    };
    let begins = |name: &&&str| {
        let begin = text.get(..name.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(name.as_bytes()))
    };
    if let Some(square) = square(0) {
        return Some((square.into(), 2));
    }
    match text {
        [b'p' | b'P', rest @ ..]
            if square(1).is_some() || !rest.first().is_some_and(u8::is_ascii_alphanumeric) =>
        {
            Some((Move::Pass, 1))
        }
        _ => PASSES
            .iter()
            .find(begins)
            .filter(|name| {
                let goes_on = text.get(name.len()).is_some_and(u8::is_ascii_alphabetic);
                !goes_on
                    || !name.as_bytes()[0].is_ascii_alphabetic()
                    || square(name.len()).is_some()
            })
            .map(|name| (Move::Pass, name.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::Game;

    fn read_all(text: &str) -> Vec<String> {
        crate::tests::transcripts(read(text.as_bytes()))
    }

    #[test]
    fn words_that_begin_like_passes_are_not_passes() {
        assert_eq!(first_move(b"Paul"), None);
        assert_eq!(first_move(b"paf5"), Some((Move::Pass, 2)));
        assert_eq!(
            read_all("partie;noir;blanc;coups\n1;a;b;f5d6c3\n"),
            ["f5d6c3"]
        );
    }

    #[test]
    fn games_are_read_in_every_notation() {
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
            assert_eq!(read_all(text), ["f5d6c3"], "{text}");
        }
    }

    #[test]
    fn passes_are_read_in_every_notation_and_may_be_omitted() {
        let mut game = Game::default();
        while !game.moves().contains(&Move::Pass) {
            let square = game.board().legal_moves().last();
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        game.play(game.board().legal_moves().first().unwrap())
            .unwrap();
        let with_pass = game.transcript().to_string();
        let (before, after) = with_pass.split_once("--").expect("a pass");
        for pass in [
            "", "--", " pass ", "PA", "ps", "@@", "null", "P", " p ", "z0", "パス",
        ] {
            assert_eq!(
                read_all(&format!("{before}{pass}{after}")),
                [with_pass.as_str()]
            );
        }
    }

    #[test]
    fn continued_lines_are_one_game() {
        let mut game = Game::default();
        while !game.is_over() {
            let square = game.board().legal_moves().last();
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        let whole = game.transcript().to_string();
        assert!(whole.contains("--"), "{whole}");
        let moves: Vec<&[u8]> = whole.as_bytes().chunks(2).collect();
        let lines = |columns, begin: &dyn Fn(usize) -> String| -> String {
            let lines = moves.chunks(columns).zip(1..).map(|(line, number)| {
                let line = String::from_utf8(line.join(&b' ')).unwrap();
                format!("{}{line}\r\n", begin(number))
            });
            lines.collect()
        };
        for columns in [1, 2, 5, 8, 10, 20] {
            let text = lines(columns, &|_| String::new());
            assert_eq!(read_all(&text), [whole.as_str()], "{columns}");
            assert_eq!(read_all(&format!("{text}\n{text}")).len(), 2, "{columns}");
        }
        for columns in [1, 2] {
            let text = lines(columns, &|number| format!("{number}. "));
            assert_eq!(read_all(&text.repeat(2)), [whole.as_str(); 2], "{columns}");
        }
    }

    #[test]
    fn an_invalid_line_does_not_affect_others() {
        let games = read_all("f5\nf5f5\nf5d6x3\nf5d\n9\nf5pass\nd3\n");
        assert_eq!(
            games,
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
