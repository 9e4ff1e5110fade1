//! Records of games: one line of JSON each, in a file that only grows.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use boardgame_core::ByColor;
use boardgame_files::{AppendFile, AppendOptions, OpenError, sync_folder};
use boardgame_match::{GameReport, Outcome};
use boardgame_session::Verdict;
use othello_core::{Board, Color, Game};
use serde::{Deserialize, Serialize};

use crate::replay::replay;

/// The record of a game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The time at which the game ended, in seconds since 1970.
    pub finished: u64,
    /// The event that the game was part of, such as a port or a match.
    pub event: String,
    /// The name of Black.
    pub black: String,
    /// The name of White.
    pub white: String,
    /// The board at the start, unless it was the standard one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The [transcript](Game::transcript), such as `f5d6c3`.
    pub moves: String,
    /// Black's and White's discs at the end.
    pub discs: [u32; 2],
    /// The winner.
    pub winner: Winner,
    /// The reason why the game ended.
    pub cause: String,
    /// The milliseconds that Black's and White's moves took, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<[u64; 2]>,
    /// The faults of the seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The game's number; lines of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<Serial>,
}

/// The number of a game among those that a store of results counts or, without a store, those of one run of
/// the server.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Serial {
    /// The name of the store or of the run.
    pub store: String,
    /// The number, from 1.
    pub game: u64,
}

/// The winner of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Winner {
    Black,
    White,
    Draw,
    /// No winner: the game was called off.
    None,
}

impl GameRecord {
    /// Returns the record of a game that is decided now.
    pub fn from_verdict(
        event: impl Into<String>,
        names: ByColor<&str>,
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
            ..Self::undecided(event, names, game)
        }
    }

    /// Returns the record of a game from its report.
    pub fn from_report(event: impl Into<String>, report: &GameReport<Board>) -> Self {
        let names = report.seats.as_ref().map(|seat| seat.name.as_str());
        let game = replay(report);
        let record = match &report.outcome {
            Outcome::Decided(verdict) => Self::from_verdict(event, names, &game, verdict),
            called_off => Self {
                cause: called_off.to_string(),
                ..Self::undecided(event, names, &game)
            },
        };
        let faults = Color::ALL.into_iter().flat_map(|color| {
            let faults = report.seats[color].faults.iter();
            faults.map(move |fault| format!("{color} {fault}"))
        });
        Self {
            used: Some(Color::ALL.map(|color| report.seats[color].used.as_millis() as u64)),
            faults: faults.collect(),
            ..record
        }
    }

    /// Returns the record as a line of a file of games, without its newline.
    pub fn to_line(&self) -> String {
        // Every field can be written as JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the record of a game without a result.
    fn undecided(event: impl Into<String>, names: ByColor<&str>, game: &Game) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let start = game.start();
        Self {
            finished: now.map_or(0, |now| now.as_secs()),
            event: event.into(),
            black: names.black.into(),
            white: names.white.into(),
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

/// The error of opening, reading or writing a file of games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The folder of the file can be neither found nor created.
    #[error("expected a folder for games at {}: {reason}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file cannot be opened, read or written.
    #[error("the file of games {}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
}

impl JournalError {
    fn file(path: &Path, reason: io::Error) -> Self {
        let path = path.to_owned();
        Self::File { path, reason }
    }
}

/// A file of games, one a line, that only grows.
///
/// A line that a crash left incomplete is ended when the file is opened again, so that the next line can be
/// read.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: AppendFile,
    /// True to let syncing fail, as on a full disk.
    #[cfg(test)]
    sync_fails: bool,
}

impl Journal {
    /// Opens the file, or creates it and its folder.
    ///
    /// # Errors
    ///
    /// When it can be neither opened nor created.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        let path = path.as_ref();
        let options = AppendOptions {
            create_folder: true,
            ..AppendOptions::default()
        };
        let mut file = AppendFile::open(path, options).map_err(|error| match error {
            OpenError::Folder {
                path,
                source: reason,
            } => JournalError::Folder { path, reason },
            other => JournalError::file(path, other.into()),
        })?;
        file.end_line()
            .and_then(|()| sync_folder(path))
            .map_err(|reason| JournalError::file(path, reason))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            #[cfg(test)]
            sync_fails: false,
        })
    }

    /// Appends a game. After an error its line may be incomplete: open the file again.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        let written = self.file.append_line(record.to_line());
        written.map_err(|reason| self.failed(reason))
    }

    /// Appends games, waits until they are on disk, and removes those that are on disk from `games`.
    ///
    /// After an error open the file again. The games that may not be on disk are left in `games`; if that is
    /// all of them, they are removed from the file too.
    ///
    /// # Errors
    ///
    /// When a game cannot be written, or the disk does not take what was written.
    pub fn write(&mut self, games: &mut VecDeque<GameRecord>) -> Result<(), JournalError> {
        let start = self.size()?;
        let mut error = None;
        let mut written = 0;
        for record in &*games {
            if let Err(failed) = self.append(record) {
                error = Some(failed);
                break;
            }
            written += 1;
        }
        if let Err(error) = self.sync() {
            self.truncate(start);
            return Err(error);
        }
        games.drain(..written);
        error.map_or(Ok(()), Err)
    }

    /// Waits until all appended games are on disk.
    fn sync(&self) -> Result<(), JournalError> {
        #[cfg(test)]
        if self.sync_fails {
            return Err(self.failed(io::ErrorKind::Other.into()));
        }
        self.file.sync().map_err(|reason| self.failed(reason))
    }

    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    ///
    /// When the system does not report it.
    pub fn size(&self) -> Result<u64, JournalError> {
        self.file.size().map_err(|reason| self.failed(reason))
    }

    /// Truncates the file to a length, if the system lets it.
    fn truncate(&mut self, len: u64) {
        if let Err(error) = self.file.truncate(len) {
            let path = self.path.display();
            tracing::warn!(%path, %error, "the lines that may not be on disk stay");
        }
    }

    fn failed(&self, reason: io::Error) -> JournalError {
        JournalError::file(&self.path, reason)
    }
}

/// Reads a file of games, line by line, in the order in which they were written. `None` is a line that is no
/// game, such as one that a crash left incomplete.
///
/// # Errors
///
/// When the file cannot be opened; an item is an error when reading fails.
pub fn read(
    path: impl AsRef<Path>,
) -> Result<impl Iterator<Item = Result<Option<GameRecord>, JournalError>>, JournalError> {
    let path = path.as_ref().to_owned();
    let file = File::open(&path).map_err(|reason| JournalError::file(&path, reason))?;
    let lines = BufReader::new(file).split(b'\n');
    Ok(lines.map(move |line| match line {
        Ok(line) => Ok(serde_json::from_slice(&line).ok()),
        Err(reason) => Err(JournalError::file(&path, reason)),
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
            ..GameRecord::from_verdict("testing", ByColor::from(["a \"b\"", "é"]), &game, &verdict)
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
    fn an_incomplete_line_leaves_the_others_readable() {
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
    fn games_that_may_not_be_on_disk_are_removed_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut journal = Journal::open(&path).unwrap();
        journal.write(&mut VecDeque::from([record()])).unwrap();
        let before = fs::read(&path).unwrap();
        let mut games = VecDeque::new();
        for count in 1..=3 {
            games.push_back(record());
            let mut failing = Journal::open(&path).unwrap();
            failing.sync_fails = true;
            let error = failing.write(&mut games).unwrap_err();
            assert!(matches!(error, JournalError::File { .. }), "{error}");
            assert_eq!(games.len(), count);
            assert_eq!(fs::read(&path).unwrap(), before);
        }
        let mut journal = Journal::open(&path).unwrap();
        journal.write(&mut games).unwrap();
        assert!(games.is_empty());
        assert_eq!(read(&path).unwrap().count(), 4);
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
