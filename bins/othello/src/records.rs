//! Files of game records, the input of `othello convert` and `othello games`.

pub(crate) mod convert;
mod explore;
pub(crate) mod filter;
pub(crate) mod games;
mod logs;

use std::{
    collections::BTreeMap,
    fmt,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, anyhow};
use othello_records::{DetectError, Format, Record, RecordError, wthor::Names};

use self::logs::LogKind;
pub(crate) use self::logs::record_of;
use crate::{board::tell_symbols_of, output::tell};

/// The maximum size of a file of names, in bytes: 65535 names.
const MAX_NAMES: u64 = 2 * boardgame_files::MIB;

/// The maximum size of comments at the start of an input that are skipped to detect its format, in bytes.
const MAX_COMMENTS: u64 = boardgame_files::MIB;

/// The files of games, and what is known of them.
#[derive(clap::Args)]
pub(crate) struct Inputs {
    /// Files of games; - is standard input. Their format is told from their content
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

/// What is known of records that are read.
#[derive(clap::Args)]
pub(crate) struct Reading {
    /// The format of all files, where it cannot be told from their content
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    #[command(flatten)]
    names: NameFiles,
}

/// The files of the names for the numbers in WTHOR.
#[derive(clap::Args)]
pub(crate) struct NameFiles {
    /// The names of a WTHOR database's players (.jou)
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// The names of a WTHOR database's tournaments (.trn)
    #[arg(long, value_name = "FILE")]
    tournaments: Option<PathBuf>,
}

/// The format of an input.
#[derive(Clone, Copy)]
pub(crate) enum InputFormat {
    /// A format of game records.
    Records(Format),
    /// A log of our own matches or hosts.
    Log(LogKind),
}

/// A game, or the part of it before a fault, and the fault.
#[derive(Default)]
pub(crate) struct ReadGame {
    pub(crate) record: Option<Record>,
    pub(crate) error: Option<anyhow::Error>,
}

impl ReadGame {
    /// Returns a game, or only a fault.
    fn new(read: anyhow::Result<Record>) -> Self {
        let (record, error) = match read {
            Ok(record) => (Some(record), None),
            Err(error) => (None, Some(error)),
        };
        Self { record, error }
    }

    /// Takes the fault, with the number of moves kept.
    pub(crate) fn take_error(&mut self) -> Option<anyhow::Error> {
        let error = self.error.take()?;
        Some(match &self.record {
            Some(record) => anyhow!("{error:#}; {} kept", moves_in_words(record)),
            None => error,
        })
    }
}

impl From<Result<Record, RecordError>> for ReadGame {
    fn from(read: Result<Record, RecordError>) -> Self {
        let mut error = match read {
            Ok(record) => return Self::new(Ok(record)),
            Err(error) => error,
        };
        Self {
            record: error.record.take().map(|record| *record),
            // The error already names its causes.
            error: Some(anyhow!("{error}")),
        }
    }
}

impl InputFormat {
    /// Reads the games of an input in this format, with the names for the numbers of WTHOR.
    pub(crate) fn read_with<'a>(
        self,
        input: impl BufRead + 'a,
        names: &Names,
    ) -> Box<dyn Iterator<Item = ReadGame> + 'a> {
        match self {
            Self::Records(format) => Box::new(format.read_with(input, names).map(Into::into)),
            Self::Log(kind) => kind.read(input),
        }
    }
}

impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records(format) => format.fmt(f),
            Self::Log(LogKind::Match) => f.write_str("the log of a match"),
            Self::Log(LogKind::Host) => f.write_str("records of a host"),
        }
    }
}

/// The numbers of games, and of unreadable files and games.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) games: u64,
    pub(crate) errors: u64,
}

/// Returns the exit status after a number of files and games that could not be read.
pub(crate) fn exit_code(errors: u64) -> ExitCode {
    if errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

impl NameFiles {
    /// Reads the names.
    pub(crate) fn read(&self) -> anyhow::Result<Names> {
        let mut names = Names::default();
        let read = |path: &Path| {
            let bytes = boardgame_files::read(path, MAX_NAMES);
            bytes.with_context(|| path.display().to_string())
        };
        if let Some(path) = &self.players {
            let read = names.read_players(&read(path)?);
            read.with_context(|| path.display().to_string())?;
        }
        if let Some(path) = &self.tournaments {
            let read = names.read_tournaments(&read(path)?);
            read.with_context(|| path.display().to_string())?;
        }
        Ok(names)
    }
}

impl Reading {
    /// Reads the names for the numbers of WTHOR.
    pub(crate) fn names(&self) -> anyhow::Result<Names> {
        self.names.read()
    }

    /// Returns the format of an input, and the input from its start.
    pub(crate) fn detect(
        &self,
        mut input: impl BufRead,
    ) -> anyhow::Result<(InputFormat, impl BufRead)> {
        let beginning = beginning(&mut input)?;
        let format = match (self.from, LogKind::detect(&beginning)) {
            (Some(format), _) => InputFormat::Records(format),
            (None, Some(kind)) => InputFormat::Log(kind),
            (None, None) => InputFormat::Records(Format::detect(&beginning)?),
        };
        if let InputFormat::Records(Format::Board | Format::Rows | Format::Obf) = format {
            tell_symbols_of(&String::from_utf8_lossy(&beginning));
        }
        Ok((format, io::Cursor::new(beginning).chain(input)))
    }

    /// Calls `take` with each game of each file until it breaks, and reports the detected format of every file, and the
    /// faults of unreadable files and games.
    pub(crate) fn for_each(
        &self,
        files: &[PathBuf],
        names: &Names,
        mut take: impl FnMut(&str, u64, &Record) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Counts> {
        let mut counts = Counts::default();
        for path in files {
            let name = name_of(path);
            let opened = open(path).map_err(anyhow::Error::from);
            let (format, input) = match opened.and_then(|input| self.detect(input)) {
                Ok(detected) => detected,
                Err(error) => {
                    counts.errors += 1;
                    tell(format_args!("{name}: {error:#}"))?;
                    continue;
                }
            };
            let before = counts.games;
            let mut guessed: BTreeMap<&str, u64> = BTreeMap::new();
            let mut ended = false;
            for (mut read, number) in format.read_with(input, names).zip(1..) {
                if let Some(error) = read.take_error() {
                    counts.errors += 1;
                    tell_error(&name, &error)?;
                }
                if let Some(record) = read.record {
                    counts.games += 1;
                    if let Some(encoding) = record.encoding {
                        *guessed.entry(encoding).or_default() += 1;
                    }
                    ended = take(&name, number, &record)?.is_break();
                }
                if ended {
                    break;
                }
            }
            let first = if ended { "the first " } else { "" };
            let games = games_in_words(counts.games - before);
            tell(format_args!("{name}: {format}, {first}{games}"))?;
            for (encoding, games) in guessed {
                let games = games_in_words(games);
                tell(format_args!("{name}: {games} read as {encoding}"))?;
            }
            if ended {
                break;
            }
        }
        Ok(counts)
    }
}

/// Reads the bytes that show the format of an input, and the comments before them.
fn beginning(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let is_comment = Format::detect(&bytes) == Err(DetectError::Empty);
        let read = input
            .by_ref()
            .take(Format::DETECTED_BY as u64)
            .read_to_end(&mut bytes)?;
        // After the comments, the last piece is read whole.
        if read == 0 || !is_comment || bytes.len() as u64 > MAX_COMMENTS {
            return Ok(bytes);
        }
    }
}

impl Inputs {
    /// Reads the names for the numbers of WTHOR.
    pub(crate) fn names(&self) -> anyhow::Result<Names> {
        self.reading.names()
    }

    /// Calls `take` with each game, like [`Reading::for_each`].
    pub(crate) fn for_each(
        &self,
        names: &Names,
        take: impl FnMut(&str, u64, &Record) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Counts> {
        self.reading.for_each(&self.files, names, take)
    }
}

/// Returns the files of a folder, in the order of their names; not those of its subfolders.
pub(crate) fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".into()
    } else {
        path.display().to_string()
    }
}

pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(
        1 << 16,
        File::open(path)?,
    )))
}

pub(crate) fn tell_error(name: &str, error: &anyhow::Error) -> io::Result<()> {
    tell(format_args!("{name}, {error:#}"))
}

/// Describes the number of moves of a record.
pub(crate) fn moves_in_words(record: &Record) -> String {
    match record.game.moves().len() {
        1 => "1 move".into(),
        moves => format!("{moves} moves"),
    }
}

/// Describes a number of games.
fn games_in_words(games: u64) -> String {
    match games {
        1 => "1 game".into(),
        games => format!("{games} games"),
    }
}
