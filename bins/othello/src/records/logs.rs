//! Games in the files of our own matches and hosts: logs of matches, and records of hosts and the LTH server.

use std::{
    io::{BufRead, Read as _},
    iter,
    time::{Duration, UNIX_EPOCH},
};

use super::ReadGame;
use anyhow::{Context as _, anyhow, ensure};
use boardgame_core::{ByColor, Color, Game as _};
use boardgame_match::{
    fault::Fault,
    limit::Limit,
    log::{Entry, LineReader},
    record::{GameResult, PlayedGame},
};
use othello_core::{Board, Game, ParseBoardError, TranscriptError};
use othello_host::{lth_server::is_count_line, record::GameRecord};
use othello_match::record::Othello;
use othello_records::{Clock, Date, Note, Outcome, OutcomeKind, Player, Record, Value};

/// The maximum length of a line in bytes.
const MAX_LINE: u64 = 16 * boardgame_files::MIB;

/// A kind of file with the games of our own programs, a line of JSON for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogKind {
    /// The log of a match.
    Match,
    /// The records of a host or of the LTH server.
    Host,
}

impl LogKind {
    /// Returns the kind of a file by its first bytes, or `None` for another file.
    pub(super) fn detect(beginning: &[u8]) -> Option<Self> {
        let line = beginning.trim_ascii_start();
        if line.starts_with(br#"{"crc32":"#) {
            Some(Self::Match)
        } else if line.starts_with(br#"{"finished":"#) || line.starts_with(br#"{"id":"#) {
            Some(Self::Host)
        } else {
            None
        }
    }

    /// Reads the games. An unterminated last line, which is still being written, is skipped.
    pub(super) fn read<'a>(
        self,
        input: impl BufRead + 'a,
    ) -> Box<dyn Iterator<Item = ReadGame> + 'a> {
        let lines = (1..).zip(lines(input));
        match self {
            Self::Match => {
                let mut log = LineReader::default();
                Box::new(lines.filter_map(move |(number, line)| {
                    let game = line.and_then(|line| match_game(&mut log, &line));
                    Some(numbered(number, game.transpose()?))
                }))
            }
            Self::Host => Box::new(
                lines
                    // The counts at the start of an LTH server's log.
                    .filter(|(_, line)| !line.as_ref().is_ok_and(|line| is_count_line(line)))
                    .map(|(number, line)| numbered(number, line.and_then(|line| host_game(&line)))),
            ),
        }
    }
}

/// Adds the line number to the fault of a game.
fn numbered(number: u64, read: anyhow::Result<ReadGame>) -> ReadGame {
    let mut read = read.unwrap_or_else(|error| ReadGame::new(Err(error)));
    read.error = read
        .error
        .map(|error| error.context(format!("line {number}")));
    read
}

/// Returns the terminated lines; nothing follows an error.
fn lines(mut input: impl BufRead) -> impl Iterator<Item = anyhow::Result<Vec<u8>>> {
    let mut next = move || {
        let mut line = Vec::new();
        input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        ensure!(
            (line.len() as u64) < MAX_LINE,
            "expected a line of less than {MAX_LINE} bytes, found a longer one"
        );
        Ok(line.pop_if(|&mut last| last == b'\n').map(|_| line))
    };
    let mut failed = false;
    iter::from_fn(move || {
        if failed {
            return None;
        }
        let line = next().transpose();
        failed = matches!(line, Some(Err(_)));
        line
    })
}

/// Returns the game of a line of a match's log; `None` if the line has no game.
fn match_game(log: &mut LineReader<Othello>, line: &[u8]) -> anyhow::Result<Option<ReadGame>> {
    match log.parse(line)? {
        Some(Entry::Game(played)) => Ok(Some(of_match(&played)?)),
        _ => Ok(None),
    }
}

/// Returns the record of a game of a match.
pub(crate) fn record_of(played: &PlayedGame) -> anyhow::Result<Record> {
    let mut read = of_match(played)?;
    match read.take_error() {
        Some(error) => Err(error),
        None => read.record.context("expected a game with moves"),
    }
}

fn of_match(played: &PlayedGame) -> anyhow::Result<ReadGame> {
    let (game, error) = replay(played.setup.as_deref(), &played.moves)?;
    let [black, white] = &played.names;
    let [black_limit, white_limit] = &played.limits;
    let faults = played.faults.iter().map(|(side, fault)| {
        let name = &played.names[Color::from(*side) as usize];
        format!("{name} {fault}")
    });
    let mut record = Record {
        notes: notes(&game, played),
        players: ByColor {
            black: player(black, black_limit),
            white: player(white, white_limit),
        },
        date: date(played.finished),
        round: (played.id.opening + 1).to_string(),
        comment: faults.collect::<Vec<_>>().join("; "),
        ..Record::from(game)
    };
    record.result = match played.result {
        GameResult::Played { .. } => record.outcome(),
        GameResult::Forfeit { by } => {
            let last = played.faults.iter().rfind(|(side, _)| *side == by);
            let kind = match last {
                Some((_, Fault::Late { .. })) => OutcomeKind::TimedOut,
                Some((_, Fault::Resigned)) => OutcomeKind::Resigned,
                Some((_, Fault::IllegalMove { .. } | Fault::Format { .. })) => {
                    OutcomeKind::Forfeited
                }
                _ => OutcomeKind::Left,
            };
            Some(won(!Color::from(by), kind))
        }
    };
    Ok(part(record, error))
}

/// Returns a record, or the part of it before an error if that has a move.
fn part(record: Record, error: Option<TranscriptError>) -> ReadGame {
    let is_kept = error.is_none() || !record.game.moves().is_empty();
    ReadGame {
        record: is_kept.then_some(record),
        // The error already names its cause.
        error: error.map(|error| anyhow!("{error}")),
    }
}

/// Returns the notes on the moves: an engine thinks about each outside the opening, except passes.
fn notes(game: &Game, played: &PlayedGame) -> Vec<Note> {
    let mut board = game.start();
    let mut thoughts = played.thoughts.iter();
    let notes = (0..).zip(game.moves()).map(|(ply, &mv)| {
        let is_own = ply >= played.opening_plies && board.forced_move().is_none();
        // The moves of a game are legal.
        let _ = board.play(mv);
        let thought = is_own.then(|| thoughts.next()).flatten();
        thought.map_or_else(Note::default, |thought| {
            let score = thought.score.filter(|score| score.is_finite());
            Note {
                value: score.map(|discs| Value::from_hundredths((discs * 100.0).round() as i32)),
                time: Some(Duration::from_micros(thought.wall_us)),
                comment: String::new(),
            }
        })
    });
    notes.collect()
}

fn player(name: &str, limit: &Limit) -> Player {
    Player {
        name: name.to_owned(),
        clock: limit.game.map(|game| Clock {
            main: game.base,
            increment: game.increment,
            grace: Duration::ZERO,
        }),
        ..Player::default()
    }
}

/// Returns the game of a line of a host's file.
fn host_game(line: &[u8]) -> anyhow::Result<ReadGame> {
    let told: GameRecord =
        serde_json::from_slice(line).context("expected the record of a host's game")?;
    let (game, error) = replay(told.start.as_deref(), &told.moves)?;
    let named = |name: &str| Player {
        name: name.to_owned(),
        ..Player::default()
    };
    let winner = told.winner.color();
    let comment = iter::once(&told.cause).chain(&told.faults);
    let mut record = Record {
        players: ByColor {
            black: named(&told.black),
            white: named(&told.white),
        },
        date: date(told.finished),
        comment: comment.map(String::as_str).collect::<Vec<_>>().join("; "),
        event: told.event,
        ..Record::from(game)
    };
    let by_rules = record.outcome();
    record.result = match winner {
        _ if by_rules.is_some_and(|outcome| outcome.winner == winner) => by_rules,
        Some(winner) => Some(won(winner, kind_of(&told.cause))),
        None => None,
    };
    Ok(part(record, error))
}

/// Returns the kind of a result by its cause, in the words of [`boardgame_session::Cause`].
fn kind_of(cause: &str) -> OutcomeKind {
    if cause.ends_with("resigned") {
        OutcomeKind::Resigned
    } else if cause.ends_with("ran out of time") || cause.contains("ran out of time: ") {
        OutcomeKind::TimedOut
    } else if cause.ends_with("left") {
        OutcomeKind::Left
    } else {
        OutcomeKind::Forfeited
    }
}

const fn won(winner: Color, kind: OutcomeKind) -> Outcome {
    Outcome {
        winner: Some(winner),
        score: None,
        kind,
    }
}

/// Returns the game of moves before the first wrong one, and its error.
fn replay(
    start: Option<&str>,
    moves: &str,
) -> Result<(Game, Option<TranscriptError>), ParseBoardError> {
    let start = start.map_or(Ok(Board::START), str::parse)?;
    Ok(match Game::from_transcript(start, moves) {
        Ok(game) => (game, None),
        Err(error) => {
            let before = Game::from_transcript(start, &moves[..error.offset]);
            (before.unwrap_or_else(|_| Game::new(start)), Some(error))
        }
    })
}

/// Returns the date of a number of seconds since 1970.
fn date(seconds: u64) -> Option<Date> {
    let time = UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    // Times after the year 9999 have no such form.
    let mut text = String::new();
    std::fmt::Write::write_fmt(
        &mut text,
        format_args!("{}", humantime::format_rfc3339_seconds(time)),
    )
    .ok()?;
    Date::read(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: LogKind, text: &str) -> Vec<Result<Record, String>> {
        let told = |mut read: ReadGame| match read.take_error() {
            Some(error) => Err(format!("{error:#}")),
            None => Ok(read.record.unwrap()),
        };
        kind.read(text.as_bytes()).map(told).collect()
    }

    #[test]
    fn a_line_of_a_host_is_a_record() {
        let line = r#"{"finished":1700000000,"event":"lth 9035","black":"ann","white":"bob","moves":"f5d6c3","discs":[5,2],"winner":"black","cause":"White ran out of time"}"#;
        assert_eq!(LogKind::detect(line.as_bytes()), Some(LogKind::Host));
        let illegal = line.replace("d6", "d5");
        let text = format!("{line}\n{{}}\n{illegal}\n{line}");
        let games = read(LogKind::Host, &text);
        let [Ok(record), Err(error), Err(illegal)] = &games[..] else {
            panic!("{games:?}");
        };
        assert_eq!(record.game.moves().len(), 3);
        assert_eq!(record.players.white.name, "bob");
        assert_eq!(record.event, "lth 9035");
        assert_eq!(record.comment, "White ran out of time");
        assert_eq!(
            record.result,
            Some(won(Color::Black, OutcomeKind::TimedOut))
        );
        let ended = record.date.as_ref().unwrap();
        assert_eq!(
            (ended.to_string().as_str(), ended.time.as_str()),
            ("2023-11-14", "22:13:20Z")
        );
        assert!(
            error.starts_with("line 2: expected the record of a host's game"),
            "{error}"
        );
        assert_eq!(
            illegal,
            "line 3: illegal move d5: the square is occupied at offset 2; 1 move kept"
        );
        assert_eq!(date(u64::MAX), None);
    }

    #[test]
    fn the_kind_of_a_result_follows_from_the_cause() {
        use boardgame_session::{Cause, SeatFault};

        let forfeit = |fault| Cause::Forfeit {
            by: Color::White,
            fault,
        };
        let illegal = SeatFault::IllegalMove {
            mv: "a1".into(),
            detail: "illegal move a1: it flips nothing".into(),
        };
        let late = SeatFault::Overtime {
            detail: "2.00 s of 2.00 s; received \"left\" without a newline".into(),
        };
        for (cause, kind) in [
            (Cause::Resigned { by: Color::White }, OutcomeKind::Resigned),
            (forfeit(late), OutcomeKind::TimedOut),
            (forfeit(SeatFault::Left), OutcomeKind::Left),
            (forfeit(illegal), OutcomeKind::Forfeited),
            (forfeit(SeatFault::format("x")), OutcomeKind::Forfeited),
        ] {
            assert_eq!(kind_of(&cause.to_string()), kind, "{cause}");
        }
    }

    #[test]
    fn files_of_others_are_not_ours() {
        for text in ["", "f5d6", "{\"position\":1}", "(;GM[Othello]", "[{"] {
            assert_eq!(LogKind::detect(text.as_bytes()), None);
        }
    }
}
