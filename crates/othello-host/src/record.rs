//! Records of games: one line of JSON each, in an append-only file.

use std::{
    io::{self, BufRead as _, Read as _},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use boardgame_core::{ByColor, Margin};
use boardgame_files::{AppendFile, AppendOptions, OpenError, sync_folder};
use boardgame_match::{ForfeitScore, GameReport, LastOutput, Outcome};
use boardgame_session::{Cause, Verdict};
use othello_core::{Board, Color, Game};
use serde::{Deserialize, Serialize};

use crate::{
    likely_cause::{self, AnswerForm},
    replay::replay,
};

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
    /// The milliseconds of Black's and White's moves, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<[u64; 2]>,
    /// The faults of the seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
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

impl Winner {
    /// Returns the winner of a game that was decided.
    pub const fn of_decided(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::Black) => Self::Black,
            Some(Color::White) => Self::White,
            None => Self::Draw,
        }
    }

    /// Returns the side that won, if one did.
    pub const fn color(self) -> Option<Color> {
        match self {
            Self::Black => Some(Color::Black),
            Self::White => Some(Color::White),
            Self::Draw | Self::None => None,
        }
    }
}

impl GameRecord {
    /// Returns the record of a game that was just decided, given the form of answers and the last output of the side
    /// that lost by a fault, if one did.
    pub fn from_verdict(
        event: impl Into<String>,
        names: ByColor<&str>,
        game: &Game,
        verdict: &Verdict,
        (answers, output): (AnswerForm, &LastOutput),
    ) -> Self {
        Self {
            winner: Winner::of_decided(verdict.winner),
            cause: likely_cause::in_words(&verdict.cause, game, answers, output),
            ..Self::undecided(event, names, game)
        }
    }

    /// Returns the record of a game from its report, given the form of answers.
    pub fn from_report(
        event: impl Into<String>,
        report: &GameReport<Board>,
        answers: AnswerForm,
    ) -> Self {
        let names = report.seats.as_ref().map(|seat| seat.name.as_str());
        let game = replay(report);
        let record = match &report.outcome {
            Outcome::Decided(verdict) => {
                let output = report.loser_output();
                Self::from_verdict(event, names, &game, verdict, (answers, &output))
            }
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

    /// Returns the margin that counts for Black: of the discs, or of a game lost by a fault.
    pub fn margin(&self, forfeit: ForfeitScore) -> Margin {
        let [black, white] = self.discs.map(|discs| discs as i32);
        let on_board = Margin::from_points(black - white);
        match self.winner.color() {
            Some(winner) if self.cause != Cause::Played.to_string() => {
                let margin = forfeit.margin(!winner, || Some(on_board));
                margin.unwrap_or(on_board)
            }
            _ => on_board,
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
        }
    }
}

/// The error of opening, reading or writing a file of games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum JournalError {
    /// The folder of the file can be neither found nor created.
    #[error("expected a folder for games at {}: {reason}", path.display())]
    Folder { path: PathBuf, reason: io::Error },
    /// The file cannot be opened, read or written.
    #[error("the file of games {}: {reason}", path.display())]
    File { path: PathBuf, reason: io::Error },
    /// Another process has locked the file.
    #[error("the file of games {}: another server has it open", path.display())]
    Locked { path: PathBuf },
    /// The file is of another kind.
    #[error("{}: expected a log of games, found another kind of file", path.display())]
    OtherFile { path: PathBuf },
}

impl JournalError {
    pub(crate) fn file(path: &Path, reason: io::Error) -> Self {
        let path = path.to_owned();
        Self::File { path, reason }
    }

    fn open(path: &Path, error: OpenError) -> Self {
        match error {
            OpenError::Folder {
                path,
                source: reason,
            } => Self::Folder { path, reason },
            OpenError::Locked => Self::Locked { path: path.into() },
            other => Self::file(path, other.into()),
        }
    }
}

/// An append-only file of games, one a line.
///
/// A line that a crash left incomplete is ended when the file is opened again, so that the next line can be
/// read.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: AppendFile,
}

impl Journal {
    /// Opens the file, or creates it and its folder.
    ///
    /// # Errors
    ///
    /// When it can be neither opened nor created.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        Self::open_with(path.as_ref(), AppendOptions::default(), &[])
    }

    /// Opens and locks a regular file. Unless empty, it must start with one of `beginnings`.
    pub(crate) fn open_locked(path: &Path, beginnings: &[&str]) -> Result<Self, JournalError> {
        let options = AppendOptions {
            lock: true,
            regular: true,
            ..AppendOptions::default()
        };
        Self::open_with(path, options, beginnings)
    }

    fn open_with(
        path: &Path,
        options: AppendOptions,
        beginnings: &[&str],
    ) -> Result<Self, JournalError> {
        let options = AppendOptions {
            create_folder: true,
            ..options
        };
        let file =
            AppendFile::open(path, options).map_err(|error| JournalError::open(path, error))?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
        };
        if !beginnings.is_empty() && !journal.begins_with(beginnings)? {
            return Err(JournalError::OtherFile { path: path.into() });
        }
        let ended = journal.file.end_line().and_then(|()| sync_folder(path));
        ended.map_err(|reason| journal.failed(reason))?;
        Ok(journal)
    }

    /// Returns `true` if the file starts with one of `beginnings`, or is a prefix of one.
    fn begins_with(&mut self, beginnings: &[&str]) -> Result<bool, JournalError> {
        let longest = beginnings.iter().map(|text| text.len()).max();
        let mut found = Vec::new();
        let read = self.file.reader().and_then(|reader| {
            reader
                .take(longest.unwrap_or_default() as u64)
                .read_to_end(&mut found)
        });
        read.map_err(|reason| self.failed(reason))?;
        let fits =
            |text: &&str| found.starts_with(text.as_bytes()) || text.as_bytes().starts_with(&found);
        Ok(beginnings.iter().any(fits))
    }

    /// Returns the lines of the file.
    pub(crate) fn lines(
        &mut self,
    ) -> Result<impl Iterator<Item = Result<Vec<u8>, JournalError>>, JournalError> {
        let path = &self.path;
        let failed = |reason| JournalError::file(path, reason);
        let reader = self.file.reader().map_err(failed)?;
        Ok(reader.split(b'\n').map(move |line| line.map_err(failed)))
    }

    /// Appends a game. After an error its line may be incomplete.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), JournalError> {
        let written = self.file.append_line(record.to_line());
        written.map_err(|reason| self.failed(reason))
    }

    /// Appends lines and waits until they are on disk. After an error some of them may be on disk.
    pub(crate) fn write(&mut self, lines: &[String]) -> Result<(), JournalError> {
        for line in lines {
            let written = self.file.append_line(line);
            written.map_err(|reason| self.failed(reason))?;
        }
        self.file.sync().map_err(|reason| self.failed(reason))
    }

    /// Returns the size of the file in bytes.
    pub(crate) fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn failed(&self, reason: io::Error) -> JournalError {
        JournalError::file(&self.path, reason)
    }
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
        let detail = "2.31 s of 2.00 s".into();
        let verdict = Verdict::forfeit(Color::Black, SeatFault::Overtime { detail });
        GameRecord {
            finished: 1_764_000_000,
            ..GameRecord::from_verdict(
                "testing",
                ByColor::from(["a \"b\"", "é"]),
                &game,
                &verdict,
                (AnswerForm::Lth, &LastOutput::default()),
            )
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
        let mut journal = Journal::open(&path).unwrap();
        let lines = journal.lines().unwrap();
        let games = lines.map(|line| serde_json::from_slice(&line.unwrap()).ok());
        assert!(games.eq([Some(record()), None, Some(record())]));
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
