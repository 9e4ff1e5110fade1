//! A log read back.

use std::{collections::HashSet, path::Path};

use super::{Contents, Entry, EntryError, LogError, Torn, check_engine, check_game, line};
use crate::record::GameId;

/// Reads the entries in the bytes of a log and checks every line. Blank lines are skipped.
pub(super) fn contents(path: &Path, bytes: &[u8]) -> Result<Contents, LogError> {
    let written = without_padding(bytes);
    let padding = bytes.len() - written.len();
    let mut lines = written
        .split_inclusive(|&byte| byte == b'\n')
        .enumerate()
        .peekable();
    let no_log = || LogError::NoLog { path: path.into() };
    let (_, first) = lines.next().ok_or_else(no_log)?;
    let mut contents = match line::parse(first.strip_suffix(b"\n").unwrap_or(first)) {
        Ok(Entry::Match(header)) => Contents::new(header),
        Ok(_) | Err(EntryError::Json(_) | EntryError::Kinds { .. }) => return Err(no_log()),
        Err(error) => return Err(at(path, 0, error)),
    };
    let mut kept = HashSet::new();
    let mut dropped = padding;
    while let Some((index, piece)) = lines.next() {
        if piece.trim_ascii().is_empty() {
            continue;
        }
        if lines.peek().is_none() && is_torn(piece) {
            dropped += piece.len();
            break;
        }
        let added = line::parse(piece.strip_suffix(b"\n").unwrap_or(piece))
            .and_then(|entry| contents.add(entry, &mut kept));
        added.map_err(|error| at(path, index, error))?;
    }
    contents.torn = match dropped {
        _ if dropped == padding && !written.ends_with(b"\n") => Some(Torn::Newline),
        0 => None,
        bytes => Some(Torn::Bytes(bytes)),
    };
    Ok(contents)
}

/// The bytes without the zeros at the end, which a file system leaves where a machine went down before
/// what was written had reached the disk.
pub(super) fn without_padding(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
    &bytes[..bytes.len() - zeros]
}

/// Returns whether a last line was not written to its end, or has zeros where a part of it had not reached the
/// disk; a single zero is a byte that was changed.
fn is_torn(piece: &[u8]) -> bool {
    match piece.strip_suffix(b"\n") {
        Some(whole) => whole.windows(2).any(|pair| pair == [0, 0]),
        None => piece.contains(&0) || is_cut_off(piece),
    }
}

/// Returns whether a last line without a newline is what a killed writer left: the beginning of a line,
/// and not a whole line that was changed afterwards.
fn is_cut_off(piece: &[u8]) -> bool {
    let opening = line::OPENING.as_bytes();
    let begins = piece.starts_with(opening) || opening.starts_with(piece);
    let without_last = &piece[..piece.len() - 1];
    begins && line::parse(piece).is_err() && line::parse(without_last).is_err()
}

fn at(path: &Path, index: usize, error: EntryError) -> LogError {
    LogError::Line {
        path: path.into(),
        line: index + 1,
        error,
    }
}

impl Contents {
    fn add(&mut self, entry: Entry, kept: &mut HashSet<GameId>) -> Result<(), EntryError> {
        match entry {
            Entry::Match(_) => return Err(EntryError::SecondHeader),
            Entry::Game(game) => {
                check_game(&game, &self.header, kept)?;
                kept.insert(game.id);
                self.games.push(*game);
            }
            Entry::Limit { engine, limit } => {
                check_engine(engine, &self.header)?;
                self.limits.insert(engine, limit);
            }
        }
        Ok(())
    }
}
