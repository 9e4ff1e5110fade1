//! Errors of parts.

use std::{
    error::Error,
    io,
    path::{Path, PathBuf},
};

use crate::shards::{Difference, Shard};

/// An error of reading or writing a part.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum PartError {
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
}

impl PartError {
    /// Returns the error of a file that cannot be read or written.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}
