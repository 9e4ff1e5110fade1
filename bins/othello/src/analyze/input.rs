//! The game to analyze: of a file, of standard input, or given as moves.

use std::{
    ffi::OsStr,
    io::{BufRead, Cursor},
    num::NonZeroU64,
    path::Path,
};

use anyhow::{Context as _, anyhow, bail};
use othello_records::{Format, Record};

use crate::{
    output::tell,
    records::{ReadGame, Reading, name_of, open, tell_error},
};

/// The name of a game given as moves.
const GIVEN: &str = "the game given";

/// Reads the game with this number, or the first whole one, or else the first with readable moves, and reports the
/// detected format. Of a game with a fault in a file, the moves before it are read, and `false` is returned.
pub(super) fn read(
    source: &OsStr,
    reading: &Reading,
    number: Option<NonZeroU64>,
) -> anyhow::Result<(Record, bool)> {
    let names = reading.names()?;
    let (name, input) = find(source)?;
    let (format, input) = reading.detect(input).with_context(|| name.clone())?;
    let mut games = (1..).zip(format.read_with(input, &names));
    let Some(number) = number else {
        let (number, read) = first(&name, &mut games)?;
        let several = games.next().is_some();
        let note = if several || number > 1 {
            format!(", game {number} of several; --game N takes another")
        } else {
            String::new()
        };
        tell(format_args!("{name}: {format}{note}"))?;
        return taken(&name, read);
    };
    tell(format_args!("{name}: {format}, game {number}"))?;
    let mut last = 0;
    for (found, read) in games {
        last = found;
        if found == number.get() {
            return taken(&name, read);
        }
    }
    bail!("{name}: expected at least {number} games, found {last}")
}

/// Returns a game, and whether it is whole; reports its fault if not.
fn taken(name: &str, mut read: ReadGame) -> anyhow::Result<(Record, bool)> {
    if name == GIVEN && read.error.is_some() {
        read.record = None;
    }
    let error = read.take_error();
    match (read.record, error) {
        (Some(record), None) => {
            if let Some(encoding) = record.encoding {
                tell(format_args!("{name}: read as {encoding}"))?;
            }
            Ok((record, true))
        }
        (Some(record), Some(error)) => {
            tell_error(name, &error)?;
            Ok((record, false))
        }
        (None, error) => Err(error.unwrap_or_else(|| anyhow!("expected a game")))
            .with_context(|| name.to_owned()),
    }
}

/// Returns the first whole game with its number, or else the first with readable moves, and reports the faults of those
/// before it.
fn first(
    name: &str,
    games: &mut dyn Iterator<Item = (u64, ReadGame)>,
) -> anyhow::Result<(u64, ReadGame)> {
    let mut kept: Option<(u64, ReadGame)> = None;
    for (number, read) in games {
        let is_whole = read.error.is_none();
        let has_moves = |(_, kept): &(u64, ReadGame)| kept.record.is_some();
        let mut damaged = if !is_whole && kept.as_ref().is_some_and(has_moves) {
            Some(read)
        } else {
            kept.replace((number, read)).map(|(_, read)| read)
        };
        if let Some(error) = damaged.as_mut().and_then(ReadGame::take_error) {
            tell_error(name, &error)?;
        }
        if is_whole {
            break;
        }
    }
    kept.with_context(|| format!("{name}: expected a game, found none"))
}

/// Returns the input with its name.
fn find(source: &OsStr) -> anyhow::Result<(String, Box<dyn BufRead>)> {
    let path = Path::new(source);
    if source == "-" || path.exists() {
        let name = name_of(path);
        let input = open(path).with_context(|| name.clone())?;
        return Ok((name, input));
    }
    let text = source.to_string_lossy();
    if Format::detect(text.as_bytes()).is_err() {
        bail!("{text}: expected a file, - for standard input, or moves such as f5d6c3");
    }
    let text = Cursor::new(text.into_owned().into_bytes());
    Ok((GIVEN.to_owned(), Box::new(text)))
}
