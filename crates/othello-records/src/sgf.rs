//! SGF for Othello, `GM[2]`.
//!
//! The grammar is described in [`othello_proto::sgf`]. A value `V` is from Black's point of view, as the format
//! requires.

use std::io::{self, BufRead, Write};

use othello_core::{Color, Game, Move};
use othello_proto::sgf::{self, Ply, Property};

use crate::{
    Date, Note, Record, RecordError,
    brackets::{Sgf, place_of_move, records, text_before},
    error::{Fault, RecordErrorKind, filled},
    input::{Bracketed, games},
    record::{Outcome, OutcomeKind, Value, add_comment},
};

/// Reads games, each along its first variation. Text between them is an error if it has a `[`, because it may then be
/// part of a game.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(records(Bracketed::<_, Sgf>::new(input)), parse)
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    let (source, error) = sgf::Record::parse_until_error(&text[text_before(text)..]);
    filled(|record| {
        *record = Record::from(Game::new(source.start));
        for Property { name, value } in source.properties {
            take(record, &name, value);
        }
        for (number, ply) in (1..).zip(source.moves) {
            play(record, ply, number)
                .map_err(|kind| Fault::new(place_of_move(text, number), kind))?;
        }
        error.map_or(Ok(()), |error| Err(fault(text, &error)))
    })
}

/// Converts a parse error, with a kind of its own for another board size.
fn fault(text: &[u8], error: &othello_proto::ParseError) -> Fault {
    let offset = (text_before(text) + error.offset()).min(text.len());
    let value = text[offset..].split(|&byte| byte == b']').next();
    let value = value.unwrap_or_default();
    if error.expected().starts_with("GM[2]") {
        let found = game_of(value);
        return Fault::new(offset, RecordErrorKind::OtherGame { found });
    }
    let size = std::str::from_utf8(value)
        .ok()
        .and_then(|size| size.trim().parse().ok());
    match size {
        Some(size) if error.expected().starts_with("8, the size") => {
            Fault::new(offset, RecordErrorKind::BoardSize { size })
        }
        _ => Fault::expected(offset, error.expected()),
    }
}

/// The name of the game with this number in SGF.
fn game_of(number: &[u8]) -> String {
    let name = match number.trim_ascii() {
        b"1" => "Go",
        b"3" => "chess",
        b"4" => "Gomoku",
        b"8" => "shogi",
        b"11" => "Hex",
        _ => "another game",
    };
    let number = String::from_utf8_lossy(number).replace(char::is_control, " ");
    format!("{name}, GM[{number}]")
}

/// Plays a move. Inserts an omitted pass if the colour or the rules imply one.
fn play(record: &mut Record, ply: Ply, number: usize) -> Result<(), RecordErrorKind> {
    let board = record.game.board();
    let passes = board.must_pass() && ply.mv != Move::Pass;
    if !board.is_over() && (board.side_to_move() == ply.color) == passes {
        return Err(RecordErrorKind::OutOfTurn { number });
    }
    let mut note = Note::default();
    for Property { name, value } in ply.properties {
        match name.as_str() {
            "C" => add_comment(&mut note.comment, "\n", &value),
            "V" => {
                note.value = Value::read(value.as_bytes()).map(|value| seen_by(ply.color, value));
            }
            // Remaining times, variations and marks on the board are dropped.
            _ => {}
        }
    }
    record
        .play(ply.mv, note)
        .map_err(|error| RecordErrorKind::Illegal { number, error })
}

/// Converts a value from Black's point of view to a colour's, or back.
fn seen_by(color: Color, value: Value) -> Value {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}

/// Sets a property of the game.
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
        "RE" if result(&value).is_some() => record.result = result(&value),
        "RE" if value == "?" => {}
        // The encoding, and properties that only matter for display.
        "CA" | "ST" => {}
        _ => record.tags.push((name.to_owned(), value)),
    }
}

/// Parses a result: `B+4`, `W+R`, `0`, `Draw`.
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
    let score = Value::read(margin.as_bytes());
    let score = score.filter(|score| score.hundredths() > 0 && score.is_result());
    let is_complete = score.is_some() || kind != OutcomeKind::Played || margin.is_empty();
    is_complete.then_some(Outcome {
        winner: Some(winner),
        score: score.map(|score| seen_by(winner, score)),
        kind,
    })
}

/// Formats a result as the value of `RE`.
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

/// Formats a value without trailing zeros.
fn decimal(value: Value) -> String {
    let text = value.to_string();
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}

/// Returns `true` if SGF can hold a tag with this name, because it has no property of that name.
fn holds_tag(record: &Record, name: &str) -> bool {
    let own = [
        "FF", "GM", "SZ", "CA", "ST", "PB", "PW", "BR", "WR", "EV", "RO", "PC", "C", "GC", "AB",
        "AW", "AE", "PL", "B", "W", "V",
    ];
    let is_property =
        name == "DT" && record.date.is_some() || name == "RE" && record.result.is_some();
    !own.contains(&name)
        && !is_property
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

/// Writes a game in one line, except for line breaks in comments.
pub(crate) fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    let mut sgf = sgf::Record {
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
        sgf.moves.push(Ply {
            color,
            mv,
            properties,
        });
    }
    writeln!(output, "{sgf}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_edax_are_read() {
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
    fn results_are_read_in_every_form() {
        for text in ["B+4", "W+2.50", "0", "B+R", "W+T", "B+F", "W+"] {
            assert_eq!(result_text(result(text).unwrap()), text);
        }
        for (long, short) in [("Draw", "0"), ("B+Resign", "B+R"), ("W+64.00", "W+64")] {
            assert_eq!(result_text(result(long).unwrap()), short);
        }
        for text in ["", "?", "Void", "B", "B+x", "B+0", "C+1", "B+-3", "W+65"] {
            assert_eq!(result(text), None, "{text}");
        }
    }

    #[test]
    fn results_are_compared_with_the_board_but_left_unchanged() {
        let squares = othello_core::Square::ALL[..59].iter();
        let discs: Vec<String> = squares.map(|square| format!("[{square}]")).collect();
        let discs = discs.concat();
        let with = |result: &str| {
            let text = format!("(;GM[2]AW{discs}RE[{result}])");
            read(text.as_bytes()).next().unwrap().unwrap()
        };
        let discs = |result: &str| with(result).discs().map(|discs| (discs.black, discs.white));
        assert_eq!(discs("W+59"), Some((0, 59)));
        assert_eq!(discs("W+64"), Some((0, 64)));
        assert_eq!(discs("W+20"), Some((22, 42)));
        assert_eq!(discs("W+21"), None);
        let pgn = |result: &str| crate::losses(&with(result), crate::Format::Pgn);
        assert_eq!(
            (pgn("W+59"), pgn("W+21")),
            (vec![], vec![crate::Part::Score])
        );
        for agrees in ["W+59", "W+64", "W+", "B+R"] {
            assert_eq!(with(agrees).remarks(), [], "{agrees}");
        }
        for contradicts in ["W+20", "B+59", "0", "B+"] {
            let record = with(contradicts);
            let remarks: Vec<String> = record.remarks().iter().map(ToString::to_string).collect();
            assert_eq!(
                remarks,
                ["the result contradicts the board at the end, 0-59"]
            );
            assert_eq!(result_text(record.result.unwrap()), contradicts);
        }
    }
}
