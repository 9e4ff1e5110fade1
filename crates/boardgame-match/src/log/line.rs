//! The line format of entries.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Entry, EntryError, Header};
use crate::{EngineId, limit::Limit};

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The first bytes of every line.
pub(super) const OPENING: &str = r#"{"crc32":""#;

/// A line: the checksum and exactly one of the others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    crc32: &'a str,
    #[serde(borrow, rename = "match")]
    header: Option<&'a RawValue>,
    #[serde(borrow)]
    game: Option<&'a RawValue>,
    #[serde(borrow)]
    limit: Option<&'a RawValue>,
    #[serde(borrow)]
    engine: Option<&'a RawValue>,
    #[serde(borrow)]
    round: Option<&'a RawValue>,
    #[serde(borrow)]
    ruling: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct Versioned<'a> {
    version: u32,
    #[serde(flatten)]
    header: &'a Header,
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct EngineLimit {
    engine: EngineId,
    limit: Limit,
}

/// Returns the line of an entry with its newline.
pub(super) fn print(entry: &Entry) -> serde_json::Result<String> {
    let (kind, value) = match entry {
        Entry::Match(header) => {
            let version = VERSION;
            (
                "match",
                serde_json::to_string(&Versioned { version, header }),
            )
        }
        Entry::Game(game) => ("game", serde_json::to_string(game)),
        &Entry::Limit { engine, limit } => (
            "limit",
            serde_json::to_string(&EngineLimit { engine, limit }),
        ),
        Entry::Engine(engine) => ("engine", serde_json::to_string(engine)),
        Entry::Round(round) => ("round", serde_json::to_string(round)),
        Entry::Ruling(ruling) => ("ruling", serde_json::to_string(ruling)),
    };
    let value = value?;
    let sum = checksum(&value);
    Ok(format!("{OPENING}{sum}\",\"{kind}\":{value}}}\n"))
}

/// Parses a line without its newline.
pub(super) fn parse(line: &[u8]) -> Result<Entry, EntryError> {
    let line: Line<'_> = serde_json::from_slice(line)?;
    let parts = [
        line.header,
        line.game,
        line.limit,
        line.engine,
        line.round,
        line.ruling,
    ];
    let mut values = parts.into_iter().flatten();
    let (Some(value), None) = (values.next(), values.next()) else {
        let found = parts.into_iter().flatten().count();
        return Err(EntryError::Kinds { found });
    };
    let value = value.get();
    let expected = checksum(value);
    if line.crc32 != expected {
        let found = line.crc32.to_owned();
        return Err(EntryError::Checksum { expected, found });
    }
    if line.header.is_some() {
        let Version { version } = serde_json::from_str(value)?;
        if version != VERSION {
            return Err(EntryError::Version { version });
        }
        Ok(Entry::Match(serde_json::from_str(value)?))
    } else if line.game.is_some() {
        Ok(Entry::Game(serde_json::from_str(value)?))
    } else if line.engine.is_some() {
        Ok(Entry::Engine(serde_json::from_str(value)?))
    } else if line.round.is_some() {
        Ok(Entry::Round(serde_json::from_str(value)?))
    } else if line.ruling.is_some() {
        Ok(Entry::Ruling(serde_json::from_str(value)?))
    } else {
        let EngineLimit { engine, limit } = serde_json::from_str(value)?;
        Ok(Entry::Limit { engine, limit })
    }
}

/// Returns the checksum as eight hexadecimal digits in lower case.
fn checksum(value: &str) -> String {
    format!("{:08x}", crc32fast::hash(value.as_bytes()))
}
