//! Logs of matches and files of game records, also while they grow.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use boardgame_core::ByColor;
use boardgame_files::{LineFollower, MIB};
use boardgame_match::{
    log::{Entry, EntryError, Header, LineReader},
    record::PlayedGame,
    schedule::Schedule,
    tally::Tally,
};
use othello_core::{Board, Game};
use othello_host::record::GameRecord;
use othello_match::record::Othello;

use crate::{GameEnd, Kind, MatchRun, MoveDetails, RunWriter, Runs, game::LiveGame, lth::Table};

/// The maximum number of bytes that are read at a time.
const MAX_PIECE: u64 = 16 * MIB;

/// The time between two looks at a file.
const INTERVAL: Duration = Duration::from_millis(500);

/// The error of a file that is no log, or not as it was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// The file cannot be read.
    #[error("cannot read the log {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file begins neither as the log of a match nor as a file of game records.
    #[error(
        "{}, line 1: expected the header of a match's log or a game record of a host, as JSON",
        path.display()
    )]
    NoLog {
        /// The file.
        path: PathBuf,
    },
    /// A line of the log of a match is not as it was written.
    #[error("the log {}, line {line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The error in it.
        error: EntryError,
    },
    /// The log is of a match that is not known here.
    #[error("the log {}: expected a form such as pairs, found {found:?}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The form that the header names.
        found: String,
    },
}

/// The run of a log: of a match, or a file of game records as hosts and the LTH server write it.
///
/// The file is only read, and may grow meanwhile.
#[derive(Debug)]
pub struct LogRun {
    runs: Runs,
    follower: LineFollower,
    /// The number of lines that were read.
    lines: usize,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// No line was read yet.
    Unknown,
    Match(Box<MatchLog>),
    Records(RecordLog),
}

impl LogRun {
    /// Opens a log and reads what it has.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is no log, or has a line that is not as it was written.
    pub fn open(runs: &Runs, path: &Path) -> Result<Self, FollowError> {
        let mut log = Self {
            runs: runs.clone(),
            follower: LineFollower::new(path),
            lines: 0,
            content: Content::Unknown,
        };
        log.read()?;
        Ok(log)
    }

    /// Reads what was added to the file.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn read(&mut self) -> Result<(), FollowError> {
        let mut has_new = false;
        while self.read_piece()? {
            has_new = true;
        }
        if has_new {
            match &mut self.content {
                Content::Unknown => {}
                Content::Match(log) => log.set_standings(),
                Content::Records(log) => log.run.set_standings(log.table.standings()),
            }
        }
        Ok(())
    }

    /// Reads what is added to the file, again and again.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open). The run has ended then.
    pub async fn follow(mut self) -> Result<std::convert::Infallible, FollowError> {
        loop {
            tokio::time::sleep(INTERVAL).await;
            self.read()?;
        }
    }

    /// Reads the next lines; returns false if there are none for now.
    fn read_piece(&mut self) -> Result<bool, FollowError> {
        let lines = match self.follower.read(MAX_PIECE) {
            Ok(lines) if lines.is_empty() => return Ok(false),
            Ok(lines) => lines,
            Err(source) => {
                let path = self.follower.path().to_owned();
                return Err(FollowError::Io { path, source });
            }
        };
        for line in lines {
            self.lines += 1;
            self.take(&line)?;
        }
        Ok(true)
    }

    fn take(&mut self, line: &[u8]) -> Result<(), FollowError> {
        if matches!(self.content, Content::Unknown) {
            self.content = self.recognize(line)?;
        }
        let number = self.lines;
        match &mut self.content {
            Content::Unknown => Ok(()),
            Content::Match(log) => log.take(line).map_err(|error| FollowError::Line {
                path: self.follower.path().to_owned(),
                line: number,
                error,
            }),
            Content::Records(log) => {
                log.take(line);
                Ok(())
            }
        }
    }

    /// Returns what a file has that begins with a line.
    fn recognize(&self, line: &[u8]) -> Result<Content, FollowError> {
        let path = || self.follower.path().to_owned();
        if serde_json::from_slice::<GameRecord>(line).is_ok() {
            let run = self.runs.add(Kind::Host, self.name(), None);
            return Ok(Content::Records(RecordLog::new(run)));
        }
        let header = match LineReader::<Othello>::default().parse(line) {
            Ok(Some(Entry::Match(header))) => header,
            Err(error @ (EntryError::Version { .. } | EntryError::Checksum { .. })) => {
                let (path, line) = (path(), self.lines);
                return Err(FollowError::Line { path, line, error });
            }
            _ => return Err(FollowError::NoLog { path: path() }),
        };
        let family = header.schedule.clone();
        let log = MatchLog::new(&self.runs, self.name(), header);
        log.map_or(
            Err(FollowError::Form {
                path: path(),
                found: family,
            }),
            |log| Ok(Content::Match(Box::new(log))),
        )
    }

    fn name(&self) -> String {
        let name = self.follower.path().file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// The log of a match as far as it was read.
#[derive(Debug)]
struct MatchLog {
    reader: LineReader<Othello>,
    header: Header,
    tally: Tally,
    /// The number of openings so far.
    openings: u32,
    run: MatchRun,
}

impl MatchLog {
    /// Returns the log with a header, or `None` if its form is not known.
    fn new(runs: &Runs, name: String, header: Header) -> Option<Self> {
        let names: Vec<String> = header
            .engines
            .iter()
            .map(|engine| engine.name.clone())
            .collect();
        let schedule = Schedule::covering(&header.schedule, names.len(), 1)?;
        let tally = Tally::new(names.len());
        let run = runs.add(Kind::Match, name, None);
        Some(Self {
            reader: LineReader::default(),
            tally,
            openings: 1,
            run: MatchRun::with_writer(run, names, schedule, None),
            header,
        })
    }

    fn take(&mut self, line: &[u8]) -> Result<(), EntryError> {
        if let Some(Entry::Game(played)) = self.reader.parse(line)? {
            self.add(&played);
        }
        Ok(())
    }

    fn add(&mut self, played: &PlayedGame) {
        self.openings = self.openings.max(played.id.opening + 1);
        self.tally.add::<Othello>(played);
        self.run.add(played);
    }

    fn set_standings(&mut self) {
        let (family, engines) = (&self.header.schedule, self.header.engines.len());
        if let Some(schedule) = Schedule::covering(family, engines, self.openings) {
            self.run.set_schedule(schedule);
        }
        self.run.set_standings(&self.tally);
    }
}

/// A file of game records as far as it was read.
#[derive(Debug)]
struct RecordLog {
    run: RunWriter,
    games: u64,
    table: Table,
}

impl RecordLog {
    fn new(run: RunWriter) -> Self {
        Self {
            run,
            games: 0,
            table: Table::default(),
        }
    }

    /// Adds the game of a line; one that a crash left incomplete is passed over.
    fn take(&mut self, line: &[u8]) {
        let Ok(record) = serde_json::from_slice::<GameRecord>(line) else {
            tracing::warn!("a line of a file of games is no game");
            return;
        };
        if let Some(game) = recorded_game(self.games + 1, &record) {
            self.games += 1;
            self.table.add(&record);
            self.run.add_finished(game);
        }
    }
}

/// Returns the game of a record; `None` if it does not replay.
fn recorded_game(id: u64, record: &GameRecord) -> Option<LiveGame> {
    let start = match &record.start {
        Some(board) => board.parse().ok()?,
        None => Board::START,
    };
    let game = Game::from_transcript(start, &record.moves).ok()?;
    let names = ByColor {
        black: record.black.as_str(),
        white: record.white.as_str(),
    };
    let mut live = LiveGame::new(id, names, &Game::new(start), ByColor::default());
    for &mv in game.moves() {
        live.play(mv, MoveDetails::default(), ByColor::default());
    }
    live.finish(GameEnd::of(record), record.faults.clone());
    Some(live)
}

#[cfg(test)]
mod tests;
