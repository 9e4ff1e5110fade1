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
mod line;
mod read;

use std::{
    collections::{BTreeMap, HashSet},
    fmt, io,
    marker::PhantomData,
    path::{Path, PathBuf},
};

use boardgame_files::{AppendFile, AppendOptions, OpenError, sync_folder};
use serde::{Deserialize, Serialize};

pub use error::{Difference, EntryError, LogError};
pub use read::LineReader;

use crate::{
    EngineId, GameId,
    limit::Limit,
    record::{PlayedGame, RecordFormat},
};

/// The maximum size of a log in bytes, enough for millions of games.
const MAX_LOG: u64 = 4096 * boardgame_files::MIB;

/// The identity of a match: only a run with an equal header continues it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The engines, in the order of their [`EngineId`]s.
    pub engines: Vec<EngineEntry>,
    /// The [family](crate::schedule::Form::family) of schedules; a match can be extended within it.
    pub schedule: String,
    /// The identity of the openings, as text.
    pub openings: String,
    /// The seed of the match.
    pub seed: u64,
    /// Other settings that affect results, as text, such as the tolerance of the clock.
    pub rules: String,
}

/// An engine in the header of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineEntry {
    /// The name.
    pub name: String,
    /// All settings that affect its play, as text.
    pub spec: String,
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Entry {
    /// The header, always the first entry and only that.
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
}

/// The entries of a log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contents {
    /// The header.
    pub header: Header,
    /// The games, in the order in which they ended.
    pub games: Vec<PlayedGame>,
    /// The last limit of each engine that has one in the log.
    pub limits: BTreeMap<EngineId, Limit>,
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
    header: Header,
    logged: HashSet<GameId>,
    /// True if the last entry may be incomplete after an error.
    torn: bool,
    format: PhantomData<fn() -> F>,
}

impl<F: RecordFormat> Log<F> {
    /// Creates the log of a match, or opens it for continuing the match.
    ///
    /// The whole file is checked, and every game is replayed through the rules. An incomplete end left by an
    /// interrupted writer is repaired, and returned as [`Contents::torn`]. The log of another match is
    /// overwritten if it has no games or limits yet.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, is locked by another process, is the log of another match
    /// or not a log, or has an invalid line.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Contents), LogError> {
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

        let refused = |error| LogError::Refused {
            path: path.into(),
            error: EntryError::Json(error),
        };
        let first = line::print(&Entry::Match(header.clone())).map_err(refused)?;
        let written = read::without_padding(&bytes);
        let is_torn = written.len() < first.len() && first.as_bytes().starts_with(written);
        let contents = if is_torn {
            // The file is new, or its writer was interrupted while it wrote the header.
            let mut contents = Contents::new(header.clone());
            contents.torn = Torn::of(bytes.len());
            begin(&mut file, &first).map_err(io)?;
            sync_folder(path).map_err(io)?;
            contents
        } else {
            let contents = read::contents::<F>(path, &bytes)?;
            match header.difference(&contents.header) {
                None => {
                    repair(&mut file, &bytes, contents.torn).map_err(io)?;
                    contents
                }
                Some(_) if contents.games.is_empty() && contents.limits.is_empty() => {
                    begin(&mut file, &first).map_err(io)?;
                    Contents::new(header.clone())
                }
                Some(difference) => {
                    let path = path.into();
                    return Err(LogError::OtherMatch { path, difference });
                }
            }
        };
        let log = Self {
            path: path.into(),
            file,
            header: header.clone(),
            logged: contents.games.iter().map(|game| game.id).collect(),
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
        check_engine(engine, &self.header).map_err(|error| self.refused(error))?;
        self.write(&Entry::Limit { engine, limit })?;
        self.sync()
    }

    /// Appends a game.
    fn add(&mut self, game: &PlayedGame) -> Result<(), LogError> {
        check_game::<F>(game, &self.header, &self.logged).map_err(|error| self.refused(error))?;
        self.write(&Entry::Game(Box::new(game.clone())))?;
        self.logged.insert(game.id);
        Ok(())
    }

    fn write(&mut self, entry: &Entry) -> Result<(), LogError> {
        if self.torn {
            let path = self.path.clone();
            return Err(LogError::Torn { path });
        }
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
    const fn new(header: Header) -> Self {
        Self {
            header,
            games: Vec::new(),
            limits: BTreeMap::new(),
            torn: None,
        }
    }
}

impl Header {
    /// Returns the first difference of a log's header from this one.
    fn difference(&self, log: &Self) -> Option<Difference> {
        let of = |what: &str, expected: &str, found: &str| {
            (expected != found).then(|| Difference {
                what: what.to_owned(),
                expected: expected.to_owned(),
                found: found.to_owned(),
            })
        };
        let engine = |number: usize, (ours, theirs): (&EngineEntry, &EngineEntry)| {
            let name = || {
                of(
                    &format!("name of engine {number}"),
                    &ours.name,
                    &theirs.name,
                )
            };
            name().or_else(|| of(&format!("engine {}", ours.name), &ours.spec, &theirs.spec))
        };
        let numbers = |count: usize| count.to_string();
        let count = |header: &Self| numbers(header.engines.len());
        of("number of engines", &count(self), &count(log))
            .or_else(|| {
                let mut pairs = self.engines.iter().zip(&log.engines).enumerate();
                pairs.find_map(|(index, pair)| engine(index + 1, pair))
            })
            .or_else(|| of("rules", &self.rules, &log.rules))
            .or_else(|| of("schedule", &self.schedule, &log.schedule))
            .or_else(|| of("seed", &self.seed.to_string(), &log.seed.to_string()))
            .or_else(|| of("openings", &self.openings, &log.openings))
    }
}

/// Checks that a game fits the header, is new and replays.
fn check_game<F: RecordFormat>(
    game: &PlayedGame,
    header: &Header,
    logged: &HashSet<GameId>,
) -> Result<(), EntryError> {
    let GameId { black, white, .. } = game.id;
    for (engine, name) in [black, white].into_iter().zip(&game.names) {
        let entry = check_engine(engine, header)?;
        if entry.name != *name {
            return Err(EntryError::Name {
                expected: entry.name.clone(),
                found: name.clone(),
            });
        }
    }
    if logged.contains(&game.id) {
        return Err(EntryError::Duplicate { id: game.id });
    }
    game.replay::<F>()?;
    Ok(())
}

fn check_engine(engine: EngineId, header: &Header) -> Result<&EngineEntry, EntryError> {
    let known = header.engines.get(usize::from(engine.0));
    known.ok_or(EntryError::Engine {
        engine,
        count: header.engines.len(),
    })
}

#[cfg(test)]
mod tests;
