//! Games on record: one line of JSON each, in a file that only grows.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use othello_core::{Board, Color, Game};
use othello_proto::session::{Cause, Verdict};
use serde::{Deserialize, Serialize};

use crate::report::{GameReport, Outcome};

/// What is kept of a game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// When it ended, in seconds since 1970.
    pub finished: u64,
    /// What it was part of, such as a port or a match.
    pub event: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The board at the start, if it was not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The [transcript](Game::transcript), such as `f5d6c3`.
    pub moves: String,
    /// Black's and White's discs at the end.
    pub discs: [u32; 2],
    /// Who won.
    pub winner: Winner,
    /// Why the game ended.
    pub cause: String,
    /// The milliseconds that Black's and White's moves took, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<[u64; 2]>,
    /// What the seats did that no seat should.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

/// Who won a game on record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Winner {
    Black,
    White,
    Draw,
    /// Nobody: the game was called off.
    None,
}

impl GameRecord {
    /// The record of a game as it is decided now.
    pub fn decided(
        event: impl Into<String>,
        [black, white]: [&str; 2],
        game: &Game,
        verdict: &Verdict,
    ) -> Self {
        let winner = match verdict.winner {
            Some(Color::Black) => Winner::Black,
            Some(Color::White) => Winner::White,
            None => Winner::Draw,
        };
        let discs = Color::ALL.map(|color| verdict.board.discs(color).count());
        Self {
            winner,
            discs,
            cause: describe(&verdict.cause),
            ..Self::open(event, [black, white], game)
        }
    }

    /// The record of a game from its report.
    pub fn reported(event: impl Into<String>, report: &GameReport) -> Self {
        let seats = Color::ALL.map(|color| report.seat(color));
        let names = seats.map(|seat| seat.name.as_str());
        let record = match &report.outcome {
            Outcome::Decided(verdict) => Self::decided(event, names, &report.game, verdict),
            called_off => Self {
                cause: called_off.to_string(),
                ..Self::open(event, names, &report.game)
            },
        };
        let faults = Color::ALL.into_iter().flat_map(|color| {
            let faults = report.seat(color).faults.iter();
            faults.map(move |fault| format!("{color} {fault}"))
        });
        Self {
            used: Some(seats.map(|seat| seat.used.as_millis() as u64)),
            faults: faults.collect(),
            ..record
        }
    }

    /// The record of a game without a result.
    fn open(event: impl Into<String>, [black, white]: [&str; 2], game: &Game) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let start = game.start();
        Self {
            finished: now.map_or(0, |now| now.as_secs()),
            event: event.into(),
            black: black.into(),
            white: white.into(),
            start: (start != Board::START).then(|| start.to_string()),
            moves: game.transcript().to_string(),
            discs: Color::ALL.map(|color| game.board().discs(color).count()),
            winner: Winner::None,
            cause: String::new(),
            used: None,
            faults: Vec::new(),
        }
    }
}

/// Why a game ended, in words.
pub fn describe(cause: &Cause) -> String {
    match cause {
        Cause::Played => "played to the end".into(),
        Cause::IllegalMove { by, detail } => format!("illegal move by {by}: {detail}"),
        Cause::Overtime { by } => format!("{by} ran out of time"),
        Cause::Format { by, detail } => format!("{by} broke the format: {detail}"),
        Cause::Left { by } => format!("{by} left"),
        other => format!("{other:?}"),
    }
}

/// A file of games could not be opened or written.
#[derive(Debug, thiserror::Error)]
#[error("the file of games {}: {source}", path.display())]
pub struct JournalError {
    path: PathBuf,
    source: io::Error,
}

/// A file of games, one a line, that only grows.
///
/// Every line is written whole and at once. A line that a crash left half written is ended when
/// the file is opened again, so that it spoils no other.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the file, or makes it and its folder.
    ///
    /// # Errors
    ///
    /// When it can be neither opened nor made.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        let path = path.as_ref().to_owned();
        let opened = open_at_line(&path);
        match opened {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(JournalError { path, source }),
        }
    }

    /// Appends a game.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        let written = serde_json::to_vec(record)
            .map_err(io::Error::from)
            .and_then(|mut line| {
                line.push(b'\n');
                self.file.write_all(&line)
            });
        written.map_err(|source| JournalError {
            path: self.path.clone(),
            source,
        })
    }
}

fn open_at_line(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last != *b"\n" {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::Square;

    fn record() -> GameRecord {
        let mut game = Game::default();
        game.play(Square::F5).unwrap();
        game.play(Square::D6).unwrap();
        let verdict = Verdict {
            winner: Some(Color::White),
            cause: Cause::Overtime { by: Color::Black },
            board: game.board(),
        };
        GameRecord::decided("testing", ["a \"b\"", "é"], &game, &verdict)
    }

    #[test]
    fn a_record_reads_back_from_its_line() {
        let line = serde_json::to_string(&record()).unwrap();
        assert!(
            line.contains(r#""moves":"f5d6","discs":[3,3],"winner":"white""#),
            "{line}"
        );
        assert!(line.contains("Black ran out of time"), "{line}");
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record());
    }

    #[test]
    fn a_torn_line_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/games.jsonl");
        Journal::open(&path).unwrap().append(&record()).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], &whole[..20]].concat()).unwrap();
        Journal::open(&path).unwrap().append(&record()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let read: Vec<_> = text
            .lines()
            .map(|line| serde_json::from_str::<GameRecord>(line).is_ok())
            .collect();
        assert_eq!(read, [true, false, true]);
    }
}
