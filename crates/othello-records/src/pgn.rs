//! Games in the PGN dialect of Edax, `PlayOK` and Othello Quest: tags in brackets, then numbered moves.
//!
//! A set-up position is in a `FEN` tag, with rows from 8 to 1, `p` for a black disc and `P` for a white one.

use std::{
    fmt::Write as _,
    io::{self, BufRead, Write},
};

use othello_core::{Board, Color, Game};

use crate::{
    Date, Record, RecordError,
    board::is_comment,
    error::{Fault, filled},
    fen,
    input::{Lines, Place, games, utf8},
    record::{Outcome, OutcomeKind, Value, add_comment},
    transcript::play_all,
};

/// The maximum length of a line of moves.
const COLUMNS: usize = 78;

/// Reads games. A line that begins with a tag starts a game, unless it follows other tags.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    // Kept from line to line, to avoid rescanning the game for each line.
    let mut in_braces = false;
    let place = move |game: &[u8], line: &[u8]| {
        in_braces &= !game.is_empty();
        let place = place(game, line, in_braces);
        in_braces &= !matches!(place, Place::Begins);
        let mut braces = line.iter().filter(|byte| matches!(byte, b'{' | b'}'));
        if !matches!(place, Place::Skipped)
            && let Some(last) = braces.next_back()
        {
            in_braces = *last == b'{';
        }
        place
    };
    games(Lines::new(input, place), parse)
}

fn place(game: &[u8], line: &[u8], in_braces: bool) -> Place {
    let blank = |line: &[u8]| line.trim_ascii().is_empty();
    if is_comment(line.trim_ascii()) && !in_braces {
        return Place::Skipped;
    }
    if blank(line) {
        return if game.is_empty() {
            Place::Between
        } else {
            Place::Joins
        };
    }
    let mut lines = game
        .rsplit(|&byte| byte == b'\n')
        .filter(|line| !blank(line));
    let after_tags = lines.next().is_none_or(has_tags_alone);
    if is_tag(line.trim_ascii()) && !after_tags {
        Place::Begins
    } else {
        Place::Joins
    }
}

/// Returns `true` for a tag line: `[Black "Name"]`.
pub(crate) fn is_tag(line: &[u8]) -> bool {
    let [b'[', rest @ ..] = line else {
        return false;
    };
    let name = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"")
}

/// The offsets of the quotes around the value of the tag at the start of a line, or `None` if it is not closed.
fn quotes(line: &[u8]) -> Option<(usize, usize)> {
    let open = line.iter().position(|&byte| byte == b'"')?;
    let mut escaped = false;
    let length = line[open + 1..].windows(2).position(|pair| {
        let ends = !escaped && pair == b"\"]";
        escaped = !escaped && pair[0] == b'\\';
        ends
    })?;
    Some((open, open + 1 + length))
}

/// Returns `true` if a line has tags but no moves after them.
fn has_tags_alone(line: &[u8]) -> bool {
    let mut rest = line.trim_ascii();
    let mut tags = 0;
    while is_tag(rest) {
        tags += 1;
        rest = quotes(rest).map_or(&[], |(_, close)| rest[close + 2..].trim_ascii_start());
    }
    tags > 0 && rest.is_empty()
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    filled(|record| {
        let mut rest = text.trim_ascii_start();
        while is_tag(rest) {
            let offset = text.len() - rest.len();
            let length = take_tag(record, rest)
                .map_err(|fault| Fault::new(offset + fault.offset, fault.kind))?;
            rest = rest[length..].trim_ascii_start();
        }
        take_moves(record, rest, text.len() - rest.len())
    })
}

/// Reads the tag at the start of a text and returns its length. A tag ends on its line.
fn take_tag(record: &mut Record, text: &[u8]) -> Result<usize, Fault> {
    let in_line = |(_, close): &(usize, usize)| !text[..*close].contains(&b'\n');
    let (open, close) = quotes(text).filter(in_line).ok_or_else(|| {
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or(text);
        Fault::expected(line.trim_ascii_end().len(), "\"] at the end of a tag")
    })?;
    let name = utf8(&text[..open])?.trim().trim_start_matches('[');
    let value = unescape(utf8(&text[open + 1..close])?);
    set(record, name, value, open + 1)?;
    Ok(close + 2)
}

/// Sets the property of a tag; its value is at offset `place` of the line.
fn set(record: &mut Record, name: &str, value: String, place: usize) -> Result<(), Fault> {
    if value == "?" {
        return Ok(());
    }
    match name {
        "Event" => record.event = value,
        "Site" => record.place = value,
        "Round" if value == "-" => {}
        "Round" => record.round = value,
        "Black" => record.players.black.name = value,
        "White" => record.players.white.name = value,
        "BlackElo" | "BlackRating" => record.players.black.rating = value,
        "WhiteElo" | "WhiteRating" => record.players.white.rating = value,
        "Date" if is_unknown_date(&value) => {}
        // Edax writes an unknown date twice.
        "Date" if Date::read(&value).is_some() => take_date(record, &value),
        "Time" if record.date.is_some() => take_time(record, value),
        "Result" => record.result = Outcome::parse(&value).or(record.result),
        "Termination" => match termination(&value) {
            Some(kind) => take_cause(record, kind),
            None => record.tag(name, &value),
        },
        "FEN" => {
            let start = fen::read(&value).ok_or(Fault::expected(
                place,
                "a position such as 8/8/8/3pP3/3Pp3/8/8/8 b",
            ))?;
            record.game = Game::new(start);
        }
        _ => record.tag(name, &value),
    }
    Ok(())
}

/// Returns `true` for an unknown date, such as `????.??.??`.
fn is_unknown_date(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| b"?.-/".contains(&byte))
}

fn take_date(record: &mut Record, value: &str) {
    let time = record.date.take().map(|date| date.time).unwrap_or_default();
    record.date = Date::read(value).map(|date| Date { time, ..date });
}

fn take_time(record: &mut Record, value: String) {
    if let Some(date) = &mut record.date {
        date.time = value;
    }
}

/// Adds the cause of the end to the result, which precedes it.
fn take_cause(record: &mut Record, kind: OutcomeKind) {
    if let Some(result) = &mut record.result {
        result.kind = kind;
    }
}

/// Parses the cause of the end.
fn termination(text: &str) -> Option<OutcomeKind> {
    TERMINATIONS
        .iter()
        .find(|(word, _)| *word == text)
        .map(|&(_, kind)| kind)
}

const TERMINATIONS: [(&str, OutcomeKind); 6] = [
    ("normal", OutcomeKind::Played),
    ("resignation", OutcomeKind::Resigned),
    ("time forfeit", OutcomeKind::TimedOut),
    ("adjudication", OutcomeKind::Agreed),
    ("abandoned", OutcomeKind::Left),
    ("rules infraction", OutcomeKind::Forfeited),
];

/// Reads moves, comments in braces and the result, from `offset` of the game on.
fn take_moves(record: &mut Record, text: &[u8], offset: usize) -> Result<(), Fault> {
    let mut rest = text;
    while !rest.is_empty() {
        let place = offset + text.len() - rest.len();
        if rest[0] == b'{' {
            let end = rest.iter().position(|&byte| byte == b'}');
            let end = end.ok_or(Fault::expected(
                offset + text.len(),
                "} at the end of a comment",
            ))?;
            take_comment(record, utf8(&rest[1..end])?.trim());
            rest = &rest[end + 1..];
            continue;
        }
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'{' | b' ' | b'\n'));
        let word = &rest[..end.unwrap_or(rest.len())];
        if !take_result(record, word.trim_ascii()) {
            play_all(record, word, place)?;
        }
        let blank = usize::from(matches!(rest.get(word.len()), Some(b' ' | b'\n')));
        rest = &rest[word.len() + blank..];
    }
    Ok(())
}

/// Reads the result after the moves. Returns `false` if the word is not a result.
fn take_result(record: &mut Record, word: &[u8]) -> bool {
    let text = std::str::from_utf8(word).unwrap_or_default();
    let result = Outcome::parse(text);
    if record.result.is_none() {
        record.result = result;
    }
    result.is_some() || matches!(text, "" | "*") || is_number(text)
}

/// Returns `true` for a separate move number: `1.`, `2...`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads a comment; a comment with the discs belongs to the result.
fn take_comment(record: &mut Record, comment: &str) {
    let discs = parse_discs(comment);
    let winner = record.result.map(|result| result.winner);
    match (discs, &mut record.result) {
        (Some(score), Some(result)) if winner == Some(Outcome::new(score, result.kind).winner) => {
            result.score = Some(score);
        }
        _ => comment_last(record, comment),
    }
}

/// Parses Black's score from a comment such as `Ann wins 40-24`.
fn parse_discs(comment: &str) -> Option<Value> {
    let (words, discs) = comment.rsplit_once(' ')?;
    let is_result = words.ends_with(" wins") || words == "Draw";
    Outcome::parse(discs).filter(|_| is_result)?.score
}

/// Adds a comment to the last move, or to the game if there is no move yet.
fn comment_last(record: &mut Record, comment: &str) {
    let moves = record.game.moves().len();
    let text = match moves.checked_sub(1) {
        None => &mut record.comment,
        Some(last) => {
            record.notes.resize_with(moves, Default::default);
            &mut record.notes[last].comment
        }
    };
    add_comment(text, " ", comment);
}

fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        text.extend(if letter == '\\' {
            letters.next()
        } else {
            Some(letter)
        });
    }
    text
}

/// Returns `true` if PGN can hold a tag: it has no property of that name, and the tag is not an unknown date.
fn holds_tag(record: &Record, name: &str, value: &str) -> bool {
    let own = [
        "Event",
        "Site",
        "Round",
        "Black",
        "White",
        "BlackElo",
        "BlackRating",
        "WhiteElo",
        "WhiteRating",
        "Result",
        "Termination",
        "FEN",
    ];
    let is_property = record.date.is_some() && matches!(name, "Date" | "Time")
        || name == "Date" && is_unknown_date(value);
    let letters = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    !own.contains(&name) && !is_property && !name.is_empty() && letters
}

/// Writes a game with its tags.
pub(crate) fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    let result = record.result.map_or("*", result_text);
    for (name, value) in tags(record, result) {
        let value = value
            .replace(char::is_control, " ")
            .replace('\\', "\\\\")
            .replace('"', "\\\"");
        writeln!(output, "[{name} \"{value}\"]")?;
    }
    writeln!(output, "\n{}", moves(record))?;
    if let Some(discs) = record.result.and_then(|result| discs_text(record, result)) {
        write!(output, "{{{discs}}} ")?;
    }
    writeln!(output, "{result}\n")
}

fn tags(record: &Record, result: &str) -> Vec<(String, String)> {
    let players = &record.players;
    let date = record.date.as_ref().map(|date| date.with(".", Some("??")));
    let time = record.date.as_ref().map(|date| date.time.as_str());
    let start = record.game.start();
    let position = if start == Board::START {
        String::new()
    } else {
        fen::write(start)
    };
    let kind = record
        .result
        .map(|result| result.kind)
        .filter(|&kind| kind != OutcomeKind::Played);
    let cause = TERMINATIONS.iter().find(|(_, cause)| Some(*cause) == kind);
    let or_unknown = |text: &str| {
        if text.is_empty() {
            "?".to_owned()
        } else {
            text.to_owned()
        }
    };
    let always = [
        ("Event", or_unknown(&record.event)),
        ("Site", or_unknown(&record.place)),
        ("Date", date.unwrap_or("?".into())),
        ("Round", or_unknown(&record.round)),
        ("Black", or_unknown(&players.black.name)),
        ("White", or_unknown(&players.white.name)),
        ("Result", result.to_owned()),
    ];
    let tags = [
        ("Time", time.unwrap_or_default()),
        ("BlackElo", &players.black.rating),
        ("WhiteElo", &players.white.rating),
        ("Termination", cause.map_or("", |(word, _)| word)),
        ("FEN", &position),
    ];
    let tags = tags.into_iter().filter(|(_, value)| !value.is_empty());
    let others = record
        .tags
        .iter()
        .filter(|(name, value)| holds_tag(record, name, value));
    always
        .into_iter()
        .chain(tags.map(|(name, value)| (name, value.to_owned())))
        .map(|(name, value)| (name.to_owned(), value))
        .chain(others.cloned())
        .collect()
}

const fn result_text(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::Black) => "1-0",
        Some(Color::White) => "0-1",
        None => "1/2-1/2",
    }
}

/// The comment with the discs, Black's first, if they are whole numbers.
fn discs_text(record: &Record, outcome: Outcome) -> Option<String> {
    let discs = record.discs()?;
    let counts = format!("{}-{}", discs.black, discs.white);
    let Some(winner) = outcome.winner else {
        return Some(format!("Draw {counts}"));
    };
    let name = plain(&record.players[winner].name);
    let name = if name.is_empty() {
        winner.to_string()
    } else {
        name
    };
    Some(format!("{name} wins {counts}"))
}

/// Removes the characters that cannot occur in a comment.
fn plain(text: &str) -> String {
    let meant = |letter: char| matches!(letter, '{' | '}') || letter.is_control();
    text.replace(meant, " ").trim().to_owned()
}

/// Formats the moves in lines, each followed by its comment.
fn moves(record: &Record) -> String {
    let mut text = String::new();
    let mut column = 0;
    let mut add = |word: &str| {
        let breaks = column + word.len() >= COLUMNS;
        let gap = if text.is_empty() {
            ""
        } else if breaks {
            "\n"
        } else {
            " "
        };
        column = if breaks {
            word.len()
        } else {
            column + gap.len() + word.len()
        };
        let _ = write!(text, "{gap}{word}");
    };
    let comment = |text: &str| format!("{{{}}}", plain(text));
    if !record.comment.is_empty() {
        add(&comment(&record.comment));
    }
    for (index, mv) in record.game.moves().iter().enumerate() {
        match index % 2 {
            0 => add(&format!("{}. {mv}", index / 2 + 1)),
            _ => add(&mv.to_string()),
        }
        let note = record.note(index);
        if !note.comment.is_empty() {
            add(&comment(&note.comment));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(record: &Record) -> String {
        let mut text = Vec::new();
        write(record, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn games_of_several_programs_are_read() {
        let edax = "[Event \"?\"]\n[Site \"edax\"]\n[Date \"2024.??.??\"]\n[Date \"2024.5.6\"]\n[Time \"1.2.3\"]\n[Round \"?\"]\n\
            [Black \"a \\\"b\\\"\"]\n[White \"c\"]\n[Result \"0-1\"]\n\n 1. f5 d6 2. c3 d3\n{c wins 20-44} 0-1\n\n\n";
        let playok = "[Event \"Live game\"]\n[Site \"PlayOK\"]\n[Date \"2021.03.11\"]\n[Round \"-\"]\n[Black \"x\"]\n[White \"y\"]\n\
            [Result \"36-28\"]\n[BlackElo \"1224\"]\n[Variant \"xot\"]\n\n1. e6 f4 2. c3 36-28\n";
        let text = format!("{edax}{playok}");
        let records: Vec<Record> = read(text.as_bytes()).map(Result::unwrap).collect();
        let [first, second] = &records[..] else {
            panic!("{records:?}")
        };
        assert_eq!(first.game.transcript().to_string(), "f5d6c3d3");
        assert_eq!(first.players.black.name, "a \"b\"");
        assert_eq!(first.result, Some(Outcome::played(-24)));
        let date = first.date.as_ref().unwrap();
        assert_eq!(
            (date.to_string(), date.time.as_str()),
            ("2024-05-06".into(), "1.2.3")
        );
        assert_eq!(second.result, Some(Outcome::played(8)));
        assert_eq!(second.tags, [("Variant".into(), "xot".into())]);
        insta::assert_snapshot!(written(first) + &written(second));
    }

    #[test]
    fn several_tags_may_share_a_line() {
        let text = "[Black \"a\"] [White \"b\"]\n[Date \"????.??.??\"]1. f5 d6 *\n[Black \"c\"]\n1. f5 *\n";
        let records: Vec<Record> = read(text.as_bytes()).map(Result::unwrap).collect();
        let names = records[0]
            .players
            .as_ref()
            .map(|player| player.name.as_str());
        assert_eq!((names.black, names.white), ("a", "b"));
        assert_eq!(records[0].game.moves().len(), 2);
        assert_eq!(records[0].tags, []);
        assert_eq!(records[1].players.black.name, "c");
    }
}
