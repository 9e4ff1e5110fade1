//! Games on record: one line of JSON each, in a file that only grows.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use boardgame_files::{AppendFile, AppendOptions, OpenError, sync_folder};
use boardgame_match::{GameReport, Outcome};
use boardgame_session::Verdict;
use othello_core::{Board, Color, Game};
use serde::{Deserialize, Serialize};

use crate::replay::replay;

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
    /// The game's number; lines of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<Serial>,
}

/// A game's number among those that a store of results counts or, without a store, those of one run of the
/// server.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Serial {
    /// The name of the store or of the run.
    pub store: String,
    /// The number, from 1.
    pub game: u64,
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
        Self {
            winner,
            cause: verdict.cause.to_string(),
            ..Self::open(event, [black, white], game)
        }
    }

    /// The record of a game from its report.
    pub fn reported(event: impl Into<String>, report: &GameReport<Board>) -> Self {
        let seats = report.seats.as_ref().into_array();
        let names = seats.map(|seat| seat.name.as_str());
        let game = replay(report);
        let record = match &report.outcome {
            Outcome::Decided(verdict) => Self::decided(event, names, &game, verdict),
            called_off => Self {
                cause: called_off.to_string(),
                ..Self::open(event, names, &game)
            },
        };
        let faults = Color::ALL.into_iter().flat_map(|color| {
            let faults = report.seats[color].faults.iter();
            faults.map(move |fault| format!("{color} {fault}"))
        });
        Self {
            used: Some(seats.map(|seat| seat.used.as_millis() as u64)),
            faults: faults.collect(),
            ..record
        }
    }

    /// The record as a line of a file of games, without its end.
    pub fn to_line(&self) -> String {
        // Nothing here is foreign to JSON.
        serde_json::to_string(self).unwrap_or_default()
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
            serial: None,
        }
    }
}

/// A file of games could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file's folder can be neither found nor made.
    #[error("expected a folder for games at {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file itself failed.
    #[error("the file of games {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl JournalError {
    fn file(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::File { path, source }
    }
}

/// A file of games, one a line, that only grows.
///
/// Every line is written whole and at once. A line that a crash left half written is ended when
/// the file is opened again, so that it spoils no other.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: AppendFile,
    /// True to let syncing fail, as on a full disk.
    #[cfg(test)]
    pub(crate) sync_fails: bool,
}

impl Journal {
    /// Opens the file, or makes it and its folder.
    ///
    /// # Errors
    ///
    /// When it can be neither opened nor made.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        let path = path.as_ref();
        let options = AppendOptions {
            create_folder: true,
            ..AppendOptions::default()
        };
        let mut file = AppendFile::open(path, options).map_err(|error| match error {
            OpenError::Folder { path, source } => JournalError::Folder { path, source },
            other => JournalError::file(path, other.into()),
        })?;
        file.end_line()
            .and_then(|()| sync_folder(path))
            .map_err(|source| JournalError::file(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            #[cfg(test)]
            sync_fails: false,
        })
    }

    /// Appends a game. After an error its line may be half written: open the file again.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        let written = self.file.append_line(record.to_line());
        written.map_err(|source| self.failed(source))
    }

    /// Waits until all that was appended is on disk.
    ///
    /// # Errors
    ///
    /// When the disk does not take it.
    pub fn sync(&self) -> Result<(), JournalError> {
        #[cfg(test)]
        if self.sync_fails {
            return Err(self.failed(io::ErrorKind::Other.into()));
        }
        self.file.sync().map_err(|source| self.failed(source))
    }

    /// The file's length in bytes.
    pub(crate) fn len(&self) -> Result<u64, JournalError> {
        self.file.size().map_err(|source| self.failed(source))
    }

    /// Cuts the file back to a length, as far as the system lets it: what was appended since is on disk
    /// for certain or not at all.
    pub(crate) fn cut_back(&mut self, len: u64) {
        if let Err(error) = self.file.truncate(len) {
            let path = self.path.display();
            tracing::warn!(%path, %error, "the lines that may not be on disk stay");
        }
    }

    fn failed(&self, source: io::Error) -> JournalError {
        JournalError::file(&self.path, source)
    }
}

/// Reads a file of games, line by line, in the order in which they were written. `None` stands for a
/// line that is no game, such as one that a crash left half written.
///
/// # Errors
///
/// When the file cannot be opened; an item, when it cannot be read on.
pub fn read(
    path: impl AsRef<Path>,
) -> Result<impl Iterator<Item = Result<Option<GameRecord>, JournalError>>, JournalError> {
    let path = path.as_ref().to_owned();
    let file = File::open(&path).map_err(|source| JournalError::file(&path, source))?;
    let lines = BufReader::new(file).split(b'\n');
    Ok(lines.map(move |line| match line {
        Ok(line) => Ok(serde_json::from_slice(&line).ok()),
        Err(source) => Err(JournalError::file(&path, source)),
    }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use boardgame_session::SeatFault;
    use othello_core::Square;

    use super::*;

    fn record() -> GameRecord {
        let mut game = Game::default();
        game.play(Square::F5).unwrap();
        game.play(Square::D6).unwrap();
        let verdict = Verdict::forfeit(Color::Black, SeatFault::Overtime);
        GameRecord {
            finished: 1_764_000_000,
            ..GameRecord::decided("testing", ["a \"b\"", "é"], &game, &verdict)
        }
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
        let games: Vec<_> = read(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(games, [Some(record()), None, Some(record())]);
    }

    #[test]
    fn a_line_of_an_older_version_reads_and_is_of_no_store() {
        let line = concat!(
            r#"{"finished":1764000000,"event":"testing","black":"me","white":"house","moves":"f5d6","#,
            r#""discs":[3,3],"winner":"white","cause":"Black left"}"#
        );
        let game: GameRecord = serde_json::from_str(line).unwrap();
        assert_eq!((game.winner, game.serial), (Winner::White, None));
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games");
        fs::write(&file, "").unwrap();
        let error = Journal::open(file.join("games.jsonl")).unwrap_err();
        let told = format!("expected a folder for games at {}: ", file.display());
        assert!(error.to_string().starts_with(&told), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_that_names_the_file() {
        let mut journal = Journal::open("/dev/full").unwrap();
        let error = journal.append(&record()).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the file of games /dev/full: "),
            "{error}"
        );
    }
}
