//! Errors of parts and manifests.

use std::{
    error::Error,
    io,
    path::{Path, PathBuf},
};

use crate::shards::{Difference, Shard};

/// An error of the parts of divided work, of their manifest, or of merging them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ShardError {
    /// The file or its folder cannot be read or written.
    #[error("cannot use {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The path of the folder of parts is not a folder.
    #[error("expected a folder at {}, found another file", path.display())]
    Folder { path: PathBuf },
    /// The work does not state its number of items.
    #[error("{}: expected the number of items among the settings, found none", path.display())]
    Items { path: PathBuf },
    /// Another process is writing the part.
    #[error("{} is being written by another process", path.display())]
    Locked { path: PathBuf },
    /// The file is not a part, or has another version of the format.
    #[error(
        "{}: expected a part, which begins with a checksum, work and shard; \
         found another file, or one of another version",
        path.display()
    )]
    NoPart { path: PathBuf },
    /// The part belongs to other work.
    #[error(
        "{} is of other work: {difference}; use the options and the program that it was begun with, or another folder",
        path.display()
    )]
    Other {
        path: PathBuf,
        difference: Difference,
    },
    /// The part shares items with another shard of the same work.
    #[error("{} has items of shard {shard} too", path.display())]
    Overlap { path: PathBuf, shard: Shard },
    /// A record is too long.
    #[error("{}: expected a line of at most {max} bytes for item {item}, found {found}", path.display())]
    TooLong {
        path: PathBuf,
        /// The number of the item.
        item: u64,
        /// The maximum length of a line in bytes, with its newline.
        max: u64,
        found: u64,
    },
    /// A line is damaged.
    #[error("{}, line {line}: expected {expected}", path.display())]
    Line {
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        expected: &'static str,
    },
    /// A record is invalid for its command.
    #[error("{}, line {line}: {reason}", path.display())]
    Record {
        path: PathBuf,
        /// The line's number, from 1.
        line: u64,
        reason: Box<dyn Error + Send + Sync>,
    },
    /// The text is not a manifest.
    #[error("expected a manifest: {0}")]
    Syntax(Box<toml::de::Error>),
    /// The manifest, read from a file, is not valid.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: Box<Self> },
    /// Work or parts do not match the manifest.
    #[error("not as in the manifest: {0}")]
    Differs(Difference),
    /// There is no part.
    #[error("expected parts, found none")]
    Empty,
    /// There is no part in a folder.
    #[error("{}: expected parts, found none", folder.display())]
    EmptyFolder { folder: PathBuf },
    /// A part is not complete.
    #[error("{}: expected a complete part, found one with {records} records", path.display())]
    Incomplete { path: PathBuf, records: u64 },
    /// The parts belong to another command.
    #[error("{}: expected parts of {expected}, found one of {found}", path.display())]
    Command {
        path: PathBuf,
        expected: &'static str,
        found: String,
    },
    /// A part belongs to other work than the one expected, or than the first part.
    #[error("{} is of other work: {difference}", path.display())]
    Mixed {
        path: PathBuf,
        difference: Difference,
    },
    /// The work of a part is divided into another number of shards than that of the first part.
    #[error("{}: expected one of {expected} shards, found {found}", path.display())]
    Count {
        path: PathBuf,
        expected: u32,
        found: Shard,
    },
    /// Two parts have items in common.
    #[error("{} has items of {} too", path.display(), other.display())]
    Common { path: PathBuf, other: PathBuf },
    /// Two parts belong to one shard.
    #[error("{} is of shard {shard}, as is {}", path.display(), other.display())]
    Twice {
        path: PathBuf,
        other: PathBuf,
        shard: Shard,
    },
    /// Shards have no part: the first of them, and the number of further ones.
    #[error("expected parts of all shards, found none of {}", list(shards, *more))]
    Missing { shards: Vec<Shard>, more: u64 },
    /// A merged part exists and has other records.
    #[error("{}: expected the merged records, but record {number} differs", path.display())]
    Written { path: PathBuf, number: u64 },
}

impl ShardError {
    /// Returns the error of a file that cannot be read or written.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

/// Returns the names of shards, and the number of more.
fn list(shards: &[Shard], more: u64) -> String {
    let names: Vec<String> = shards.iter().map(Shard::to_string).collect();
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
