//! The format of a book's file.

use othello_core::{Bitboard, Position, Square};

use super::{Book, Entry, Leaf};
use crate::{Discs, Source};

/// The first bytes of a file, with the version of the format.
const MAGIC: &[u8; 8] = b"OthBook1";

/// The size of the header and of a record, in bytes.
const HEADER: usize = 24;
const RECORD: usize = 23;

/// The number of the move of a record without a leaf.
const NO_MOVE: u8 = 64;

/// The depth of an exact value.
const EXACT: u8 = 255;

/// A reason why a file is no book.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The file does not begin like a book.
    #[error("offset 0: expected an Othello book (`OthBook1`)")]
    Magic,
    /// The header is cut or changed.
    #[error("offset 20: expected a header of 24 bytes with its checksum")]
    Header,
    /// The file is longer or shorter than its header says.
    #[error("offset 8: expected {expected} bytes, but the file has {found}")]
    Size {
        /// The size by the header.
        expected: u64,
        /// The size of the file.
        found: u64,
    },
    /// The records do not match their checksum.
    #[error(
        "offset 24: expected records with the checksum {expected:#010x}, but found {found:#010x}"
    )]
    Checksum {
        /// The checksum in the header.
        expected: u32,
        /// The checksum of the records.
        found: u32,
    },
    /// A record contradicts the rules, the order or another record.
    #[error("offset {offset}: {fault}")]
    Record {
        /// The offset of the record.
        offset: usize,
        /// The rule that it breaks, as an expectation.
        fault: &'static str,
    },
}

impl Book {
    /// Returns the book as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let records: Vec<u8> = self
            .entries()
            .flat_map(|(position, entry)| record(position, &entry))
            .collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.len() as u32).to_le_bytes());
        bytes.extend(self.weights.to_le_bytes());
        bytes.extend(crc32fast::hash(&records).to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(records);
        bytes
    }

    /// Reads the bytes of a file, and checks that no two values contradict each other.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are no book, with the place.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        if !bytes.starts_with(MAGIC) {
            return Err(BookError::Magic);
        }
        let (header, records) = bytes.split_at_checked(HEADER).ok_or(BookError::Header)?;
        let number = |offset| u32::from_le_bytes(array(header, offset));
        if crc32fast::hash(&header[..HEADER - 4]) != number(HEADER - 4) {
            return Err(BookError::Header);
        }
        let expected = HEADER as u64 + u64::from(number(8)) * RECORD as u64;
        if expected != bytes.len() as u64 {
            let found = bytes.len() as u64;
            return Err(BookError::Size { expected, found });
        }
        let (expected, found) = (number(16), crc32fast::hash(records));
        if expected != found {
            return Err(BookError::Checksum { expected, found });
        }
        let mut book = Self::new(number(12));
        let error = |index, fault| BookError::Record {
            offset: HEADER + index * RECORD,
            fault,
        };
        for (index, record) in records.chunks_exact(RECORD).enumerate() {
            let (position, entry) = read(record).map_err(|fault| error(index, fault))?;
            if book
                .entries
                .last_key_value()
                .is_some_and(|(last, _)| *last >= position)
            {
                return Err(error(index, "expected positions in ascending order"));
            }
            book.entries.insert(position, entry);
        }
        for (index, (position, entry)) in book.entries.iter().enumerate() {
            if let Some(fault) = book.fault(*position, entry) {
                return Err(error(index, fault));
            }
        }
        Ok(book)
    }
}

fn record(position: Position, entry: &Entry) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..8].copy_from_slice(&position.own().0.to_le_bytes());
    bytes[8..16].copy_from_slice(&position.opponent().0.to_le_bytes());
    let score = |discs: Discs| (discs.hundredths() as i16).to_le_bytes();
    bytes[16..18].copy_from_slice(&score(entry.value));
    bytes[20] = NO_MOVE;
    if let Some(leaf) = entry.leaf {
        bytes[18..20].copy_from_slice(&score(leaf.score));
        bytes[20] = leaf.square as u8;
        (bytes[21], bytes[22]) = match leaf.source {
            Source::Depth { depth, confidence } => (depth as u8, confidence),
            Source::Exact | Source::Over => (EXACT, 100),
        };
    }
    bytes
}

fn read(record: &[u8]) -> Result<(Position, Entry), &'static str> {
    let board = |offset| Bitboard(u64::from_le_bytes(array(record, offset)));
    let position =
        Position::new(board(0), board(8)).map_err(|_| "expected disjoint sets of discs")?;
    let score = |offset| match i16::from_le_bytes(array(record, offset)) {
        hundredths @ -6400..=6400 => Ok(Discs::from_hundredths(hundredths.into())),
        _ => Err("expected a value from -64 to 64 discs"),
    };
    let (depth, confidence) = (record[21], record[22]);
    let leaf = match (record[20], depth) {
        (NO_MOVE, 0) if confidence == 0 && record[18..20] == [0, 0] => None,
        (square @ 0..NO_MOVE, 0..=60 | EXACT) if confidence <= 100 => Some(Leaf {
            square: Square::ALL[usize::from(square)],
            score: score(18)?,
            source: if depth == EXACT {
                Source::Exact
            } else {
                let depth = depth.into();
                Source::Depth { depth, confidence }
            },
        }),
        _ => {
            return Err(
                "expected a move from 0 to 63, a depth to 60 or 255, and a percentage; or 64 and zeros",
            );
        }
    };
    let value = score(16)?;
    Ok((position, Entry { value, leaf }))
}

/// Returns the bytes at an offset.
fn array<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[offset + index])
}
