//! Engines as named on a command line or in a file.

mod weights;

use std::{
    fmt, io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use boardgame_io::CommandLine;
use othello_core::{Game, Tier};
use othello_engine::{HashSize, PlayLevel, ThreadCount, book::OpeningBook, text};

pub use self::weights::OwnWeights;
use crate::protocol::{self, Protocol};
use boardgame_match::{
    engine::{self, EngineText, EngineTextError, Entry, LimitError, ReadEnginesError},
    limit::Limit,
};

/// An engine of a match.
///
/// # Examples
///
/// ```
/// use othello_match::{
///     engine::{EngineSpec, Kind},
///     protocol::Protocol,
/// };
///
/// let ours: EngineSpec = "ours=own:hash=32".parse()?;
/// assert_eq!(ours.name, "ours");
/// let peer: EngineSpec = "peer=gtp:edax -gtp -l 10".parse()?;
/// assert!(matches!(peer.kind, Kind::Program { protocol: Protocol::Gtp, .. }));
/// # Ok::<(), othello_match::engine::EngineSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in tables and records: unique in a match.
    pub name: String,
    /// The kind of the engine: ours, or a program.
    pub kind: Kind,
    /// The limits of its thinking.
    pub limit: Limit,
}

/// The kind of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The engine of this workspace, in this process.
    Own(OwnSettings),
    /// A child program.
    Program {
        /// The protocol that it speaks.
        protocol: Protocol,
        /// The command line that starts it.
        line: CommandLine,
        /// Commands it is sent before the first game, in the protocols that have commands.
        setup: Vec<String>,
    },
}

/// Settings of our own engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnSettings {
    /// The size of the transposition table; 16 MiB by default.
    pub hash: HashSize,
    /// The number of threads.
    pub threads: ThreadCount,
    /// The instruction set; by default the best of this CPU.
    pub tier: Option<Tier>,
    /// The level of play; of its depth and the limit's the lower one counts.
    pub level: Option<PlayLevel>,
    /// The opening book, if any.
    pub book: Option<OwnBook>,
    /// The most that a move from the book may lose, in hundredths of a disc.
    pub book_margin: u16,
    /// The seed of the moves of a level like a person and of moves from the book, or `None` for a new one each time.
    pub seed: Option<u64>,
    /// With a depth limit: the number of empty squares from which on it solves exactly.
    pub solve_from: u32,
    /// True if its search prunes by ProbCut.
    pub selective: bool,
    /// The evaluation weights, if not the built-in ones.
    pub weights: Option<OwnWeights>,
}

impl Default for OwnSettings {
    fn default() -> Self {
        Self {
            hash: const { HashSize::new(16).unwrap() },
            threads: ThreadCount::default(),
            tier: None,
            level: None,
            book: None,
            book_margin: 0,
            seed: None,
            solve_from: 0,
            selective: true,
            weights: None,
        }
    }
}

/// The opening book of a file, read once and shared by all engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnBook {
    /// The file, or `built-in`.
    pub path: PathBuf,
    /// The book.
    pub book: Arc<OpeningBook>,
}

impl OwnBook {
    fn read(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            book: read_book(Path::new(""), path)?.into(),
        })
    }
}

/// Reads the book of a name from a folder, or the built-in one.
pub(crate) fn read_book(folder: &Path, name: &Path) -> io::Result<OpeningBook> {
    if name == Path::new("built-in") {
        Ok(OpeningBook::built_in())
    } else {
        OpeningBook::read(&folder.join(name))
    }
}

/// The error of a text that names no engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum EngineSpecError {
    /// There is no name or no command line.
    #[error(transparent)]
    Text(#[from] EngineTextError),
    /// No protocol of this name.
    #[error(
        "expected own for our engine, or what a program speaks: expected one of {}, found {found:?}",
        protocol::names()
    )]
    Protocol { found: String },
    /// Our engine has no such setting.
    #[error(
        "expected level=LEVEL, seed=N, hash=MIB in 1..={}, threads=N in 1..={}, tier=TIER, \
         solve-from=EMPTIES, selective=false, weights=FILE, book=FILE, book=built-in or \
         book-margin=DISCS, found {found:?}",
        HashSize::MAX,
        ThreadCount::MAX
    )]
    Setting { found: String },
    /// The weights cannot be read.
    #[error("the weights {path}: {reason}", path = path.display())]
    Weights { path: PathBuf, reason: io::Error },
    /// The book cannot be read.
    #[error("the book {path}: {reason}", path = path.display())]
    Book { path: PathBuf, reason: io::Error },
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    /// Reads `NAME=PROTOCOL:COMMAND`, or `NAME=own` with settings after a colon.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = EngineText::parse(text)?;
        let kind = if text.protocol == "own" {
            Kind::Own(text.command.parse()?)
        } else {
            let protocol = Protocol::from_name(text.protocol);
            Kind::Program {
                protocol: protocol.ok_or_else(|| EngineSpecError::Protocol {
                    found: text.protocol.into(),
                })?,
                line: text.command_line()?,
                setup: Vec::new(),
            }
        };
        Ok(Self {
            name: text.name.into(),
            kind,
            limit: Limit::default(),
        })
    }
}

impl FromStr for OwnSettings {
    type Err = EngineSpecError;

    /// Reads settings such as `hash=16,threads=2`; nothing is the default.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut settings = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            if let Some(path) = part.strip_prefix("weights=") {
                let path = PathBuf::from(path);
                let weights = OwnWeights::read(&path);
                let error = |reason| EngineSpecError::Weights { path, reason };
                settings.weights = Some(weights.map_err(error)?);
            } else if let Some(path) = part.strip_prefix("book=") {
                let path = PathBuf::from(path);
                let book = OwnBook::read(&path);
                let error = |reason| EngineSpecError::Book { path, reason };
                settings.book = Some(book.map_err(error)?);
            } else {
                settings.set(part).ok_or_else(|| EngineSpecError::Setting {
                    found: part.to_owned(),
                })?;
            }
        }
        Ok(settings)
    }
}

impl OwnSettings {
    fn set(&mut self, part: &str) -> Option<()> {
        let (key, value) = part.split_once('=')?;
        match key {
            "level" => self.level = Some(value.parse().ok()?),
            "book-margin" => self.book_margin = text::discs(value).ok()?,
            "seed" => self.seed = Some(value.parse().ok()?),
            "hash" => self.hash = value.parse().ok()?,
            "threads" => self.threads = value.parse().ok()?,
            "tier" => self.tier = Some(text::tier(value).ok()?),
            "solve-from" => self.solve_from = value.parse().ok().filter(|&from| from <= 60)?,
            "selective" => self.selective = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }
}

impl fmt::Display for OwnSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hash={},threads={}", self.hash, self.threads)?;
        if let Some(tier) = self.tier {
            write!(f, ",tier={tier}")?;
        }
        if let Some(level) = self.level {
            write!(f, ",level={level}")?;
        }
        if let Some(seed) = self.seed {
            write!(f, ",seed={seed}")?;
        }
        if self.solve_from > 0 {
            write!(f, ",solve-from={}", self.solve_from)?;
        }
        if !self.selective {
            f.write_str(",selective=false")?;
        }
        if let Some(weights) = &self.weights {
            write!(f, ",weights={}", weights.path().display())?;
        }
        if let Some(book) = &self.book {
            write!(f, ",book={}", book.path.display())?;
        }
        if self.book_margin > 0 {
            write!(f, ",book-margin={}", f64::from(self.book_margin) / 100.0)?;
        }
        Ok(())
    }
}

impl fmt::Display for EngineSpec {
    /// The engine with everything that affects its play, except the limit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.name)?;
        match &self.kind {
            Kind::Own(settings) => write!(f, "own:{settings}"),
            Kind::Program {
                protocol,
                line,
                setup,
            } => {
                write!(f, "{protocol}:{line}")?;
                if let Some(folder) = line.directory() {
                    write!(f, " (in {})", folder.display())?;
                }
                let mut commands = setup.iter();
                commands.try_for_each(|command| write!(f, " [{command}]"))
            }
        }
    }
}

impl EngineSpec {
    /// Checks that the limit can be passed to the engine.
    ///
    /// # Errors
    ///
    /// When the protocol cannot carry it, or our own engine has none.
    pub fn check(&self) -> Result<(), LimitError> {
        let name = || self.name.clone();
        let (protocol, carried) = match &self.kind {
            Kind::Own(_) if self.limit == Limit::default() => {
                return Err(LimitError::None { name: name() });
            }
            Kind::Own(_) if self.limit.byo_yomi.is_some() || self.limit.user_cpu => {
                return Err(LimitError::Own {
                    name: name(),
                    expected: "times without byo-yomi, by the clock on the wall",
                    found: Box::new(self.limit),
                });
            }
            Kind::Own(_) => return Ok(()),
            Kind::Program { protocol, .. } => (protocol.name(), protocol.carries(self.limit)),
        };
        carried.map_err(|expected| LimitError::Other {
            name: name(),
            protocol,
            expected,
            found: Box::new(self.limit),
        })
    }

    /// Returns true if the engine can start a game after these moves.
    pub fn takes(&self, opening: &Game) -> bool {
        match &self.kind {
            Kind::Own(_) => true,
            Kind::Program { protocol, .. } => protocol.takes(opening),
        }
    }
}

/// Reads a file of engines: TOML with a table `[[engine]]` for each.
///
/// # Errors
///
/// When the text is no such file; the error names the place and what was expected.
///
/// # Examples
///
/// ```
/// let engines = othello_match::engine::read_file(
///     r#"
///     [[engine]]
///     name = "ours"
///     protocol = "own"
///     threads = 2
///     limit = "move:100ms"
///
///     [[engine]]
///     name = "peer"
///     protocol = "gtp"
///     command = "edax -gtp -l 10"
///     directory = "/opt/edax/bin"
///     "#,
/// )?;
/// assert_eq!(engines[0].to_string(), "ours=own:hash=16,threads=2");
/// assert_eq!(engines[1].name, "peer");
/// # Ok::<(), boardgame_match::engine::ReadEnginesError>(())
/// ```
pub fn read_file(text: &str) -> Result<Vec<EngineSpec>, ReadEnginesError> {
    engine::read_file(text, complete)
}

/// Returns an engine with the rest of its entry in a file.
pub fn complete(mut spec: EngineSpec, entry: &Entry) -> EngineSpec {
    spec.limit = entry.limit;
    if let Kind::Program { line, setup, .. } = &mut spec.kind {
        line.set_directory(entry.directory.clone());
        *setup = entry.setup.clone().unwrap_or_default();
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<EngineSpec>().unwrap_err().to_string()
    }

    #[test]
    fn an_engine_prints_as_it_is_read() {
        for text in [
            "a=own:hash=16,threads=1",
            "a=own:hash=1,threads=3,tier=portable,solve-from=14",
            "a=own:hash=16,threads=1,selective=false",
            "a=own:hash=16,threads=1,level=Club,seed=7",
            "a=own:hash=16,threads=1,book=built-in,book-margin=0.5",
            "b=gtp:edax -gtp -l 6",
            "c=lth:'my client' '{host}:{port}'",
        ] {
            assert_eq!(text.parse::<EngineSpec>().unwrap().to_string(), text);
        }
        let bare: EngineSpec = "a=own".parse().unwrap();
        assert_eq!(bare.kind, Kind::Own(OwnSettings::default()));
    }

    #[test]
    fn what_is_no_engine_is_refused_with_what_was_expected() {
        assert!(refused("edax -gtp").contains("expected NAME=PROTOCOL:COMMAND"));
        assert!(refused("=own").contains("expected NAME=PROTOCOL:COMMAND"));
        assert!(refused("a=uci:x").contains("found \"uci\""));
        assert!(refused("a=own:depht=3").contains("found \"depht=3\""));
        assert!(refused("a=gtp:").contains("the command of a: expected a program"));
        assert!(refused("a=own:depth=3").contains("found \"depth=3\""));
        assert!(refused("a=own:book-margin=65").contains("found \"book-margin=65\""));
        let missing = "the book /no/file: No such file or directory (os error 2)";
        assert_eq!(refused("a=own:book=/no/file"), missing);
        let other = refused("a=own:book=Cargo.toml");
        assert!(
            other.contains("offset 0: expected an Othello book"),
            "{other}"
        );
        assert!(refused("a=own:hash=0").contains("found \"hash=0\""));
        let large = refused("a=own:hash=65537");
        assert!(large.contains("hash=MIB in 1..=65536"), "{large}");
        assert!(refused("a=own:threads=0").contains("found \"threads=0\""));
        assert!(refused("a=own:threads=1025").contains("threads=N in 1..=1024"));
        assert!(refused("a=own:selective=no").contains("found \"selective=no\""));
    }

    #[test]
    fn our_engine_needs_a_limit_and_a_program_one_that_it_can_be_told() {
        let check = |engine: &str, limit: &str| {
            let mut spec: EngineSpec = engine.parse().unwrap();
            spec.limit = limit.parse().unwrap_or_default();
            spec.check().map_err(|error| error.to_string())
        };
        assert_eq!(check("a=own", "nodes:5"), Ok(()));
        assert_eq!(check("a=sloan-lines:x", ""), Ok(()));
        assert!(
            check("a=own", "")
                .unwrap_err()
                .starts_with("expected a limit for a")
        );
        for limit in ["game:1m,byo-yomi:10s", "move:1s,user-cpu"] {
            let error = check("a=own", limit).unwrap_err();
            assert!(error.contains("expected times without byo-yomi"), "{error}");
        }
        let error = check("a=gtp:x", "depth:8").unwrap_err();
        assert!(error.starts_with("the limit of a: gtp carries"), "{error}");
    }
}
