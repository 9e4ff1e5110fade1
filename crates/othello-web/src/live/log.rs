//! Logs of matches and files of game records, also while they grow.

use std::{
    convert::Infallible,
    future,
    io::{self, ErrorKind},
    mem, panic,
    path::{Path, PathBuf},
    time::Duration,
};

use boardgame_core::ByColor;
use boardgame_files::{LineFollower, MIB};
use boardgame_match::{
    log::{EngineEntry, Entry, EntryError, Header, LineReader},
    record::{PlayedGame, RecordFormat as _},
    schedule::{Round, Schedule},
    tally::Tally,
};
use othello_core::{Board, Game};
use othello_host::{lth_server::is_count_line, record::GameRecord};
use othello_match::record::Othello;
use serde::de::IgnoredAny;
use tokio::task;

use super::{
    GameEnd, Kind, MatchRun, MoveDetails, RunWriter, Runs,
    game::LiveGame,
    lth::{RecordStandings, is_of_lth},
    throttle::Throttle,
};

/// The maximum number of bytes that are read at a time.
const MAX_PIECE: u64 = 16 * MIB;

/// The time between two looks at a file.
const INTERVAL: Duration = Duration::from_millis(500);

/// The error of a file that is no log, or was changed.
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
    /// The file starts neither like the log of a match nor like a file of game records.
    #[error(
        "{}, line {line}: expected the header of a match's log or a game record of a host, as JSON",
        path.display()
    )]
    NoLog {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
    },
    /// A line of the log of a match differs from what was written.
    #[error("the log {}, line {line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The error in it.
        error: EntryError,
    },
    /// The log's match is of an unknown form, or has the wrong number of engines for it.
    #[error(
        "the log {}: expected the form of a match that {engines} engines can play, found {found:?}",
        path.display()
    )]
    Form {
        /// The file.
        path: PathBuf,
        /// The number of engines in the header.
        engines: usize,
        /// The form in the header.
        found: String,
    },
}

/// The run of a log: of a match, or of game records written by hosts and the LTH server.
///
/// The file is only read, and may grow meanwhile.
#[derive(Debug)]
pub struct LogRun {
    runs: Runs,
    follower: LineFollower,
    /// The number of lines read.
    lines: usize,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// No whole line has been read yet.
    Unknown,
    Match(Box<MatchLog>),
    Records(RecordLog),
}

impl LogRun {
    /// Opens a log and reads its contents. A missing file counts as empty if its folder exists.
    ///
    /// A line of a file of game records that is not a game, as after a crash, is left out with a warning.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is no log, or if a line of a match's log was changed.
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

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.follower.path()
    }

    /// Reads the lines added to the file.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn read(&mut self) -> Result<(), FollowError> {
        self.read_lines()?;
        match &mut self.content {
            Content::Unknown => {}
            Content::Match(log) => log.flush_standings(),
            Content::Records(log) => log.standings.flush(&log.run),
        }
        Ok(())
    }

    /// Keeps reading the lines added to the file, on a thread that may block. Standings may come later than the games
    /// that they count.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open); the run has then ended.
    ///
    /// # Panics
    ///
    /// Panics outside of a tokio runtime.
    pub async fn follow(mut self) -> Result<Infallible, FollowError> {
        loop {
            tokio::time::sleep(INTERVAL).await;
            let reading = task::spawn_blocking(move || {
                self.read_throttled()?;
                Ok::<_, FollowError>(self)
            });
            self = match reading.await {
                Ok(read) => read?,
                Err(error) => match error.try_into_panic() {
                    Ok(cause) => panic::resume_unwind(cause),
                    // The runtime is shutting down.
                    Err(_) => future::pending().await,
                },
            };
        }
    }

    /// Reads the lines added to the file, and computes the standings unless that was done too recently.
    fn read_throttled(&mut self) -> Result<(), FollowError> {
        self.read_lines()?;
        match &mut self.content {
            Content::Unknown => {}
            Content::Match(log) => log.update_standings(),
            Content::Records(log) => log.standings.update(&log.run),
        }
        Ok(())
    }

    fn read_lines(&mut self) -> Result<(), FollowError> {
        while self.read_piece()? {}
        Ok(())
    }

    /// Reads the next lines; returns `false` if there are none for now.
    fn read_piece(&mut self) -> Result<bool, FollowError> {
        let lines = match self.follower.read(MAX_PIECE) {
            Ok(lines) if lines.is_empty() => return Ok(false),
            Ok(lines) => lines,
            Err(error) if error.kind() == ErrorKind::NotFound && self.may_appear() => {
                return Ok(false);
            }
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

    /// Returns `true` if the file is missing, but its folder exists.
    fn may_appear(&self) -> bool {
        let folder = self.follower.path().parent();
        self.lines == 0
            && folder.is_some_and(|folder| folder.as_os_str().is_empty() || folder.is_dir())
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
                log.take(line, (self.follower.path(), number));
                Ok(())
            }
        }
    }

    /// Returns the content of a file by its first whole line. A line that a crash left incomplete does not show it, nor
    /// do the counts at the start of an LTH server's log.
    fn recognize(&self, line: &[u8]) -> Result<Content, FollowError> {
        let path = || self.follower.path().to_owned();
        if let Ok(record) = serde_json::from_slice::<GameRecord>(line) {
            let kind = if is_of_lth(&record) {
                Kind::Lth
            } else {
                Kind::Host
            };
            let run = self.runs.add(kind, self.name(), None);
            return Ok(Content::Records(RecordLog::new(run)));
        }
        let header = match LineReader::<Othello>::default().parse(line) {
            Ok(Some(Entry::Match(header))) => header,
            Err(error @ (EntryError::Version { .. } | EntryError::Checksum { .. })) => {
                let (path, line) = (path(), self.lines);
                return Err(FollowError::Line { path, line, error });
            }
            _ if is_incomplete(line) || is_count_line(line) => return Ok(Content::Unknown),
            _ => {
                let (path, line) = (path(), self.lines);
                return Err(FollowError::NoLog { path, line });
            }
        };
        let (family, engines) = (header.schedule.clone(), header.engines.len());
        let log = MatchLog::new(&self.runs, self.name(), header);
        log.map_or(
            Err(FollowError::Form {
                path: path(),
                engines,
                found: family,
            }),
            |log| Ok(Content::Match(Box::new(log))),
        )
    }

    /// Returns the name of the file.
    fn name(&self) -> String {
        let name = self.follower.path().file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// Returns `true` for a line that a crash may have left: the start of an object, but not JSON.
fn is_incomplete(line: &[u8]) -> bool {
    line.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(line).is_err()
}

/// The log of a match, as far as it has been read.
#[derive(Debug)]
struct MatchLog {
    reader: LineReader<Othello>,
    header: Header,
    tally: Tally,
    /// The rounds of a tournament so far.
    rounds: Vec<Round>,
    /// The number of openings so far.
    openings: u32,
    run: MatchRun,
    throttle: Throttle,
}

impl MatchLog {
    /// Returns the log with a header, or `None` if its form is unknown or does not fit the number of engines.
    fn new(runs: &Runs, name: String, header: Header) -> Option<Self> {
        let names = header.names();
        let schedule = Schedule::covering(&header.schedule, names.len(), 1, header.seed)?;
        let tally = Tally::new(names.len(), Othello::FORFEIT);
        let run = runs.add(Kind::Match, name, None);
        Some(Self {
            reader: LineReader::default(),
            tally,
            rounds: Vec::new(),
            openings: 1,
            run: MatchRun::with_writer(run, names, schedule, None),
            throttle: Throttle::default(),
            header,
        })
    }

    fn take(&mut self, line: &[u8]) -> Result<(), EntryError> {
        self.throttle.mark_stale();
        match self.reader.parse(line)? {
            Some(Entry::Game(played)) => self.add(&played),
            Some(Entry::Engine(engine)) => self.add_engine(engine),
            Some(Entry::Round(round)) => self.rounds.push(round),
            Some(Entry::Ruling(ruling)) => self.tally.decide(ruling.game, ruling.result),
            _ => {}
        }
        Ok(())
    }

    fn add_engine(&mut self, engine: EngineEntry) {
        let engines = &mut self.header.engines;
        if engines.iter().all(|known| known.name != engine.name) {
            self.tally.add_engine();
            engines.push(engine);
        }
    }

    fn add(&mut self, played: &PlayedGame) {
        self.openings = self.openings.max(played.id.opening.saturating_add(1));
        self.tally.add::<Othello>(played);
        self.run.add(played);
    }

    /// Computes the standings if they lack games and were not computed too recently.
    fn update_standings(&mut self) {
        let mut throttle = mem::take(&mut self.throttle);
        throttle.update(|| self.set_standings());
        self.throttle = throttle;
    }

    /// Computes the standings if they lack games.
    fn flush_standings(&mut self) {
        let mut throttle = mem::take(&mut self.throttle);
        throttle.flush(|| self.set_standings());
        self.throttle = throttle;
    }

    fn set_standings(&mut self) {
        let (family, engines) = (&self.header.schedule, self.header.engines.len());
        let covering = Schedule::covering(family, engines, self.openings, self.header.seed);
        if let Some(schedule) = covering {
            let schedule = match &self.rounds[..] {
                [] => schedule,
                paired => schedule.with_rounds(paired.to_vec()),
            };
            self.run.set_schedule(self.header.names(), schedule, None);
        }
        self.run.set_standings(&self.tally);
    }
}

/// A file of game records, as far as it has been read.
#[derive(Debug)]
struct RecordLog {
    run: RunWriter,
    games: u64,
    standings: RecordStandings,
}

impl RecordLog {
    fn new(run: RunWriter) -> Self {
        Self {
            run,
            games: 0,
            standings: RecordStandings::default(),
        }
    }

    /// Adds the game in a line of a file. A line that is not a game is left out with a warning.
    fn take(&mut self, line: &[u8], (path, number): (&Path, usize)) {
        let warn = |expected: &str| {
            tracing::warn!("{}, line {number}: expected {expected}", path.display());
        };
        let Ok(record) = serde_json::from_slice::<GameRecord>(line) else {
            return warn("a game record of a host, as JSON");
        };
        let Some(game) = recorded_game(self.games + 1, &record) else {
            return warn("a game whose moves are legal");
        };
        self.games += 1;
        self.standings.add(&record);
        self.run.add_finished(game);
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
