//! Shards: append-only files of games, a header and then records of fixed length.
//!
//! All numbers are little-endian.
//!
//! | bytes | contents |
//! |---|---|
//! | 0 to 7 | `OTHGAMES` |
//! | 8 to 11 | the format, 1 |
//! | 12 to 15 | the minimum and maximum number of random moves, the depth, the empties to solve from |
//! | 16 to 23 | the seed |
//! | 24 to 31 | the shard's index from 0, and the number of shards |
//! | 32 to 35 | the [signature](crate::Player::signature) of the player |
//! | 36 to 59 | zeros |
//! | 60 to 63 | the CRC-32 of bytes 0 to 59 |
//! | from 64 | records of 50 bytes: a [packed](GameRecord::pack) game, and a CRC-32 |
//!
//! The CRC-32 of a record covers the header's first 60 bytes, the game's number as 8 bytes and the
//! packed game, so that a record is valid only in its own place. Record j of shard i of n is game
//! i + j n.
//!
//! A record is written by a single call. A writer that is killed leaves at most one torn record, at
//! the end, which readers ignore and the next writer removes. Any other damage is an error that
//! names the file and the byte.

mod header;
mod reader;
mod writer;

use std::{
    io,
    path::{Path, PathBuf},
};

pub use header::{Header, HeaderError, Part, PartError};
pub use reader::ShardReader;
pub use writer::ShardWriter;

use crate::record::{GameRecord, ReplayError};

/// The size of a record with its checksum in bytes.
const RECORD: usize = GameRecord::BYTES + 4;

/// An error of reading or writing a shard.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The file cannot be read or written.
    #[error("cannot use the shard {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Another process is writing the shard.
    #[error("the shard {} is being written by another process", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The header is invalid.
    #[error("{}: {error}", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// The error.
        error: HeaderError,
    },
    /// The shard holds games with other settings.
    #[error("the shard {} holds other games: expected {expected}, found {found}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The expected header.
        expected: Header,
        /// The shard's header.
        found: Header,
    },
    /// A record is invalid.
    #[error("the shard {}, byte {offset}, game {game}: {error}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The offset of the record in bytes.
        offset: u64,
        /// The game's number.
        game: u64,
        /// The error.
        error: RecordError,
    },
}

/// The error of an invalid record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The checksum does not match.
    #[error("expected the checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// The checksum of the bytes.
        expected: u32,
        /// The checksum in the record.
        found: u32,
    },
    /// The bytes are not a game.
    #[error(transparent)]
    Game(#[from] ReplayError),
}

impl ShardError {
    fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

/// The checksum of a packed game with a number.
fn checksum(header: &Header, number: u64, packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header.body());
    hasher.update(&number.to_le_bytes());
    hasher.update(packed);
    hasher.finalize()
}

#[cfg(test)]
mod tests;
