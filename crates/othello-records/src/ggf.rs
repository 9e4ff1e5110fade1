//! GGF, the records of the game server GGS and of NBoard.
//!
//! The grammar is that of [`othello_proto::ggf`].

use std::io::{self, BufRead, Write};

use othello_core::{ByColor, Color, Empties, Game, Move};
use othello_proto::ggf::{self, MoveItem, Ply, ReplayError};

use crate::{
    Date, Note, Player, Record, RecordError,
    brackets::{Ggf, moves, place_of_move, records, text_before},
    error::{Fault, Problem, filled},
    input::{Bracketed, games},
    record::{Outcome, Value, add_comment},
};

/// Reads records. What stands between them is an error if it has a `[`, by which it may be a part of one.
pub fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(records(Bracketed::<_, Ggf>::new(input)), parse)
}

pub(crate) fn parse(text: &[u8]) -> Result<Record, Fault> {
    filled(|record| fill(record, text))
}

/// Fills a record with what stands before the first fault.
pub(crate) fn fill(record: &mut Record, text: &[u8]) -> Result<(), Fault> {
    let before = text_before(text);
    let fault = |fault: Fault| Fault::new(before + fault.offset, fault.problem);
    fill_from(record, &text[before..]).map_err(fault)
}

fn fill_from(record: &mut Record, text: &[u8]) -> Result<(), Fault> {
    let (mut told, error) = ggf::Record::parse_until_error(text);
    let error = error.map(|error| fault(text, &error));
    // A move in the value of another would be lost: what follows a move there is skipped.
    let mut numbered = moves(text).enumerate();
    let nested = numbered.find(|(_, (_, value))| value.contains(&b'['));
    let nested = nested.filter(|(index, _)| *index < told.moves.len());
    if let Some((index, _)) = nested {
        told.moves.truncate(index);
    }
    if let Some(problem) = other_game(&told.kind) {
        let place = text.windows(3).position(|part| part == b"TY[");
        return Err(Fault::new(place.unwrap_or_default(), problem));
    }
    of_ggf(told, record)
        .map_err(|(number, problem)| Fault::new(place_of_move(text, number), problem))?;
    let nested =
        nested.map(|(_, (place, _))| Fault::expected(place, "] after a move, before another"));
    nested.or(error).map_or(Ok(()), Err)
}

/// What is wrong with a record: another game or size of the board is told as such.
fn fault(text: &[u8], error: &othello_proto::ParseError) -> Fault {
    if error.expected() == "Othello" {
        let name = text[error.offset()..].split(|&byte| byte == b']').next();
        let found = String::from_utf8_lossy(name.unwrap_or_default())
            .trim()
            .replace(char::is_control, " ");
        return Fault::new(error.offset(), Problem::OtherGame { found });
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

/// Returns `true` if the size of the board is wrong, or goes on where it should end.
fn is_of_size(error: &othello_proto::ParseError) -> bool {
    error.expected().starts_with("the size of the board") || error.expected() == "a blank"
}

/// The problem of a board of another size. That of 10x10 without corners has a number of its own.
fn of_size(size: u64) -> Problem {
    match size {
        88 => Problem::OtherGame {
            found: "the octagonal board (88)".into(),
        },
        _ => Problem::BoardSize { size },
    }
}

/// The problem of a kind of game of the server, such as `8` or `s8r20`, with another size of the board.
pub(crate) fn other_game(kind: &str) -> Option<Problem> {
    let text = kind.trim().trim_start_matches('s');
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let size: u64 = text[..text.len() - rest.len()].parse().ok()?;
    (size != 8).then(|| of_size(size))
}

/// Fills a record with what a GGF record tells, up to the move that is wrong: its number and the reason are the error.
fn of_ggf(mut told: ggf::Record, record: &mut Record) -> Result<(), (usize, Problem)> {
    *record = Record::from(Game::new(told.start));
    let wrong = told.game().map_err(problem).err();
    if let Some((number, _)) = &wrong {
        told.moves.truncate(number - 1);
    }
    // The notes of moves stay with them where passes are left out.
    let mut comments = told.comments.into_iter().peekable();
    let mut comments_after = |moves| {
        let mut text = String::new();
        while let Some((_, comment)) = comments.next_if(|(before, _)| *before == moves) {
            add_comment(&mut text, " ", &comment);
        }
        text
    };
    record.comment = comments_after(0);
    for (number, ply) in (1..).zip(told.moves) {
        let note = Note {
            value: ply.item.value,
            time: ply.item.time,
            comment: comments_after(number),
        };
        let illegal = |error| (number, Problem::Illegal { number, error });
        record.play(ply.item.mv, note).map_err(illegal)?;
    }
    record.players = told.players.map(|player| Player {
        name: player.name,
        clock: player.clock,
        rating: String::new(),
    });
    record.place = told.place;
    record.result = told
        .outcome
        .map(|outcome| Outcome::new(outcome.score, outcome.kind));
    record.date = Date::read(&told.date);
    if record.date.is_none() && !told.date.is_empty() {
        record.tag("DT", &told.date);
    }
    if told.kind != "8" {
        record.tag("TY", &told.kind);
    }
    for (name, value) in told.others {
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

fn problem(error: ReplayError) -> (usize, Problem) {
    match error {
        ReplayError::Illegal { number, error } => (number, Problem::Illegal { number, error }),
        ReplayError::OutOfTurn { number } => (number, Problem::OutOfTurn { number }),
        _ => (1, Problem::Expected("a legal game")),
    }
}

/// Text without what would begin another record.
fn guarded(text: &str) -> String {
    if text.to_ascii_lowercase().contains("(;gm[") {
        text.replace("(;", "( ;")
    } else {
        text.to_owned()
    }
}

/// The GGF record of a record.
pub(crate) fn to_ggf(record: &Record) -> ggf::Record {
    let mut told = ggf::Record {
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
            told.others.push((name.into(), guarded(rating)));
        }
    }
    for (name, value) in record
        .tags
        .iter()
        .filter(|(name, _)| holds_tag(record, name))
    {
        match name.as_str() {
            "DT" => told.date = guarded(value),
            "TY" => told.kind = guarded(value),
            _ => told.others.push((name.clone(), guarded(value))),
        }
    }
    if !record.comment.is_empty() {
        told.comments.push((0, guarded(&record.comment)));
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
        told.moves.push(Ply { color, item });
        if !note.comment.is_empty() {
            told.comments.push((index + 1, guarded(&note.comment)));
        }
    }
    told
}

/// A date as the server writes it.
fn date(date: &Date) -> String {
    let mut text = date.with(".", None);
    if !date.time.is_empty() {
        text += "_";
        text += &guarded(&date.time);
    }
    text
}

/// A result; a win without a margin has that of the board if it follows from the moves, and is else one by all discs.
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

/// Returns `true` if GGF can hold a tag of this name, because none of its own has the name.
pub(crate) fn holds_tag(record: &Record, name: &str) -> bool {
    let own = [
        "GM", "CA", "PC", "PB", "PW", "RB", "RW", "BO", "B", "W", "C",
    ];
    let clocks = || record.players.iter().any(|player| player.clock.is_some());
    // A value that cannot be read is kept as a tag.
    let told = match name {
        "DT" => record.date.is_some(),
        "RE" => record.result.is_some(),
        "TI" | "TB" | "TW" => clocks(),
        "TY" => record
            .tags
            .iter()
            .any(|(name, kind)| name == "TY" && other_game(kind).is_some()),
        _ => false,
    };
    !told
        && !own.contains(&name)
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Writes a record as a line.
///
/// # Errors
///
/// Fails if the output does.
pub fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "{}", to_ggf(record))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        crate::tests::transcripts(read(text.as_bytes()))
    }

    #[test]
    fn a_record_of_the_server_keeps_all_that_it_tells() {
        let text = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[one]PW[two]RE[+4.00:r]TI[5:00//2:00]TY[8r20]\
            RB[2196.37]RW[2200.35]BO[8 ---------------------------O*------*O--------------------------- *]C[first]\
            B[D3//0.01]W[C5/2.39/20.97]C[good];)\n";
        let record = read(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(record.players.black.rating, "2196.37");
        assert_eq!(record.notes[1].comment, "good");
        assert_eq!(record.tags, [("TY".into(), "8r20".into())]);
        assert_eq!(record.result.unwrap().discs(), Some(4));
        let mut written = Vec::new();
        write(&record, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }

    #[test]
    fn a_win_without_a_score_has_that_of_the_board_if_it_is_told_there() {
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
    fn old_records_have_seconds_for_dates_and_no_result_for_impossible_ones() {
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

    #[test]
    fn a_damaged_record_loses_no_other() {
        let good = "(;GM[Othello]B[F5]W[D6];)";
        let text = format!(
            "1 {good}\n(;GM[Othello]B[F5;)\n{good} x\n2 {good}(;GM[Othello]BO[10 ---]B[F5];)\n(;GM[Othello]B[F5]\n\
             (;GM[Othello]B[F5]W[F5];)(;GM[Othello]B[F5]B[D6];){good}(;GM[Amazons];)(;GM[Othello]"
        );
        let errors = told(&text).join("\n");
        insta::assert_snapshot!(errors);
    }
}
