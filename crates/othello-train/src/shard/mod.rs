//! Files of games: a header, then records of fixed length that are only ever added.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0 to 7 | `OTHGAMES` |
//! | 8 to 11 | the format, 1 |
//! | 12 to 15 | the least and the most random moves, the depth, the empties to solve from |
//! | 16 to 23 | the seed |
//! | 24 to 31 | the shard's index from 0, and how many shards there are |
//! | 32 to 35 | the [signature](crate::Player::signature) of the player |
//! | 36 to 59 | zeros |
//! | 60 to 63 | the CRC-32 of all before |
//! | 64 on | records of 50 bytes: a [packed](GameRecord::pack) game, and a CRC-32 |
//!
//! The CRC-32 of a record is over the header's first 60 bytes, the game's number as 8 bytes and the packed game,
//! so that a record fits in its own place alone. Record j of shard i of n is game i + j n.
//!
//! A record is written in one piece. A writer that is killed leaves at most one torn record at
//! the end, which the next one takes away and readers leave alone; anything else that is not as
//! it was written is an error that names the file and the byte.

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

/// The bytes of a record with its checksum.
const RECORD: usize = GameRecord::BYTES + 4;

/// A shard that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The system does not let it be read or written.
    #[error("cannot use the shard {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another process writes it.
    #[error("the shard {} is being written by another process", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// It does not begin as a shard does.
    #[error("{}: {error}", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: HeaderError,
    },
    /// It holds other games.
    #[error("the shard {} holds other games: expected {expected}, found {found}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        expected: Header,
        /// What it holds.
        found: Header,
    },
    /// A record is not as it was written.
    #[error("the shard {}, byte {offset}, game {game}: {error}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Where the record begins.
        offset: u64,
        /// The game's number.
        game: u64,
        /// What is wrong.
        error: RecordError,
    },
}

/// A record that is not as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The bytes are not those that were written.
    #[error("expected the checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// That of the bytes.
        expected: u32,
        /// The one told.
        found: u32,
    },
    /// The bytes are no game.
    #[error(transparent)]
    Game(#[from] ReplayError),
}

impl ShardError {
    fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

/// The checksum of a packed game in the place of a number.
fn checksum(header: &Header, number: u64, packed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&header.body());
    hasher.update(&number.to_le_bytes());
    hasher.update(packed);
    hasher.finalize()
}

#[cfg(test)]
mod tests;
