//! Reading of logs.

use std::{marker::PhantomData, path::Path};

use super::{Contents, Entry, EntryError, LogError, Torn, known::Known, line};
use crate::record::{RecordFormat, ReplayError};

/// Parses the bytes of a log and checks every line. Blank lines are ignored.
pub(super) fn contents<F: RecordFormat>(path: &Path, bytes: &[u8]) -> Result<Contents, LogError> {
    let written = without_padding(bytes);
    let padding = bytes.len() - written.len();
    let mut lines = written
        .split_inclusive(|&byte| byte == b'\n')
        .enumerate()
        .peekable();
    let no_log = || LogError::NoLog { path: path.into() };
    let (_, first) = lines.next().ok_or_else(no_log)?;
    let mut reader = LineReader::<F>::default();
    let mut contents = match reader.parse(first.strip_suffix(b"\n").unwrap_or(first)) {
        Ok(Some(Entry::Match(header))) => Contents::new(header),
        Ok(_) | Err(EntryError::Json(_) | EntryError::NoHeader) => {
            return Err(no_log());
        }
        Err(error) => return Err(at(path, 0, error)),
    };
    let mut dropped = padding;
    while let Some((index, piece)) = lines.next() {
        if lines.peek().is_none() && !piece.trim_ascii().is_empty() && is_torn(piece) {
            dropped += piece.len();
            break;
        }
        let entry = reader.parse(piece.strip_suffix(b"\n").unwrap_or(piece));
        if let Some(entry) = entry.map_err(|error| at(path, index, error))? {
            contents.add(entry);
        }
    }
    contents.torn = match dropped {
        _ if dropped == padding && !written.ends_with(b"\n") => Some(Torn::Newline),
        0 => None,
        bytes => Some(Torn::Bytes(bytes)),
    };
    Ok(contents)
}

/// Returns the bytes without trailing zeros, which a file system leaves if the machine crashes before the
/// data reaches the disk.
pub(super) fn without_padding(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
    &bytes[..bytes.len() - zeros]
}

/// Returns true if the last line is incomplete, or has zeros where data had not reached the disk. A single
/// zero counts as a changed byte instead.
fn is_torn(piece: &[u8]) -> bool {
    match piece.strip_suffix(b"\n") {
        Some(whole) => whole.windows(2).any(|pair| pair == [0, 0]),
        None => piece.contains(&0) || is_cut_off(piece),
    }
}

/// Returns true if the unterminated last line is a torn write, not a complete line that was edited.
fn is_cut_off(piece: &[u8]) -> bool {
    let opening = line::OPENING.as_bytes();
    let begins = piece.starts_with(opening) || opening.starts_with(piece);
    let without_last = &piece[..piece.len() - 1];
    begins && line::parse(piece).is_err() && line::parse(without_last).is_err()
}

fn at(path: &Path, index: usize, error: EntryError) -> LogError {
    let path = path.into();
    match error {
        EntryError::Replay(ReplayError::Game { expected, found }) => LogError::OtherGame {
            path,
            expected,
            found,
        },
        error => LogError::Line {
            path,
            line: index + 1,
            error,
        },
    }
}

/// A reader of a log's lines in order, for example while a match appends them.
#[derive(Clone, Debug)]
pub struct LineReader<F> {
    known: Known,
    format: PhantomData<fn() -> F>,
}

impl<F> Default for LineReader<F> {
    fn default() -> Self {
        Self {
            known: Known::default(),
            format: PhantomData,
        }
    }
}

impl<F: RecordFormat> LineReader<F> {
    /// Parses the next line, without its newline; `None` for a blank line.
    ///
    /// # Errors
    ///
    /// Fails if the line is invalid or out of place.
    pub fn parse(&mut self, line: &[u8]) -> Result<Option<Entry>, EntryError> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        let entry = line::parse(line)?;
        self.known.take::<F>(&entry)?;
        Ok(Some(entry))
    }
}

impl Contents {
    /// Adds a checked entry.
    fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Match(header) => self.header = header,
            Entry::Game(game) => self.games.push(*game),
            Entry::Limit { engine, limit } => {
                self.limits.insert(engine, limit);
            }
            Entry::Engine(engine) => self.header.set_engine(engine),
            Entry::Round(round) => self.rounds.push(round),
            Entry::Ruling(ruling) => {
                if ruling.result.is_none() {
                    self.games.retain(|game| game.id != ruling.game);
                }
                self.rulings.push(ruling);
            }
        }
    }
}
