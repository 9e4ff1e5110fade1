//! Reading of logs.

use std::{collections::HashSet, path::Path};

use super::{Contents, Entry, EntryError, LogError, Torn, check_engine, check_game, line};
use crate::{GameId, record::RecordFormat};

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
    let mut contents = match line::parse(first.strip_suffix(b"\n").unwrap_or(first)) {
        Ok(Entry::Match(header)) => Contents::new(header),
        Ok(_) | Err(EntryError::Json(_) | EntryError::Kinds { .. }) => return Err(no_log()),
        Err(error) => return Err(at(path, 0, error)),
    };
    let mut logged = HashSet::new();
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
            .and_then(|entry| contents.add::<F>(entry, &mut logged));
        added.map_err(|error| at(path, index, error))?;
    }
    contents.torn = match dropped {
        _ if dropped == padding && !written.ends_with(b"\n") => Some(Torn::Newline),
        0 => None,
        bytes => Some(Torn::Bytes(bytes)),
    };
    Ok(contents)
}

/// Returns the bytes without zeros at the end, which a file system leaves if the machine crashes before the
/// written data has reached the disk.
pub(super) fn without_padding(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
    &bytes[..bytes.len() - zeros]
}

/// Returns true if the last line is incomplete, or has zeros where a part of it had not reached the disk. A
/// single zero counts as a changed byte instead.
fn is_torn(piece: &[u8]) -> bool {
    match piece.strip_suffix(b"\n") {
        Some(whole) => whole.windows(2).any(|pair| pair == [0, 0]),
        None => piece.contains(&0) || is_cut_off(piece),
    }
}

/// Returns true if a last line without a newline is the beginning of a line, as an interrupted writer leaves
/// it, and no complete line that was changed afterwards.
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
    fn add<F: RecordFormat>(
        &mut self,
        entry: Entry,
        logged: &mut HashSet<GameId>,
    ) -> Result<(), EntryError> {
        match entry {
            Entry::Match(_) => return Err(EntryError::SecondHeader),
            Entry::Game(game) => {
                check_game::<F>(&game, &self.header, logged)?;
                logged.insert(game.id);
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
