//! Messages of a front end to an engine in the NBoard protocol: `set game` and moves.

use std::io::{self, BufRead, Write};

use othello_proto::{ggf::MoveItem, nboard::Command};

use crate::{
    Note, Record, RecordError,
    error::{Fault, RecordErrorKind, filled},
    input::{Lines, Place, games},
};

/// Reads the games of a session: each `set game` starts a game, and each following `move` is played in it. Other lines,
/// such as an engine's answers, are skipped.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(Lines::new(input, place), parse)
}

/// Returns `true` if a line sets a game, whether or not the game is valid.
fn sets_game(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .take(2)
        .collect();
    matches!(words.as_slice(), [set, game]
        if set.eq_ignore_ascii_case(b"set") && game.eq_ignore_ascii_case(b"game"))
}

/// Returns `true` if a session may start with the line.
pub(crate) fn is_line(line: &[u8]) -> bool {
    let first = line
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    sets_game(line)
        || is_move(line)
        || [&b"nboard"[..], b"set"]
            .iter()
            .any(|word| first.eq_ignore_ascii_case(word))
}

fn is_move(line: &[u8]) -> bool {
    let begin = line.trim_ascii_start().get(..5);
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(b"move "))
}

fn place(_: &[u8], line: &[u8]) -> Place {
    if sets_game(line) {
        Place::Begins
    } else if is_move(line) {
        Place::Joins
    } else {
        Place::Skipped
    }
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    filled(|record| {
        let mut offset = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            take(record, line.trim_ascii_end())
                .map_err(|fault| Fault::new(offset + fault.offset, fault.kind))?;
            offset += line.len();
        }
        Ok(())
    })
}

fn take(record: &mut Record, line: &[u8]) -> Result<(), Fault> {
    if line.is_empty() {
        return Ok(());
    }
    if let Some(place) = line.iter().position(|&byte| byte == b'(')
        && sets_game(line)
    {
        return crate::ggf::fill(record, &line[place..])
            .map_err(|fault| Fault::new(place + fault.offset, fault.kind));
    }
    match Command::parse(line)? {
        Command::Move(item) => play(record, item),
        _ => Ok(()),
    }
}

fn play(record: &mut Record, item: MoveItem) -> Result<(), Fault> {
    let number = record.game.moves().len() + 1;
    let note = Note {
        value: item.value,
        time: item.time,
        comment: String::new(),
    };
    let illegal = |error| Fault::new(0, RecordErrorKind::Illegal { number, error });
    record.play(item.mv, note).map_err(illegal)
}

/// Writes the command that sets a game.
pub(crate) fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    let game = Command::Game(Box::new(crate::ggf::to_ggf(record)));
    writeln!(output, "{game}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Vec<String> {
        crate::tests::transcripts(read(text.as_bytes()))
    }

    #[test]
    fn a_session_has_the_games_that_were_set_with_their_moves() {
        let text = "nboard 2\nset depth 8\nset game (;GM[Othello]B[F5];)\nping 1\npong 1\ngo\n=== D6/1.20/0.5\n\
            move D6/1.20/0.5\r\nmove c3\nset game (;GM[Othello];)\nmove d3\nquit\n";
        assert_eq!(read_all(text), ["f5d6c3", "d3"]);
        let record = read(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(record.notes[1].value.unwrap().hundredths(), 120);
    }
}
