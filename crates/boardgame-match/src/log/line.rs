//! The line format of entries.

use serde::{Deserialize, Serialize, Serializer, de::Error as _};

use super::{Entry, EntryError, Header};

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The first bytes of every line.
pub(super) const OPENING: &str = r#"{"crc32":""#;

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

/// Serializes a header with the version of the format.
pub(super) fn versioned<S: Serializer>(header: &Header, to: S) -> Result<S::Ok, S::Error> {
    let version = VERSION;
    Versioned { version, header }.serialize(to)
}

/// Returns the line of an entry with its newline.
pub(super) fn print(entry: &Entry) -> serde_json::Result<String> {
    let entry = serde_json::to_string(entry)?;
    let (_, value) = parts(&entry).ok_or_else(no_entry)?;
    let sum = checksum(value);
    Ok(format!("{OPENING}{sum}\",{}\n", &entry[1..]))
}

/// Parses a line without its newline.
pub(super) fn parse(line: &[u8]) -> Result<Entry, EntryError> {
    let line = str::from_utf8(line).ok().map(str::trim_ascii_end);
    let rest = line.and_then(|line| line.strip_prefix(OPENING));
    let (sum, entry) = rest
        .and_then(|rest| rest.split_once("\","))
        .ok_or_else(no_entry)?;
    let entry = format!("{{{entry}");
    let (kind, value) = parts(&entry).ok_or_else(no_entry)?;
    let expected = checksum(value);
    if sum != expected {
        let found = sum.to_owned();
        return Err(EntryError::Checksum { expected, found });
    }
    if kind == "match" {
        let Version { version } = serde_json::from_str(value)?;
        if version != VERSION {
            return Err(EntryError::Version { version });
        }
    }
    Ok(serde_json::from_str(&entry)?)
}

/// Returns the kind and the value of an entry, `{"game":{…}}`.
fn parts(entry: &str) -> Option<(&str, &str)> {
    let inner = entry.strip_prefix("{\"")?.strip_suffix('}')?;
    inner.split_once("\":")
}

fn no_entry() -> serde_json::Error {
    serde_json::Error::custom(r#"expected a line such as {"crc32":"…","game":{…}}"#)
}

/// Returns the checksum as eight hexadecimal digits in lower case.
fn checksum(value: &str) -> String {
    format!("{:08x}", crc32fast::hash(value.as_bytes()))
}
