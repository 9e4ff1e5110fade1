//! Games of Othello Quest in the JSON of its servers, one object per game.
//!
//! Players are in `players`, Black first, with their ratings before the game (`oldR`). Moves are in `position.moves`,
//! each with its square `m` (`-` for a pass) and its time `t` in milliseconds. An entry with a state `s` instead of a
//! square, such as `LOSE:RESIGN`, ends the game, from the side to move. `tcb` is the time of a side in milliseconds.

use std::{
    fmt,
    io::{self, BufRead, Write},
    marker::PhantomData,
    time::Duration,
};

use othello_core::{ByColor, Move};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, SeqAccess, Visitor},
};
use serde_json::Number;

use crate::{
    Clock, Date, Note, Outcome, OutcomeKind, Player, Record, RecordError,
    brackets::Json,
    error::{Fault, RecordErrorKind, filled},
    input::{Bracketed, games},
    transcript::first_move,
};

/// Reads games: objects in a list or in sequence, each alone or as the only argument of a message.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(Bracketed::<_, Json>::new(input), parse)
}

/// A message of the server with a game.
#[derive(Deserialize)]
struct Message {
    args: [GameJson; 1],
}

#[derive(Deserialize, Serialize)]
struct GameJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gtype: Option<String>,
    #[serde(default, deserialize_with = "bounded")]
    players: Vec<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    position: Position,
    #[serde(skip_serializing_if = "Option::is_none")]
    tcb: Option<u64>,
}

#[derive(Default, Deserialize, Serialize)]
struct Named {
    #[serde(default)]
    name: String,
    #[serde(default, rename = "oldR", skip_serializing_if = "Option::is_none")]
    rating: Option<Number>,
}

#[derive(Deserialize, Serialize)]
struct Position {
    #[serde(default = "eight")]
    size: u64,
    #[serde(deserialize_with = "bounded")]
    moves: Vec<Entry>,
}

/// The maximum length of a list.
const MAX_ENTRIES: usize = 1000;

/// Deserializes a list of at most [`MAX_ENTRIES`].
fn bounded<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Vec<T>, D::Error> {
    struct Entries<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MAX_ENTRIES} entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = list.next_element()? {
                if entries.len() == MAX_ENTRIES {
                    return Err(A::Error::invalid_length(MAX_ENTRIES + 1, &self));
                }
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    input.deserialize_seq(Entries(PhantomData))
}

const fn eight() -> u64 {
    8
}

#[derive(Default, Deserialize, Serialize)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<u64>,
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    let game = serde_json::from_slice(text).or_else(|error| {
        let message = serde_json::from_slice(text);
        message
            .map(|Message { args: [game] }| game)
            .map_err(|_| error)
    });
    let fault = |error: serde_json::Error| {
        let offset = offset(text, error.line(), error.column());
        Fault::new(offset, RecordErrorKind::Json(error))
    };
    record(game.map_err(fault)?, text)
}

/// Converts a line and a column, both counted from 1, to an offset.
fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let before = text
        .split_inclusive(|&byte| byte == b'\n')
        .take(line.saturating_sub(1));
    let offset = before.map(<[u8]>::len).sum::<usize>() + column.saturating_sub(1);
    offset.min(text.len())
}

fn record(game: GameJson, text: &[u8]) -> Result<Record, Fault> {
    if game.position.size != 8 {
        let size = game.position.size;
        return Err(Fault::new(
            place(text, b"\"size\""),
            RecordErrorKind::BoardSize { size },
        ));
    }
    if game
        .gtype
        .as_ref()
        .is_some_and(|kind| !kind.contains("reversi"))
    {
        let found = game
            .gtype
            .unwrap_or_default()
            .replace(char::is_control, " ");
        return Err(Fault::new(
            place(text, b"\"gtype\""),
            RecordErrorKind::OtherGame { found },
        ));
    }
    filled(|record| fill(record, game, text))
}

fn fill(record: &mut Record, game: GameJson, text: &[u8]) -> Result<(), Fault> {
    let clock = game
        .tcb
        .map(|millis| Clock::new(Duration::from_millis(millis)));
    let mut players = game.players.into_iter().map(|player| Player {
        name: player.name,
        rating: player
            .rating
            .map(|rating| rating.to_string())
            .unwrap_or_default(),
        clock,
    });
    let unknown = || Player {
        clock,
        ..Player::default()
    };
    record.players = ByColor::new_with(|_| players.next().unwrap_or_else(unknown));
    if let Some(created) = game.created {
        record.date = Date::read(&created);
        if record.date.is_none() {
            record.tag("created", &created);
        }
    }
    if let Some(id) = game.id {
        record.tag("id", &id);
    }
    if let Some(kind) = game.gtype.filter(|kind| kind != "reversi") {
        record.tag("gtype", &kind);
    }
    // Entries are in order, so each is searched after the one before.
    let mut after = place(text, b"\"moves\"");
    for (number, entry) in (1..).zip(game.position.moves) {
        after = text[after..]
            .iter()
            .position(|&byte| byte == b'{')
            .map_or(after, |at| after + at + 1);
        take(record, entry, number).map_err(|kind| Fault::new(after, kind))?;
    }
    Ok(())
}

/// The offset of a key in a text, or 0 if it is not there.
fn place(text: &[u8], key: &[u8]) -> usize {
    text.windows(key.len())
        .position(|window| window == key)
        .unwrap_or(0)
}

/// Processes a move, or the state that ends the game.
fn take(record: &mut Record, entry: Entry, number: usize) -> Result<(), RecordErrorKind> {
    if let Some(state) = entry.s {
        record.result = result(record, &state);
        return Ok(());
    }
    let text = entry.m.ok_or(RecordErrorKind::Expected(
        "a square m or a state s of a move",
    ))?;
    let mv = match text.as_str() {
        "-" => Some(Move::Pass),
        text => first_move(text.as_bytes())
            .filter(|(_, length)| *length == text.len())
            .map(|(mv, _)| mv),
    };
    let mv = mv.ok_or(RecordErrorKind::Expected("a square a1-h8, or - for a pass"))?;
    let note = Note {
        time: entry.t.map(Duration::from_millis),
        ..Note::default()
    };
    record
        .play(mv, note)
        .map_err(|error| RecordErrorKind::Illegal { number, error })
}

/// Converts a state to a result; the state is from the side to move.
fn result(record: &Record, state: &str) -> Option<Outcome> {
    let (word, cause) = state.split_once(':')?;
    let kind = match cause {
        "RESIGN" => OutcomeKind::Resigned,
        "TIMEUP" | "TIMEOUT" => OutcomeKind::TimedOut,
        "DISCONNECT" => OutcomeKind::Left,
        _ => return None,
    };
    let mover = record.game.side_to_move();
    let winner = match word {
        "LOSE" => !mover,
        "WIN" => mover,
        _ => return None,
    };
    Some(Outcome {
        winner: Some(winner),
        score: None,
        kind,
    })
}

/// Converts a result to a state, or returns `None` if no state expresses it.
fn state(record: &Record) -> Option<String> {
    let result = record.result?;
    let wins = result.winner? == record.game.side_to_move();
    let word = if wins { "WIN" } else { "LOSE" };
    let cause = match result.kind {
        OutcomeKind::Resigned => "RESIGN",
        OutcomeKind::TimedOut => "TIMEUP",
        OutcomeKind::Left => "DISCONNECT",
        OutcomeKind::Played | OutcomeKind::Agreed | OutcomeKind::Forfeited => return None,
    };
    Some(format!("{word}:{cause}"))
}

/// Writes a game in one line.
pub(crate) fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut output, &to_json(record))?;
    writeln!(output)
}

fn to_json(record: &Record) -> GameJson {
    let tag = |name| {
        let mut tags = record.tags.iter();
        tags.find(|(tag, _)| tag == name)
            .map(|(_, value)| value.clone())
    };
    let entry = |(index, mv): (usize, &Move)| Entry {
        m: Some(match mv {
            Move::Place(square) => square.to_string(),
            Move::Pass => "-".into(),
        }),
        t: record.note(index).time.map(millis),
        s: None,
    };
    let mut moves: Vec<Entry> = record.game.moves().iter().enumerate().map(entry).collect();
    moves.extend(state(record).map(|state| Entry {
        s: Some(state),
        ..Entry::default()
    }));
    let named = |player: Player| Named {
        name: player.name,
        rating: player.rating.parse().ok(),
    };
    GameJson {
        id: tag("id"),
        gtype: tag("gtype")
            .filter(|kind| kind.contains("reversi"))
            .or(Some("reversi".into())),
        players: record.players.clone().map(named).into_array().into(),
        created: record.date.as_ref().map(created).or_else(|| tag("created")),
        position: Position { size: 8, moves },
        tcb: clock(record).map(|clock| millis(clock.main)),
    }
}

/// The clock of both sides, if they have the same single time for the whole game.
fn clock(record: &Record) -> Option<Clock> {
    let clock = record.players.black.clock?;
    let alike = record.players.white.clock == Some(clock);
    (alike && clock == Clock::new(clock.main)).then_some(clock)
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn created(date: &Date) -> String {
    match date.time.as_str() {
        "" => date.to_string(),
        time => format!("{date}T{time}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = r#"{"id":"ab1","gtype":"reversi","players":[{"name":"Ann","oldR":1490.485},{"name":"Bob","oldR":1464.5}],"created":"2025-03-18T18:17:13.535Z","position":{"size":8,"moves":[{"m":"f5","t":383},{"m":"d6","t":1492},{"s":"LOSE:RESIGN","t":4274}]},"tcb":600000}"#;

    #[test]
    fn a_resigned_game_has_its_winner() {
        let record = read(GAME.as_bytes()).next().unwrap().unwrap();
        assert_eq!(record.game.transcript().to_string(), "f5d6");
        assert_eq!(record.players.black.rating, "1490.485");
        assert_eq!(record.notes[1].time, Some(Duration::from_millis(1492)));
        let result = record.result.unwrap();
        assert_eq!(result.winner, Some(othello_core::Color::White));
        assert_eq!(result.kind, OutcomeKind::Resigned);
        let mut written = Vec::new();
        write(&record, &mut written).unwrap();
        let expected = GAME.replace(r#","t":4274"#, "") + "\n";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }

    #[test]
    fn tags_of_a_game_are_written_back() {
        let text = GAME.replace("\"reversi\"", "\"reversi5\"");
        let text = text.replace("2025-03-18T18:17:13.535Z", "some day");
        let record = read(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(record.tags.len(), 3);
        let format = crate::Format::Quest;
        assert_eq!(crate::losses(&record, format), []);
        let mut written = Vec::new();
        write(&record, &mut written).unwrap();
        assert_eq!(read(&*written).next().unwrap().unwrap(), record);
    }

    #[test]
    fn games_may_be_in_lists_and_messages() {
        let message = format!(r#"{{"name":"ba276087","args":[{GAME}]}}"#);
        let text = format!("[{GAME},\n {GAME}]\n{message}");
        let games = read(text.as_bytes()).map(|record| record.unwrap().game.moves().len());
        assert_eq!(games.collect::<Vec<_>>(), [2, 2, 2]);
    }
}
