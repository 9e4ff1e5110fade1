//! Numbered openings, determined by source and seed.
//!
//! A list is shuffled by the seed, so that a short match uses a sample of it. The
//! [schedule](boardgame_match::schedule) assigns the numbers to games.

mod book;
mod list;
mod random;

use std::{
    fmt, io,
    path::{Path, PathBuf},
    str::FromStr,
};

use othello_core::{Board, Game, Move, ParseProblemError, TranscriptError};
use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

pub use book::BookLines;

use random::Random;

/// 10,784 openings of 8 plies, no two the same up to symmetry: the list that XOT (extended
/// Othello) tournaments draw from.
const XOT: &str = include_str!("../data/xot-large.txt");

/// The maximum size of a file of openings in bytes.
const MAX_FILE: u64 = 64 * boardgame_files::MIB;

/// The source of openings.
///
/// # Examples
///
/// ```
/// use othello_match::openings::Source;
///
/// assert_eq!("xot".parse(), Ok(Source::Xot));
/// assert_eq!("random:12".parse(), Ok(Source::Random { plies: 12 }));
/// let book = "book:built-in,plies=12,margin=2".parse::<Source>()?;
/// assert_eq!(book.to_string(), "book:built-in,plies=12,margin=2");
/// assert_eq!("lines/mine.txt".parse(), Ok(Source::File("lines/mine.txt".into())));
/// assert!("random:many".parse::<Source>().is_err());
/// # Ok::<(), othello_match::openings::ParseSourceError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The start of the game, and nothing else.
    Start,
    /// The built-in list of 10,784 openings of 8 plies.
    #[default]
    Xot,
    /// Random legal moves from the start: `plies` discs, 1 to 50, not counting passes.
    Random {
        /// The discs placed.
        plies: u32,
    },
    /// The balanced lines of an opening book.
    Book(BookLines),
    /// A file with an opening in each line: a transcript from the start and perhaps its name, or a
    /// board in OBF. Empty lines and comments after `%` are skipped.
    File(PathBuf),
}

/// The error of a text that names no source of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected start, xot, random:PLIES with 1 to 50 plies, book:FILE,plies=PLIES,margin=DISCS, or a file, found {found:?}"
)]
pub struct ParseSourceError {
    /// The text.
    pub found: String,
}

impl FromStr for Source {
    type Err = ParseSourceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseSourceError {
            found: text.to_owned(),
        };
        match text {
            "" => Err(error()),
            "start" => Ok(Self::Start),
            "xot" => Ok(Self::Xot),
            _ => {
                let known = if let Some(lines) = text.strip_prefix("book:") {
                    BookLines::parse(lines).map(Self::Book)
                } else if let Some(plies) = text.strip_prefix("random:") {
                    let plies = plies.parse().ok();
                    let known = plies.filter(|plies| Random::PLIES.contains(plies));
                    known.map(|plies| Self::Random { plies })
                } else {
                    Some(Self::File(text.into()))
                };
                known.ok_or_else(error)
            }
        }
    }
}

impl fmt::Display for Source {
    /// In the form that is parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::Xot => f.write_str("xot"),
            Self::Random { plies } => write!(f, "random:{plies}"),
            Self::Book(lines) => lines.fmt(f),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// The error of a source of openings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read the openings in {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// The book cannot be read.
    #[error("cannot read the book {}", path.display())]
    Book { path: PathBuf, source: io::Error },
    /// The book has no such line.
    #[error(
        "{lines}: expected lines whose moves lose at most the margin, and whose end is worth at most it; found none, \
         and none such beyond {longest} plies"
    )]
    NotInBook {
        lines: BookLines,
        /// The plies of the longest lines of such moves.
        longest: u32,
    },
    /// The text has no opening.
    #[error("expected an opening in each line, found none in {name}")]
    Empty { name: String },
    /// A line is not an opening.
    #[error("{name}, line {line}: {error}")]
    Line {
        name: String,
        line: usize,
        error: LineError,
    },
    /// The number of plies of random openings is out of range.
    #[error("expected 1 to 50 plies of random opening, found {plies}")]
    Plies { plies: u32 },
}

/// The error of a line that is not an opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The line starts neither like a transcript nor like a board.
    #[error(
        "expected a transcript such as f5d6c3 or an OBF board of X, O and - at offset {offset}"
    )]
    Neither {
        /// The byte in the line at which it begins.
        offset: usize,
    },
    /// The line starts like a transcript, but is invalid.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// The line starts like a board, but is invalid.
    #[error(transparent)]
    Problem(#[from] ParseProblemError),
    /// The game is over after the opening.
    #[error("expected an opening, found a game that is over at its end, offset {offset}")]
    Over {
        /// The byte in the line at which it ends.
        offset: usize,
    },
}

/// Openings by number.
///
/// # Examples
///
/// ```
/// use othello_match::openings::{Openings, Source};
///
/// let openings = Openings::load(&Source::Xot, 1)?;
/// assert_eq!(openings.len(), Some(10_784));
/// let first = openings.get(0);
/// assert_eq!(first.moves().len(), 8);
/// // They begin anew when there are no more.
/// assert_eq!(openings.get(10_784), first);
/// # Ok::<(), othello_match::openings::OpeningsError>(())
/// ```
#[derive(Debug)]
pub struct Openings {
    kind: Kind,
    fingerprint: String,
}

#[derive(Debug)]
enum Kind {
    /// In the order of their numbers; never empty.
    List(Vec<Line>),
    /// Drawn on demand.
    Drawn(Random),
}

/// The compact form of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    start: Board,
    moves: Vec<Move>,
}

impl Line {
    /// Returns the moves of a game, which are legal.
    fn of(game: &Game) -> Self {
        Self {
            start: game.start(),
            moves: game.moves().to_vec(),
        }
    }

    fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &mv in &self.moves {
            let played = game.play(mv);
            debug_assert!(played.is_ok(), "a kept opening is legal");
        }
        game
    }
}

impl Openings {
    /// Loads the openings of a source, in an order given by a seed.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, holds no opening, or has an invalid line.
    pub fn load(source: &Source, seed: u64) -> Result<Self, OpeningsError> {
        Self::load_in(Path::new(""), source, seed)
    }

    /// Loads openings like [`load`](Self::load), with the names of files from a folder.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn load_in(folder: &Path, source: &Source, seed: u64) -> Result<Self, OpeningsError> {
        match source {
            Source::Start => {
                let start = Line::of(&Game::default());
                Ok(Self::listed("start", vec![start], seed))
            }
            Source::Xot => Self::read("xot", XOT, seed),
            &Source::Random { plies } => Self::random(plies, seed),
            Source::Book(lines) => {
                let found = lines.load(folder)?;
                Ok(Self::listed(&lines.to_string(), found, seed))
            }
            Source::File(name) => {
                let path = folder.join(name);
                match boardgame_files::read_to_string(&path, MAX_FILE) {
                    Ok(text) => Self::read(&name.display().to_string(), &text, seed),
                    Err(source) => Err(OpeningsError::Read { path, source }),
                }
            }
        }
    }

    /// Parses a text as in [`Source::File`], and orders its openings by a seed; `name` is the source of
    /// the text, for messages.
    ///
    /// # Errors
    ///
    /// When the text holds no opening or has an invalid line.
    pub fn read(name: &str, text: &str, seed: u64) -> Result<Self, OpeningsError> {
        Ok(Self::listed(name, list::read(name, text)?, seed))
    }

    /// Returns openings of random moves.
    ///
    /// An opening depends only on its number and the seed, and no two are the same up to symmetry. Up to 8
    /// plies all positions are enumerated and shuffled, and repeat from the first when exhausted. With
    /// more plies there are more than 400,000; all moves are equally likely, and an opening repeats an
    /// earlier one only if 10,000 draws in succession bring nothing new. An opening never ends before a
    /// pass.
    ///
    /// # Errors
    ///
    /// When `plies` is not 1 to 50.
    pub fn random(plies: u32, seed: u64) -> Result<Self, OpeningsError> {
        if !Random::PLIES.contains(&plies) {
            return Err(OpeningsError::Plies { plies });
        }
        let name = format!("random:{plies}");
        if plies <= random::ALL_FOUND {
            return Ok(Self::listed(&name, random::all(plies), seed));
        }
        let mut openings = Self {
            kind: Kind::Drawn(Random::new(plies, seed)),
            fingerprint: String::new(),
        };
        // Enough to verify that they are drawn in the same way.
        let checksum = checksum((0..16).map(|number| openings.get(number)));
        openings.fingerprint = format!("{name}, seed {seed}, checksum {checksum:08x}");
        Ok(openings)
    }

    fn listed(name: &str, mut lines: Vec<Line>, seed: u64) -> Self {
        lines.shuffle(&mut Pcg64::seed_from_u64(seed));
        let checksum = checksum(lines.iter().map(Line::game));
        let count = lines.len();
        Self {
            kind: Kind::List(lines),
            fingerprint: format!("{name}, {count} with seed {seed}, checksum {checksum:08x}"),
        }
    }

    /// Returns the opening of a number, the same whenever it is asked for. The moves of the game are the opening's
    /// plies, including passes.
    pub fn get(&self, number: u32) -> Game {
        match &self.kind {
            Kind::List(lines) => lines[number as usize % lines.len()].game(),
            Kind::Drawn(random) => random.get(number).game(),
        }
    }

    /// Returns the number of openings before they repeat from the first, or `None` if no match has as many
    /// games.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> Option<u32> {
        match &self.kind {
            Kind::List(lines) => Some(u32::try_from(lines.len()).unwrap_or(u32::MAX)),
            Kind::Drawn(_) => None,
        }
    }

    /// Returns the first opening for which `wanted` holds, with its number. For drawn openings only the
    /// first is tested.
    pub fn find(&self, mut wanted: impl FnMut(&Game) -> bool) -> Option<(u32, Game)> {
        let numbers = 0..self.len().unwrap_or(1);
        numbers
            .map(|number| (number, self.get(number)))
            .find(|(_, game)| wanted(game))
    }

    /// Returns a text that identifies the numbered openings: the source, the seed and a checksum.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

/// The CRC-32 of openings in their order.
fn checksum(openings: impl Iterator<Item = Game>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for game in openings {
        hasher.update(format!("{} {}\n", game.start(), game.transcript()).as_bytes());
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests;
