//! A log read back.

use std::{collections::HashSet, path::Path};

use super::{Contents, Entry, EntryError, LogError, Torn, check_engine, check_game, line};
use crate::record::GameId;

/// What the bytes of a log hold, every line checked.
pub(super) fn contents(path: &Path, bytes: &[u8]) -> Result<Contents, LogError> {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    let no_log = || LogError::NoLog { path: path.into() };
    let (_, first) = lines.next().ok_or_else(no_log)?;
    let mut contents = match line::parse(first.strip_suffix(b"\n").unwrap_or(first)) {
        Ok(Entry::Match(header)) => Contents::new(header),
        Ok(_) | Err(EntryError::Json(_) | EntryError::Kinds { .. }) => return Err(no_log()),
        Err(error) => return Err(at(path, 0, error)),
    };
    contents.torn = (!first.ends_with(b"\n")).then_some(Torn::Newline);
    let mut kept = HashSet::new();
    for (index, piece) in lines {
        let parsed = if let Some(whole) = piece.strip_suffix(b"\n") {
            line::parse(whole)
        } else if is_cut_off(piece) {
            contents.torn = Some(Torn::Bytes(piece.len()));
            break;
        } else {
            contents.torn = Some(Torn::Newline);
            line::parse(piece)
        };
        let added = parsed.and_then(|entry| contents.add(entry, &mut kept));
        added.map_err(|error| at(path, index, error))?;
    }
    Ok(contents)
}

/// Whether a last line without a newline is what a killed writer left: the beginning of a line,
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
