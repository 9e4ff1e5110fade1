//! The format of a book's file.

use othello_core::{Bitboard, Position, Square};

/// The first bytes of a file, with the version of the format.
const MAGIC: &[u8; 8] = b"OthBook1";

/// The size of the header and of a record, in bytes.
pub(super) const HEADER: usize = 24;
pub(super) const RECORD: usize = 23;

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

impl BookError {
    /// Returns the error of a record, by its index.
    pub const fn of_record(index: usize, fault: &'static str) -> Self {
        Self::Record {
            offset: HEADER + index * RECORD,
            fault,
        }
    }
}

/// A record of a book's file: a canonical position with what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub position: Position,
    /// The value of the best move, in hundredths of a disc.
    pub value: i16,
    /// The best move that leads out of the book, or `None` if none is known, as when all moves stay in it.
    pub leaf: Option<LeafRecord>,
}

/// The best move of a position that leads out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafRecord {
    /// The move.
    pub square: Square,
    /// Its value, in hundredths of a disc.
    pub value: i16,
    /// The depth of its search in plies and the confidence in percent, or `None` if the value is exact.
    pub effort: Option<(u8, u8)>,
}

/// Returns the bytes of a file with these records, in ascending order of positions, and the checksum of the weights.
pub fn to_bytes(weights: u32, records: impl IntoIterator<Item = Record>) -> Vec<u8> {
    let mut bytes = vec![0; HEADER];
    bytes.extend(records.into_iter().flat_map(Record::to_bytes));
    let (header, records) = bytes.split_at_mut(HEADER);
    header[..8].copy_from_slice(MAGIC);
    let mut set = |offset, number: u32| {
        header[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
    };
    set(8, (records.len() / RECORD) as u32);
    set(12, weights);
    set(16, crc32fast::hash(records));
    let checksum = crc32fast::hash(&bytes[..HEADER - 4]);
    bytes[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Checks the header, the size and the checksums of a file, and returns the checksum of the weights.
pub(super) fn check(bytes: &[u8]) -> Result<u32, BookError> {
    if !bytes.starts_with(MAGIC) {
        return Err(BookError::Magic);
    }
    let (header, records) = bytes.split_at_checked(HEADER).ok_or(BookError::Header)?;
    if crc32fast::hash(&header[..HEADER - 4]) != number(header, HEADER - 4) {
        return Err(BookError::Header);
    }
    let expected = HEADER as u64 + u64::from(number(header, 8)) * RECORD as u64;
    if expected != bytes.len() as u64 {
        let found = bytes.len() as u64;
        return Err(BookError::Size { expected, found });
    }
    let (expected, found) = (records_checksum(header), crc32fast::hash(records));
    if expected != found {
        return Err(BookError::Checksum { expected, found });
    }
    Ok(number(header, 12))
}

/// Returns the checksum of all records, by a header.
pub(super) fn records_checksum(header: &[u8]) -> u32 {
    number(header, 16)
}

fn number(header: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(array(header, offset))
}

/// Returns the discs of both sides in a record, its key.
pub(super) fn key(record: &[u8; RECORD]) -> (u64, u64) {
    let discs = |offset| u64::from_le_bytes(array(record, offset));
    (discs(0), discs(8))
}

impl Record {
    fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.position.own().0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.position.opponent().0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.value.to_le_bytes());
        bytes[20] = NO_MOVE;
        if let Some(leaf) = self.leaf {
            bytes[18..20].copy_from_slice(&leaf.value.to_le_bytes());
            bytes[20] = leaf.square as u8;
            (bytes[21], bytes[22]) = leaf.effort.unwrap_or((EXACT, 100));
        }
        bytes
    }

    /// Reads a record; an error is the rule that it breaks, as an expectation.
    pub(super) fn read(bytes: &[u8; RECORD]) -> Result<Self, &'static str> {
        let (own, opponent) = key(bytes);
        let position = Position::new(Bitboard(own), Bitboard(opponent))
            .map_err(|_| "expected disjoint sets of discs")?;
        let value = |offset| match i16::from_le_bytes(array(bytes, offset)) {
            hundredths @ -6400..=6400 => Ok(hundredths),
            _ => Err("expected a value from -64 to 64 discs"),
        };
        let (depth, confidence) = (bytes[21], bytes[22]);
        let leaf = match (bytes[20], depth) {
            (NO_MOVE, 0) if confidence == 0 && bytes[18..20] == [0, 0] => None,
            (square @ 0..NO_MOVE, 0..=60 | EXACT) if confidence <= 100 => Some(LeafRecord {
                square: Square::ALL[usize::from(square)],
                value: value(18)?,
                effort: (depth != EXACT).then_some((depth, confidence)),
            }),
            _ => {
                return Err(
                    "expected a move from 0 to 63, a depth to 60 or 255, and a percentage; or 64 and zeros",
                );
            }
        };
        Ok(Self {
            position,
            value: value(16)?,
            leaf,
        })
    }
}

/// Returns the bytes at an offset.
fn array<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[offset + index])
}
