//! SGF of Othello, `GM[2]`.
//!
//! The grammar is that of [`othello_proto::sgf`]. A value `V` is Black's, as the format has it.

use std::io::{self, BufRead, Write};

use othello_core::{Color, Game, Move};
use othello_proto::sgf::{self, Ply, Property};

use crate::{
    Date, Note, Record, RecordError,
    brackets::{Sgf, place_of_move},
    error::{Fault, Problem},
    input::{Bracketed, games},
    record::{Outcome, OutcomeKind, Value, add_comment},
};

/// Reads games, each along the first of all its variations.
pub fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(Bracketed::<_, Sgf>::new(input), parse)
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    // The offset within a value is not that within the game.
    let told = sgf::Record::parse(text).map_err(|error| fault(text, &error))?;
    let mut record = Record::from(Game::new(told.start));
    for (number, ply) in (1..).zip(told.moves) {
        play(&mut record, ply, number)
            .map_err(|problem| Fault::new(place_of_move(text, number), problem))?;
    }
    for Property { name, value } in told.properties {
        take(&mut record, &name, value);
    }
    Ok(record)
}

/// What is wrong with a game. The parser counts the bytes within a value, which is looked for.
fn fault(text: &[u8], error: &othello_proto::ParseError) -> Fault {
    let value = error.text().as_bytes();
    let of_value = |place: &usize| {
        let inner = &text[place + 1..];
        text[*place] == b'['
            && inner.trim_ascii_start().starts_with(value)
            && inner.len() > value.len()
    };
    let in_value = !text.starts_with(value) && !value.is_empty();
    let place = (0..text.len()).find(|place| in_value && of_value(place));
    let size = || text[place? + 1..].split(|&byte| byte == b']').next();
    let size = size().and_then(|size| std::str::from_utf8(size).ok()?.trim().parse().ok());
    let offset = place.map_or(0, |place| place + 1) + error.offset();
    match size {
        Some(size) if error.expected().starts_with("8, the size") => {
            Fault::new(offset, Problem::BoardSize { size })
        }
        _ => Fault::expected(offset.min(text.len()), error.expected()),
    }
}

/// Plays a move. A pass that was left out is put in where the colour or the rules leave no choice.
fn play(record: &mut Record, ply: Ply, number: usize) -> Result<(), Problem> {
    let board = record.game.board();
    let passes = board.must_pass() && ply.mv != Move::Pass;
    if !board.is_over() && (board.side_to_move() == ply.color) == passes {
        return Err(Problem::OutOfTurn { number });
    }
    let mut note = Note::default();
    for Property { name, value } in ply.properties {
        match name.as_str() {
            "C" => add_comment(&mut note.comment, "\n", &value),
            "V" => {
                note.value = Value::read(value.as_bytes()).map(|value| seen_by(ply.color, value));
            }
            // Times left, variations and marks on the board are not kept.
            _ => {}
        }
    }
    record
        .play(ply.mv, note)
        .map_err(|error| Problem::Illegal { number, error })
}

/// Black's value from the point of view of a colour, and the other way round.
fn seen_by(color: Color, value: Value) -> Value {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}

/// Takes a property of the game.
fn take(record: &mut Record, name: &str, value: String) {
    match name {
        "PB" => record.players.black.name = value,
        "PW" => record.players.white.name = value,
        "BR" => record.players.black.rating = value,
        "WR" => record.players.white.rating = value,
        "EV" => record.event = value,
        "RO" => record.round = value,
        "PC" => record.place = value,
        "C" | "GC" if record.comment.is_empty() => record.comment = value,
        "DT" if record.date.is_none() && Date::read(&value).is_some() => {
            record.date = Date::read(&value);
        }
        "RE" if let Some(result) = result(&value) => record.result = Some(result),
        "RE" if value == "?" => {}
        // The encoding, and what only a program that shows the game needs.
        "CA" | "ST" => {}
        _ => record.tags.push((name.to_owned(), value)),
    }
}

/// A result: `B+4`, `W+R`, `0`, `Draw`.
fn result(text: &str) -> Option<Outcome> {
    if matches!(text, "0" | "Draw" | "draw") {
        return Some(Outcome::played(0));
    }
    let (winner, margin) = text.split_once('+')?;
    let winner = match winner {
        "B" => Color::Black,
        "W" => Color::White,
        _ => return None,
    };
    let kind = match margin {
        "R" | "Resign" => OutcomeKind::Resigned,
        "T" | "Time" => OutcomeKind::TimedOut,
        "F" | "Forfeit" => OutcomeKind::Forfeited,
        _ => OutcomeKind::Played,
    };
    let score = Value::read(margin.as_bytes()).filter(|score| score.hundredths() > 0);
    let told = score.is_some() || kind != OutcomeKind::Played || margin.is_empty();
    told.then_some(Outcome {
        winner: Some(winner),
        score: score.map(|score| seen_by(winner, score)),
        kind,
    })
}

/// The property of a result, or `None` if it cannot be told.
fn result_text(outcome: Outcome) -> String {
    let Some(winner) = outcome.winner else {
        return "0".into();
    };
    let winner_letter = match winner {
        Color::Black => 'B',
        Color::White => 'W',
    };
    let margin = match (outcome.kind, outcome.score) {
        (OutcomeKind::Resigned, _) => "R".into(),
        (OutcomeKind::TimedOut, _) => "T".into(),
        (OutcomeKind::Left | OutcomeKind::Forfeited, _) => "F".into(),
        (_, None) => String::new(),
        (_, Some(score)) => decimal(seen_by(winner, score)),
    };
    format!("{winner_letter}+{margin}")
}

/// A value without needless digits after the point.
fn decimal(value: Value) -> String {
    let text = value.to_string();
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}

/// Returns `true` if SGF can hold a tag of this name, because none of its own has the name.
pub(crate) fn holds_tag(record: &Record, name: &str) -> bool {
    let own = [
        "FF", "GM", "SZ", "CA", "ST", "PB", "PW", "BR", "WR", "EV", "RO", "PC", "C", "GC", "AB",
        "AW", "AE", "PL", "B", "W", "V",
    ];
    let told = name == "DT" && record.date.is_some() || name == "RE" && record.result.is_some();
    !own.contains(&name)
        && !told
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn properties(record: &Record) -> Vec<Property> {
    let date = record
        .date
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    let result = record.result.map(result_text).unwrap_or_default();
    let players = &record.players;
    let own = [
        ("CA", "UTF-8"),
        ("PB", &players.black.name),
        ("BR", &players.black.rating),
        ("PW", &players.white.name),
        ("WR", &players.white.rating),
        ("DT", &date),
        ("EV", &record.event),
        ("RO", &record.round),
        ("PC", &record.place),
        ("RE", &result),
        ("C", &record.comment),
    ];
    let tags = record
        .tags
        .iter()
        .filter(|(name, _)| holds_tag(record, name));
    let tags = tags.map(|(name, value)| (name.as_str(), value.as_str()));
    own.into_iter()
        .filter(|(_, value)| !value.is_empty())
        .chain(tags)
        .map(property)
        .collect()
}

fn property((name, value): (&str, &str)) -> Property {
    Property {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

/// Writes a game as a line, but for line breaks within comments.
///
/// # Errors
///
/// Fails if the output does.
pub fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    let mut told = sgf::Record {
        start: record.game.start(),
        properties: properties(record),
        ..sgf::Record::default()
    };
    for (index, (board, mv)) in record.game.plies().enumerate() {
        let color = board.side_to_move();
        let note = record.note(index);
        let value = note.value.map(|value| decimal(seen_by(color, value)));
        let own = [("V", value.unwrap_or_default()), ("C", note.comment)];
        let told_of = own.iter().filter(|(_, value)| !value.is_empty());
        let properties = told_of
            .map(|(name, value)| property((name, value)))
            .collect();
        told.moves.push(Ply {
            color,
            mv,
            properties,
        });
    }
    writeln!(output, "{told}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &[u8]) -> Vec<String> {
        read(text)
            .map(|read| match read {
                Ok(record) => record.game.transcript().to_string(),
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn edaxs_games_are_read() {
        let text = b"(;FF[4]GM[2]AP[edax:4.6]PC[Edax]DT[2024-05-06]PB[a]PW[b]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[B+2]\
            B[f5];W[d6];B[c3];)\n";
        let record = read(&text[..]).next().unwrap().unwrap();
        assert_eq!(record.game.transcript().to_string(), "f5d6c3");
        assert_eq!(record.date.as_ref().unwrap().to_string(), "2024-05-06");
        assert_eq!(record.result, Some(Outcome::played(2)));
        assert_eq!(record.tags, [("AP".into(), "edax:4.6".into())]);
        let mut written = Vec::new();
        write(&record, &mut written).unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "(;FF[4]GM[2]SZ[8]CA[UTF-8]PB[a]PW[b]DT[2024-05-06]PC[Edax]RE[B+2]AP[edax:4.6];B[f5];W[d6];B[c3])\n"
        );
    }

    #[test]
    fn results_are_told_in_every_form() {
        for text in ["B+4", "W+2.50", "0", "B+R", "W+T", "B+F", "W+"] {
            assert_eq!(result_text(result(text).unwrap()), text);
        }
        for (long, short) in [("Draw", "0"), ("B+Resign", "B+R"), ("W+64.00", "W+64")] {
            assert_eq!(result_text(result(long).unwrap()), short);
        }
        for text in ["", "?", "Void", "B", "B+x", "B+0", "C+1", "B+-3"] {
            assert_eq!(result(text), None, "{text}");
        }
    }

    #[test]
    fn a_damaged_game_loses_no_other() {
        let text = b"(;GM[2];B[f5])\nwhatever\n(;GM[2]PB[x;B[f5])\n(;GM[2];B[f5];W[f5])(;GM[2]SZ[10])(;GM[1])\n\
            (;GM[2];B[f5];B[d6])(;GM[2];B[z9])\n(;GM[2];B[f5]\n(;GM[2];W[d3];B[c3])(;GM[2]B;W[d6])\n(;GM[2]C[\\]\n";
        insta::assert_snapshot!(told(text).join("\n"));
    }
}
