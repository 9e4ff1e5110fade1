//! GGF, the record format of the game server GGS and of NBoard.
//!
//! The grammar is described in [`othello_proto::ggf`].

use std::io::BufRead;

use othello_core::{ByColor, Color, Empties, Game, Move};
use othello_proto::ggf::{self, MoveItem, Ply, ReplayError};

use crate::{
    Date, Note, Player, Record, RecordError,
    brackets::{Ggf, moves, place_of_move, records, text_before},
    error::{Fault, RecordErrorKind, filled},
    input::{Bracketed, games},
    record::{Outcome, Value, add_comment},
};

/// Reads records. Text between them is an error if it has a `[`, because it may then be part of a record.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(records(Bracketed::<_, Ggf>::new(input)), parse)
}

pub(crate) fn parse(text: &[u8]) -> Result<Record, Fault> {
    filled(|record| fill(record, text))
}

/// Fills a record with the contents before the first error.
pub(crate) fn fill(record: &mut Record, text: &[u8]) -> Result<(), Fault> {
    let before = text_before(text);
    let fault = |fault: Fault| Fault::new(before + fault.offset, fault.kind);
    fill_from(record, &text[before..]).map_err(fault)
}

fn fill_from(record: &mut Record, text: &[u8]) -> Result<(), Fault> {
    let (mut source, error) = ggf::Record::parse_until_error(text);
    let error = error.map(|error| fault(text, &error));
    // A move within another value would be lost: parsing skips the text after it.
    let mut numbered = moves(text).enumerate();
    let nested = numbered.find(|(_, (_, value))| value.contains(&b'['));
    let nested = nested.filter(|(index, _)| *index < source.moves.len());
    if let Some((index, _)) = nested {
        source.moves.truncate(index);
    }
    if let Some(kind) = other_game(&source.kind) {
        let place = text.windows(3).position(|part| part == b"TY[");
        return Err(Fault::new(place.unwrap_or_default(), kind));
    }
    of_ggf(source, record)
        .map_err(|(number, kind)| Fault::new(place_of_move(text, number), kind))?;
    let nested =
        nested.map(|(_, (place, _))| Fault::expected(place, "] after a move, before another"));
    nested.or(error).map_or(Ok(()), Err)
}

/// Converts a parse error, with a kind of its own for another game or board size.
fn fault(text: &[u8], error: &othello_proto::ParseError) -> Fault {
    if error.expected() == "Othello" {
        let name = text[error.offset()..].split(|&byte| byte == b']').next();
        let found = String::from_utf8_lossy(name.unwrap_or_default())
            .trim()
            .replace(char::is_control, " ");
        return Fault::new(error.offset(), RecordErrorKind::OtherGame { found });
    }
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let before = text[..error.offset()].iter().rev().take_while(is_digit);
    let begin = error.offset() - before.count();
    let digits = text[begin..].iter().take_while(is_digit).count();
    let size = String::from_utf8_lossy(&text[begin..begin + digits]).parse();
    match size {
        Ok(size) if size != 8 && is_of_size(error) => Fault::new(begin, of_size(size)),
        _ => Fault::expected(error.offset(), error.expected()),
    }
}

/// Returns `true` if the size of the board is wrong, or followed by other text.
fn is_of_size(error: &othello_proto::ParseError) -> bool {
    error.expected().starts_with("the size of the board") || error.expected() == "a blank"
}

/// The error for a board of another size. 10x10 without corners has a number of its own.
fn of_size(size: u64) -> RecordErrorKind {
    match size {
        88 => RecordErrorKind::OtherGame {
            found: "the octagonal board (88)".into(),
        },
        _ => RecordErrorKind::BoardSize { size },
    }
}

/// The error for a game type of the server, such as `8` or `s8r20`, with another board size.
pub(crate) fn other_game(kind: &str) -> Option<RecordErrorKind> {
    let text = kind.trim().trim_start_matches('s');
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let size: u64 = text[..text.len() - rest.len()].parse().ok()?;
    (size != 8).then(|| of_size(size))
}

/// Fills a record from a GGF record, up to the first invalid move; the error has its number and the reason.
fn of_ggf(mut source: ggf::Record, record: &mut Record) -> Result<(), (usize, RecordErrorKind)> {
    *record = Record::from(Game::new(source.start));
    let wrong = source.game().map_err(replay_error).err();
    if let Some((number, _)) = &wrong {
        source.moves.truncate(number - 1);
    }
    // Comments stay with their moves when omitted passes are inserted.
    let mut comments = source.comments.into_iter().peekable();
    let mut comments_after = |moves| {
        let mut text = String::new();
        while let Some((_, comment)) = comments.next_if(|(before, _)| *before == moves) {
            add_comment(&mut text, " ", &comment);
        }
        text
    };
    record.comment = comments_after(0);
    for (number, ply) in (1..).zip(source.moves) {
        let note = Note {
            value: ply.item.value,
            time: ply.item.time,
            comment: comments_after(number),
        };
        let illegal = |error| (number, RecordErrorKind::Illegal { number, error });
        record.play(ply.item.mv, note).map_err(illegal)?;
    }
    record.players = source.players.map(|player| Player {
        name: player.name,
        clock: player.clock,
        rating: String::new(),
    });
    record.place = source.place;
    record.result = source
        .outcome
        .map(|outcome| Outcome::new(outcome.score, outcome.kind));
    record.date = Date::read(&source.date);
    if record.date.is_none() && !source.date.is_empty() {
        record.tag("DT", &source.date);
    }
    if source.kind != "8" {
        record.tag("TY", &source.kind);
    }
    for (name, value) in source.others {
        match name.as_str() {
            "RB" => record.players.black.rating = value,
            "RW" => record.players.white.rating = value,
            // The encoding.
            "CA" => {}
            _ => record.tags.push((name, value)),
        }
    }
    wrong.map_or(Ok(()), Err)
}

fn replay_error(error: ReplayError) -> (usize, RecordErrorKind) {
    match error {
        ReplayError::Illegal { number, error } => {
            (number, RecordErrorKind::Illegal { number, error })
        }
        ReplayError::OutOfTurn { number } => (number, RecordErrorKind::OutOfTurn { number }),
        _ => (1, RecordErrorKind::Expected("a legal game")),
    }
}

/// Escapes text that would start another record.
fn guarded(text: &str) -> String {
    if text.to_ascii_lowercase().contains("(;gm[") {
        text.replace("(;", "( ;")
    } else {
        text.to_owned()
    }
}

/// Converts a record to GGF.
pub(crate) fn to_ggf(record: &Record) -> ggf::Record {
    let mut ggf = ggf::Record {
        place: guarded(&record.place),
        date: record.date.as_ref().map(date).unwrap_or_default(),
        players: record.players.clone().map(|player| ggf::PlayerInfo {
            name: guarded(&player.name),
            clock: player.clock,
        }),
        outcome: record.result.map(|result| outcome(record, result)),
        start: record.game.start(),
        ..ggf::Record::default()
    };
    let ratings: ByColor<&str> = record.players.as_ref().map(|player| player.rating.as_str());
    for (name, rating) in [("RB", ratings.black), ("RW", ratings.white)] {
        if !rating.is_empty() {
            ggf.others.push((name.into(), guarded(rating)));
        }
    }
    for (name, value) in record
        .tags
        .iter()
        .filter(|(name, _)| holds_tag(record, name))
    {
        match name.as_str() {
            "DT" => ggf.date = guarded(value),
            "TY" => ggf.kind = guarded(value),
            _ => ggf.others.push((name.clone(), guarded(value))),
        }
    }
    if !record.comment.is_empty() {
        ggf.comments.push((0, guarded(&record.comment)));
    }
    for (index, (board, mv)) in record.game.plies().enumerate() {
        let note = record.note(index);
        let value = note.value.filter(|_| mv != Move::Pass);
        let color = board.side_to_move();
        let item = MoveItem {
            mv,
            value,
            time: note.time,
        };
        ggf.moves.push(Ply { color, item });
        if !note.comment.is_empty() {
            ggf.comments.push((index + 1, guarded(&note.comment)));
        }
    }
    ggf
}

/// Formats a date like the server.
fn date(date: &Date) -> String {
    let mut text = date.with(".", None);
    if !date.time.is_empty() {
        text += "_";
        text += &guarded(&date.time);
    }
    text
}

/// Converts a result. A win without a margin gets the board's margin if it follows from the moves, otherwise 64 discs.
fn outcome(record: &Record, outcome: Outcome) -> ggf::Outcome {
    let discs = match outcome.winner {
        _ if record.result_follows() => record.board_score(Empties::ToWinner),
        Some(Color::Black) => 64,
        Some(Color::White) => -64,
        None => 0,
    };
    ggf::Outcome {
        score: outcome.score.unwrap_or(Value::from_hundredths(100 * discs)),
        kind: outcome.kind,
    }
}

/// Returns `true` if GGF can hold a tag with this name, because it has no property of that name.
fn holds_tag(record: &Record, name: &str) -> bool {
    let own = [
        "GM", "CA", "PC", "PB", "PW", "RB", "RW", "BO", "B", "W", "C",
    ];
    let clocks = || record.players.iter().any(|player| player.clock.is_some());
    // A value that cannot be parsed is kept as a tag.
    let is_property = match name {
        "DT" => record.date.is_some(),
        "RE" => record.result.is_some(),
        "TI" | "TB" | "TW" => clocks(),
        "TY" => record
            .tags
            .iter()
            .any(|(name, kind)| name == "TY" && other_game(kind).is_some()),
        _ => false,
    };
    !is_property
        && !own.contains(&name)
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_the_server_keeps_all_its_properties() {
        let text = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[one]PW[two]RE[+4.00:r]TI[5:00//2:00]TY[8r20]\
            RB[2196.37]RW[2200.35]BO[8 ---------------------------O*------*O--------------------------- *]C[first]\
            B[D3//0.01]W[C5/2.39/20.97]C[good];)\n";
        let record = read(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(record.players.black.rating, "2196.37");
        assert_eq!(record.notes[1].comment, "good");
        assert_eq!(record.tags, [("TY".into(), "8r20".into())]);
        assert_eq!(record.result.unwrap().discs(), Some(4));
        let mut written = Vec::new();
        crate::write_text(crate::Format::Ggf, &record, 0, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }

    #[test]
    fn a_win_without_a_score_gets_the_boards_if_the_result_follows() {
        let mut record = Record::default();
        while !record.game.is_over() {
            let square = record.game.board().legal_moves().first();
            record
                .game
                .play(square.map_or(Move::Pass, Move::Place))
                .unwrap();
        }
        let of_board = record.outcome().unwrap();
        let winner = of_board.winner.unwrap();
        assert!(of_board.discs().unwrap().abs() < 64);
        let mut written = |winner| {
            let (winner, score) = (Some(winner), None);
            record.result = Some(Outcome {
                winner,
                score,
                ..of_board
            });
            to_ggf(&record).outcome.unwrap().score
        };
        assert_eq!(Some(written(winner)), of_board.score);
        assert_eq!(written(!winner).hundredths().abs(), 6400);
    }

    #[test]
    fn old_records_have_unix_times_and_no_result_for_impossible_scores() {
        let text = "(;GM[Othello]DT[940607137]RE[-127.000]TY[8a]B[F5]W[D6];)";
        let record = read(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(record.date.as_ref().unwrap().to_string(), "1999-10-22");
        assert_eq!(record.outcome(), None);
        assert_eq!(record.remarks(), [crate::Remark::FewerDiscsWin]);
        for (kind, remarks) in [("8 rand", 0), ("s8ar20", 1), ("8r20", 0)] {
            let text = format!("(;GM[Othello]TY[{kind}]B[F5];)");
            let record = read(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(record.remarks().len(), remarks, "{kind}");
        }
        let written = to_ggf(&record).to_string();
        assert!(written.contains("RE[-127.000]"), "{written}");
    }
}
