//! The log of a match: an append-only file of lines.
//!
//! Each line is a JSON object with a checksum and one entry, `{"crc32":"89abcdef","game":{…}}`. The CRC-32 (as
//! in zip and PNG) covers the entry's own bytes, `{…}`. The first entry is the header, which identifies the
//! match.
//!
//! A line is written with one call and is on disk before [`Log::append`] returns. A writer that is killed
//! leaves at most one torn line at the end, and a machine that crashes may leave zeros in it or after it; the
//! next writer removes both. Any other change of the file is an error that names the line. Blank lines are
//! ignored.

mod error;
mod header;
mod known;
mod line;
mod read;

use std::{
    collections::BTreeMap,
    fmt, io,
    marker::PhantomData,
    path::{Path, PathBuf},
};

use boardgame_files::{AppendFile, AppendOptions, OpenError, sync_folder};
use serde::{Deserialize, Serialize};

pub use error::{Difference, EntryError, LogError};
pub use header::{EngineEntry, Header};
pub use read::LineReader;

use known::Known;

use crate::{
    EngineId, ForfeitScore, GameId,
    limit::Limit,
    record::{GameResult, PlayedGame, RecordFormat},
    schedule::Round,
    tally::Tally,
};

/// The maximum size of a log in bytes, enough for millions of games.
const MAX_LOG: u64 = 4096 * boardgame_files::MIB;

/// A decision of a person on a game of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// The game.
    pub game: GameId,
    /// The result that counts from here on, or `None` if the game is played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// The reason.
    pub reason: String,
    /// The name of the person.
    pub by: String,
    /// The time, in seconds since 1970.
    pub time: u64,
}

impl Ruling {
    /// Returns the decision in words.
    pub fn remark(&self) -> String {
        let Self { by, reason, .. } = self;
        match self.result {
            Some(_) => format!("decided by {by}: {reason}"),
            None => format!("to be played again, decided by {by}: {reason}"),
        }
    }
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Entry {
    /// The header, always the first entry and only that.
    #[serde(serialize_with = "line::versioned")]
    Match(Header),
    /// A game that is over.
    Game(Box<PlayedGame>),
    /// A limit that an engine has from here on, set by a calibration.
    Limit {
        /// The engine.
        engine: EngineId,
        /// The limit.
        limit: Limit,
    },
    /// An engine that enters a tournament, or another command of one that is in it.
    Engine(EngineEntry),
    /// A round of a tournament, before its games.
    Round(Round),
    /// A decision on a game of a tournament.
    Ruling(Ruling),
}

/// The entries of a log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contents {
    /// The header.
    pub header: Header,
    /// The games, in the order in which they ended, without those that are played again.
    pub games: Vec<PlayedGame>,
    /// The last limit of each engine that has one in the log.
    pub limits: BTreeMap<EngineId, Limit>,
    /// The rounds of a tournament.
    pub rounds: Vec<Round>,
    /// The decisions on games of a tournament, in their order.
    pub rulings: Vec<Ruling>,
    /// The incomplete end that an interrupted writer left, if there is one.
    pub torn: Option<Torn>,
}

/// An incomplete end of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Torn {
    /// The last line lacks only its newline; its entry counts.
    Newline,
    /// The number of bytes of an incomplete line or zeros, which do not count.
    Bytes(usize),
}

impl fmt::Display for Torn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newline => f.write_str("the last line lacks its newline"),
            Self::Bytes(count) => write!(f, "{count} bytes of an entry that was cut off"),
        }
    }
}

/// The log of a match of a game, open for writing and locked against other writers.
///
/// # Examples
///
/// ```
/// use boardgame_match::{
///     EngineId,
///     log::{EngineEntry, Header, Log},
///     record::RecordFormat,
/// };
/// # use boardgame_core::{Color, Game, Status};
///
/// # #[derive(Clone, Debug)]
/// # struct Heap(u8, Color);
/// # #[derive(Clone, Debug, thiserror::Error)]
/// # #[error("illegal")]
/// # struct Illegal;
/// # impl Game for Heap {
/// #     type Move = u8;
/// #     type Setup = u8;
/// #     type IllegalMove = Illegal;
/// #     const NAME: &'static str = "heap";
/// #     fn new(&counters: &u8) -> Self { Self(counters, Color::Black) }
/// #     fn side_to_move(&self) -> Color { self.1 }
/// #     fn forced_move(&self) -> Option<u8> { None }
/// #     fn play(&mut self, _: u8) -> Result<(), Illegal> { Err(Illegal) }
/// #     fn status(&self) -> Status { Status::Playing }
/// # }
/// impl RecordFormat for Heap {
///     type Game = Self;
/// }
///
/// let engine = |name: &str| EngineEntry { name: name.into(), spec: "own".into() };
/// let header = Header {
///     engines: vec![engine("a"), engine("b")],
///     schedule: "pairs".into(),
///     openings: "start".into(),
///     seed: 1,
///     rules: "tolerance=100ms".into(),
/// };
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("match.jsonl");
///
/// let (mut log, _) = Log::<Heap>::open(&path, &header)?;
/// log.append_limit(EngineId(1), "nodes:5000".parse()?)?;
/// drop(log);
///
/// let (_, contents) = Log::<Heap>::open(&path, &header)?;
/// assert_eq!(contents.limits[&EngineId(1)].nodes, Some(5000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Log<F> {
    path: PathBuf,
    /// The file, locked until it is closed.
    file: AppendFile,
    known: Known,
    /// True if the last entry may be incomplete after an error.
    torn: bool,
    format: PhantomData<fn() -> F>,
}

impl<F: RecordFormat> Log<F> {
    /// Creates the log of a match, or opens it for continuing the match.
    ///
    /// The whole file is checked, and every game is replayed through the rules. An incomplete end left by an
    /// interrupted writer is repaired, and returned as [`Contents::torn`]. The log of another match is
    /// overwritten if it has no games, limits or rounds yet.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, is locked by another process, is the log of another match
    /// or not a log, or has an invalid line.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Contents), LogError> {
        Self::open_with(path, header, Header::difference)
    }

    /// Creates the log of a tournament, or opens it as [`Log::open`] does. Engines of the header that the log lacks
    /// enter the tournament, and others take on the header's settings.
    ///
    /// # Errors
    ///
    /// As for [`Log::open`], but the engines may differ.
    pub fn open_tournament(path: &Path, header: &Header) -> Result<(Self, Contents), LogError> {
        let (mut log, mut contents) = Self::open_with(path, header, Header::difference_of_rules)?;
        log.enter(header, &mut contents.header)?;
        Ok((log, contents))
    }

    /// Lets the engines of a tournament's header enter that the log's header lacks, and others take on its settings.
    ///
    /// # Errors
    ///
    /// Fails without writing if it is the header of another tournament, and as [`Log::append`] if it cannot be written.
    pub fn enter(&mut self, header: &Header, logged: &mut Header) -> Result<(), LogError> {
        if let Some(difference) = header.difference_of_rules(logged) {
            let path = self.path.clone();
            return Err(LogError::OtherMatch { path, difference });
        }
        for engine in &header.engines {
            if !logged.engines.contains(engine) {
                self.add_entry(&Entry::Engine(engine.clone()))?;
                logged.set_engine(engine.clone());
            }
        }
        self.sync()
    }

    fn open_with(
        path: &Path,
        header: &Header,
        difference: impl Fn(&Header, &Header) -> Option<Difference>,
    ) -> Result<(Self, Contents), LogError> {
        let io = |source| LogError::io(path, source);
        let options = AppendOptions {
            lock: true,
            regular: true,
            ..AppendOptions::default()
        };
        let mut file = AppendFile::open(path, options).map_err(|error| match error {
            OpenError::Locked => LogError::Locked { path: path.into() },
            other => io(other.into()),
        })?;
        let bytes = file.read(MAX_LOG).map_err(io)?;
        let contents = if let Some(contents) = begun::<F>(path, &bytes, header, difference)? {
            repair(&mut file, &bytes, contents.torn).map_err(io)?;
            contents
        } else {
            let mut contents = Contents::new(header.clone());
            if !read::without_padding(&bytes).ends_with(b"\n") {
                contents.torn = Torn::of(bytes.len());
            }
            let first = first_line(path, header)?;
            begin(&mut file, &first).map_err(io)?;
            sync_folder(path).map_err(io)?;
            contents
        };
        let log = Self {
            path: path.into(),
            file,
            known: Known::of(&contents),
            torn: false,
            format: PhantomData,
        };
        Ok((log, contents))
    }

    /// Appends a game and waits until it is on disk.
    ///
    /// # Errors
    ///
    /// Fails without writing if the log has the game already, or it does not replay through the rules. Fails if
    /// it cannot be written; then nothing can be appended until the log is opened again.
    pub fn append(&mut self, game: &PlayedGame) -> Result<(), LogError> {
        self.add(game)?;
        self.sync()
    }

    /// Appends games and waits until all are on disk.
    ///
    /// # Errors
    ///
    /// As for [`Log::append`]; the games before are then in the log.
    pub fn append_all(&mut self, games: &[PlayedGame]) -> Result<(), LogError> {
        for game in games {
            self.add(game)?;
        }
        self.sync()
    }

    /// Appends a limit of an engine, which replaces an earlier one.
    ///
    /// # Errors
    ///
    /// Fails if there is no such engine, or as [`Log::append`] if it cannot be written.
    pub fn append_limit(&mut self, engine: EngineId, limit: Limit) -> Result<(), LogError> {
        self.append_entry(&Entry::Limit { engine, limit })
    }

    /// Appends an entry and waits until it is on disk.
    ///
    /// # Errors
    ///
    /// Fails without writing if it does not fit the entries before it, and as [`Log::append`] if it cannot be written.
    pub fn append_entry(&mut self, entry: &Entry) -> Result<(), LogError> {
        self.add_entry(entry)?;
        self.sync()
    }

    /// Appends a game.
    fn add(&mut self, game: &PlayedGame) -> Result<(), LogError> {
        self.add_entry(&Entry::Game(Box::new(game.clone())))
    }

    fn add_entry(&mut self, entry: &Entry) -> Result<(), LogError> {
        if self.torn {
            let path = self.path.clone();
            return Err(LogError::Torn { path });
        }
        let fits = self.known.take::<F>(entry);
        fits.map_err(|error| self.refused(error))?;
        let line = line::print(entry).map_err(|error| self.refused(error.into()))?;
        let written = self.file.append(line.as_bytes());
        self.noted(written)
    }

    fn sync(&mut self) -> Result<(), LogError> {
        let synced = self.file.sync();
        self.noted(synced)
    }

    /// Maps an I/O error, after which the last entry may be incomplete.
    fn noted(&mut self, done: io::Result<()>) -> Result<(), LogError> {
        done.map_err(|source| {
            self.torn = true;
            LogError::io(&self.path, source)
        })
    }

    fn refused(&self, error: EntryError) -> LogError {
        let path = self.path.clone();
        LogError::Refused { path, error }
    }
}

/// Reads the log of any match, also while a match writes it; an entry that is being written may be
/// [torn](Contents::torn).
///
/// # Errors
///
/// Fails if the file cannot be read, is not a log, or has an invalid line.
pub fn read<F: RecordFormat>(path: &Path) -> Result<Contents, LogError> {
    let read = boardgame_files::read(path, MAX_LOG);
    let bytes = read.map_err(|source| LogError::io(path, source))?;
    read::contents::<F>(path, &bytes)
}

/// Reads the log of a tournament as [`Log::open_tournament`] does, without writing; a missing file counts as empty.
///
/// # Errors
///
/// As for [`read`], and if it is the log of another tournament.
pub fn read_tournament<F: RecordFormat>(
    path: &Path,
    header: &Header,
) -> Result<Contents, LogError> {
    let bytes = match boardgame_files::read(path, MAX_LOG) {
        Err(source) if source.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|source| LogError::io(path, source))?,
    };
    let begun = begun::<F>(path, &bytes, header, Header::difference_of_rules)?;
    let mut contents = begun.unwrap_or_else(|| Contents::new(header.clone()));
    for engine in &header.engines {
        contents.header.set_engine(engine.clone());
    }
    Ok(contents)
}

/// Returns the contents of a log; `None` if it is new: the file is empty, its header was cut off, or nothing follows
/// another header.
fn begun<F: RecordFormat>(
    path: &Path,
    bytes: &[u8],
    header: &Header,
    difference: impl Fn(&Header, &Header) -> Option<Difference>,
) -> Result<Option<Contents>, LogError> {
    let first = first_line(path, header)?;
    let written = read::without_padding(bytes);
    if written.len() < first.len() && first.as_bytes().starts_with(written) {
        return Ok(None);
    }
    let contents = read::contents::<F>(path, bytes)?;
    if contents.is_empty() && header.difference(&contents.header).is_some() {
        return Ok(None);
    }
    difference(header, &contents.header).map_or(Ok(Some(contents)), |difference| {
        let path = path.into();
        Err(LogError::OtherMatch { path, difference })
    })
}

/// Returns the line of a header.
fn first_line(path: &Path, header: &Header) -> Result<String, LogError> {
    line::print(&Entry::Match(header.clone())).map_err(|error| LogError::Refused {
        path: path.into(),
        error: EntryError::Json(error),
    })
}

/// Truncates a file and writes the header.
fn begin(file: &mut AppendFile, header: &str) -> io::Result<()> {
    file.truncate(0)?;
    write(file, header)
}

/// Writes a line with one call and waits until it is on disk.
fn write(file: &mut AppendFile, line: &str) -> io::Result<()> {
    file.append(line.as_bytes())?;
    file.sync()
}

/// Repairs an incomplete end; `bytes` are the bytes of the file.
fn repair(file: &mut AppendFile, bytes: &[u8], torn: Option<Torn>) -> io::Result<()> {
    match torn {
        None => Ok(()),
        Some(Torn::Newline) => {
            file.truncate(read::without_padding(bytes).len() as u64)?;
            write(file, "\n")
        }
        Some(Torn::Bytes(count)) => {
            file.truncate((bytes.len() - count) as u64)?;
            file.sync()
        }
    }
}

impl Torn {
    const fn of(bytes: usize) -> Option<Self> {
        match bytes {
            0 => None,
            count => Some(Self::Bytes(count)),
        }
    }
}

impl Contents {
    /// Returns true if there is nothing after the header.
    fn is_empty(&self) -> bool {
        self.games.is_empty() && self.limits.is_empty() && self.rounds.is_empty()
    }

    /// Returns the results of the games, by the last decision on each where there is one, and the margin of a game lost
    /// by a fault.
    pub fn tally<F: RecordFormat>(&self, forfeit: Option<ForfeitScore>) -> Tally {
        let mut tally = Tally::new(self.header.engines.len(), forfeit);
        for game in &self.games {
            tally.add::<F>(game);
        }
        for ruling in self.decisions().into_values() {
            tally.decide(ruling.game, ruling.result);
        }
        tally
    }

    /// Returns the decisions that count: the last on each game, unless that is played again.
    fn decisions(&self) -> BTreeMap<GameId, &Ruling> {
        let last: BTreeMap<_, _> = self.rulings.iter().map(|one| (one.game, one)).collect();
        let decides = |(_, ruling): &(_, &Ruling)| ruling.result.is_some();
        last.into_iter().filter(decides).collect()
    }

    const fn new(header: Header) -> Self {
        Self {
            header,
            games: Vec::new(),
            limits: BTreeMap::new(),
            rounds: Vec::new(),
            rulings: Vec::new(),
            torn: None,
        }
    }
}

#[cfg(test)]
mod tests;
