//! The game to analyze: of a file, of standard input, or given as moves.

use std::{
    ffi::OsStr,
    io::{BufRead, Cursor},
    num::NonZeroU64,
    path::Path,
};

use anyhow::{Context as _, bail};
use othello_records::{Format, Record};

use crate::records::{Reading, name_of, open, tell, tell_error};

/// Reads the game with this number, or the first one that can be read, and tells what the input was taken for.
pub(super) fn read(
    source: &OsStr,
    reading: &Reading,
    number: Option<NonZeroU64>,
) -> anyhow::Result<Record> {
    let names = reading.names()?;
    let (name, input) = find(source)?;
    let (format, input) = reading.detect(input).with_context(|| name.clone())?;
    let mut games = (1..).zip(format.read_with(input, &names));
    let Some(number) = number else {
        let (number, record) = first(&name, &mut games)?;
        let several = games.next().is_some();
        let note = if several || number > 1 {
            format!(", game {number} of several; --game N takes another")
        } else {
            String::new()
        };
        tell(format_args!("{name}: {format}{note}"))?;
        return Ok(record);
    };
    tell(format_args!("{name}: {format}, game {number}"))?;
    let mut last = 0;
    for (found, read) in games {
        last = found;
        if found == number.get() {
            return read.with_context(|| name.clone());
        }
    }
    bail!("{name}: expected at least {number} games, found {last}")
}

/// Returns the first game that can be read, with its number, and tells why those before it cannot.
fn first(
    name: &str,
    games: &mut dyn Iterator<Item = (u64, anyhow::Result<Record>)>,
) -> anyhow::Result<(u64, Record)> {
    let mut damaged = None;
    for (number, read) in games {
        if let Some(damaged) = damaged.take() {
            tell_error(name, &damaged)?;
        }
        match read {
            Ok(record) => return Ok((number, record)),
            Err(error) => damaged = Some(error),
        }
    }
    match damaged {
        Some(error) => Err(error).with_context(|| name.to_owned()),
        None => bail!("{name}: expected a game, found none"),
    }
}

/// Returns the name of the input and the input.
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
    Ok(("the game given".to_owned(), Box::new(text)))
}
