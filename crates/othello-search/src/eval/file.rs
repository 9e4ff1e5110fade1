//! The file format of evaluation weights.
//!
//! All numbers are little-endian:
//!
//! | offset | bytes | content |
//! |---:|---:|---|
//! | 0 | 8 | `othello` and a zero byte |
//! | 8 | 4 | the version of this format, 4 |
//! | 12 | 4 | CRC-32 of all following bytes |
//! | 16 | 4 | CRC-32 of the pattern table of the weights |
//! | 20 | 4 | the shift |
//! | 24 | 60 × 260 | heads for disc counts 4 to 63: 64 weights above 0, 64 below (16 bits), a bias (32) |
//! | 15624 | 16,835 | a bit for each row, lowest bit of each byte first: whether the row is stored |
//! | 32459 | 64 each | the stored rows in order: 64 weights from −63 to 63; the other rows are zero |

use super::{
    ROWS,
    patterns::SHAPES,
    weights::{HEADS, HIDDEN, Head, MAX_SHIFT, MAX_WEIGHT, Weights},
};

/// The error of reading a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReadWeightsError {
    /// The file is not a file of weights.
    #[error("expected evaluation weights, which begin with {expected}")]
    Magic { expected: &'static str },
    /// The file has another version of the format.
    #[error("expected version {expected} of the format of weights at offset 8, but found {found}")]
    Version { expected: u32, found: u32 },
    /// The file ends early.
    #[error("expected {expected} bytes of weights, but the file ends after {found}")]
    Truncated { expected: usize, found: usize },
    /// There are bytes after the last row.
    #[error("expected the weights to end at offset {expected}, but the file has {found} bytes")]
    TooLong { expected: usize, found: usize },
    /// The checksum does not match.
    #[error(
        "expected weights with the checksum {expected:#010x} of offset 12, but found {found:#010x}"
    )]
    Checksum { expected: u32, found: u32 },
    /// The weights are for other patterns.
    #[error(
        "expected weights for the patterns {PATTERNS:#010x} at offset 16, but found {found:#010x}"
    )]
    Patterns { found: u32 },
    /// There is not enough memory.
    #[error("the system has no memory for the evaluation")]
    Memory,
    /// A number is outside its range.
    #[error("expected a number in range at offset {offset}: {what}")]
    Range { offset: usize, what: &'static str },
}

const MAGIC: [u8; 8] = *b"othello\0";
const VERSION: u32 = 4;

/// The CRC-32 of the pattern table, which identifies the patterns of models and files of weights.
pub const PATTERNS: u32 = {
    // CRC-32 bit by bit: the fast crate cannot run at compile time.
    let mut crc = u32::MAX;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let squares = SHAPES[shape].squares;
        let mut at = 0;
        while at <= squares.len() {
            let byte = if at < squares.len() {
                squares[at].index()
            } else {
                u8::MAX
            };
            crc ^= byte as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
                bit += 1;
            }
            at += 1;
        }
        shape += 1;
    }
    !crc
};

/// The offset of the first byte covered by the checksum.
const CHECKED: usize = 16;
const SHIFT: usize = 20;
const FIRST: usize = 24;
const STORED_BYTES: usize = ROWS.div_ceil(8);
/// The size of a head's weights for one side of 0.
const SIDE_BYTES: usize = 2 * HIDDEN;
const HEAD_BYTES: usize = 2 * SIDE_BYTES + 4;
/// The offset of the bits that mark stored rows.
const STORED: usize = FIRST + HEADS * HEAD_BYTES;
const FIRST_ROW: usize = STORED + STORED_BYTES;

impl<'a> Weights<'a> {
    /// Reads a file of weights without copying the rows.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are damaged, incomplete, or for another pattern table.
    pub fn read(bytes: &'a [u8]) -> Result<Self, ReadWeightsError> {
        let found = bytes.len();
        let truncated = |expected| ReadWeightsError::Truncated { expected, found };
        if !bytes.starts_with(&MAGIC) {
            return Err(if MAGIC.starts_with(bytes) {
                truncated(FIRST)
            } else {
                ReadWeightsError::Magic {
                    expected: "\"othello\" and a zero byte",
                }
            });
        }
        if found < FIRST {
            return Err(truncated(FIRST));
        }
        let version = number(bytes, MAGIC.len());
        if version != VERSION {
            return Err(ReadWeightsError::Version {
                expected: VERSION,
                found: version,
            });
        }
        if found < FIRST_ROW {
            return Err(truncated(FIRST_ROW));
        }
        let stored = &bytes[STORED..FIRST_ROW];
        let count: u32 = stored.iter().map(|byte| byte.count_ones()).sum();
        check(bytes, FIRST_ROW + count as usize * HIDDEN)?;
        Self::read_checked(bytes)
    }

    /// Reads bytes whose size and checksum have been verified.
    fn read_checked(bytes: &'a [u8]) -> Result<Self, ReadWeightsError> {
        let shift = number(bytes, SHIFT);
        if !(1..=MAX_SHIFT).contains(&shift) {
            return Err(ReadWeightsError::Range {
                offset: SHIFT,
                what: "a shift from 1 to 24",
            });
        }
        let stored = &bytes[STORED..FIRST_ROW];
        // The last byte has no padding bits if the number of rows is a multiple of eight.
        if stored
            .get(ROWS / 8)
            .is_some_and(|last| last >> (ROWS % 8) != 0)
        {
            return Err(ReadWeightsError::Range {
                offset: STORED + ROWS / 8,
                what: "no bit set beyond that of the last row",
            });
        }
        let mut heads = Vec::with_capacity(HEADS);
        for offset in (FIRST..STORED).step_by(HEAD_BYTES) {
            let head = read_head(&bytes[offset..offset + HEAD_BYTES]);
            if !head.fits(shift) {
                return Err(ReadWeightsError::Range {
                    offset,
                    what: "a head whose sums fit into 32 bits",
                });
            }
            heads.push(head);
        }
        let rows = &bytes[FIRST_ROW..];
        let is_large = |byte: &u8| byte.cast_signed().unsigned_abs() > MAX_WEIGHT.unsigned_abs();
        if let Some(at) = rows.iter().position(is_large) {
            return Err(ReadWeightsError::Range {
                offset: FIRST_ROW + at,
                what: "a number of a row from -63 to 63",
            });
        }
        Ok(Self {
            shift,
            heads: heads.into(),
            stored: stored.into(),
            rows: rows.as_chunks().0.into(),
        })
    }

    /// Encodes the weights as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FIRST_ROW + self.rows.len() * HIDDEN);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(PATTERNS.to_le_bytes());
        bytes.extend(self.shift.to_le_bytes());
        for head in self.heads.iter() {
            let weights = head.above.iter().chain(&head.below);
            bytes.extend(weights.flat_map(|weight| weight.to_le_bytes()));
            bytes.extend(head.bias.to_le_bytes());
        }
        bytes.extend(self.stored.iter());
        bytes.extend(self.rows.as_flattened());
        seal(&mut bytes);
        bytes
    }
}

/// Checks the size, the checksum and the pattern table of a file.
pub(super) fn check(bytes: &[u8], expected: usize) -> Result<(), ReadWeightsError> {
    let found = bytes.len();
    if found < expected {
        return Err(ReadWeightsError::Truncated { expected, found });
    }
    if found > expected {
        return Err(ReadWeightsError::TooLong { expected, found });
    }
    let (expected, found) = (
        number(bytes, CHECKED - 4),
        crc32fast::hash(&bytes[CHECKED..]),
    );
    if expected != found {
        return Err(ReadWeightsError::Checksum { expected, found });
    }
    let found = number(bytes, CHECKED);
    if found != PATTERNS {
        return Err(ReadWeightsError::Patterns { found });
    }
    Ok(())
}

/// Writes the checksum of all following bytes into its place.
pub(super) fn seal(bytes: &mut [u8]) {
    let checksum = crc32fast::hash(&bytes[CHECKED..]);
    bytes[CHECKED - 4..CHECKED].copy_from_slice(&checksum.to_le_bytes());
}

/// The 32-bit number at an offset.
pub(super) fn number(bytes: &[u8], offset: usize) -> u32 {
    let bytes = bytes[offset..]
        .first_chunk()
        .expect("the length is checked");
    u32::from_le_bytes(*bytes)
}

/// Reads a head: the weights above 0, the weights below 0, and the bias.
fn read_head(bytes: &[u8]) -> Head {
    let side = |bytes: &[u8; SIDE_BYTES]| {
        let weights = bytes.as_chunks().0;
        std::array::from_fn(|at| i16::from_le_bytes(weights[at]))
    };
    let (sides, bias) = bytes.as_chunks();
    Head {
        above: side(&sides[0]),
        below: side(&sides[1]),
        bias: number(bias, 0).cast_signed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::model::tests::RANDOM;

    fn sample() -> Vec<u8> {
        Weights::quantized(&RANDOM).unwrap().to_bytes()
    }

    /// Returns a file with a changed number and a valid checksum.
    fn with_number(offset: usize, number: u32) -> Vec<u8> {
        let mut bytes = sample();
        bytes[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
        seal(&mut bytes);
        bytes
    }

    fn error(bytes: &[u8]) -> ReadWeightsError {
        Weights::read(bytes).expect_err("these are no weights")
    }

    #[test]
    fn weights_round_trip_through_bytes() {
        let weights = Weights::quantized(&RANDOM).unwrap();
        let bytes = weights.to_bytes();
        assert!(weights.stored_rows() > ROWS / 2 && weights.stored_rows() < ROWS);
        assert_eq!(bytes.len(), FIRST_ROW + HIDDEN * weights.stored_rows());
        assert_eq!(Weights::read(&bytes).unwrap(), weights);
    }

    #[test]
    fn a_file_with_every_row_takes_less_than_nine_megabytes() {
        const { assert!(FIRST_ROW + HIDDEN * ROWS <= 9_000_000) };
        assert_eq!(
            [STORED, FIRST_ROW],
            [15_624, 32_459],
            "as the table above says"
        );
    }

    #[test]
    fn other_files_are_rejected() {
        let bytes = sample();
        let magic = ReadWeightsError::Magic {
            expected: "\"othello\" and a zero byte",
        };
        assert_eq!(error(b"<!DOCTYPE html>"), magic);
        assert_eq!(error(&vec![0; bytes.len()]), magic);
        let other = with_number(8, 3);
        assert_eq!(
            error(&other).to_string(),
            "expected version 4 of the format of weights at offset 8, but found 3"
        );
        let other = with_number(16, 0);
        assert_eq!(error(&other), ReadWeightsError::Patterns { found: 0 });
    }

    #[test]
    fn files_of_other_lengths_are_rejected() {
        let mut bytes = sample();
        let whole = bytes.len();
        for found in [
            0,
            3,
            8,
            23,
            24,
            100,
            STORED,
            FIRST_ROW - 1,
            FIRST_ROW,
            whole - 1,
        ] {
            let ReadWeightsError::Truncated {
                expected,
                found: said,
            } = error(&bytes[..found])
            else {
                panic!("{found} bytes are too few");
            };
            assert!(said == found && found < expected && expected <= whole);
        }
        bytes.push(0);
        let (expected, found) = (whole, whole + 1);
        assert_eq!(error(&bytes), ReadWeightsError::TooLong { expected, found });
    }

    #[test]
    fn any_flipped_bit_is_detected() {
        let bytes = sample();
        for step in 0..30 {
            let offset = 12 + step * 104_729 % (bytes.len() - 12);
            let mut changed = bytes.clone();
            changed[offset] ^= 1 << (step % 8);
            assert!(Weights::read(&changed).is_err(), "offset {offset}");
        }
        let mut changed = bytes.clone();
        changed[FIRST_ROW] ^= 1;
        assert!(matches!(error(&changed), ReadWeightsError::Checksum { .. }));
    }

    #[test]
    fn errors_give_the_offset_of_a_number_out_of_range() {
        let place = |bytes: &[u8]| match error(bytes) {
            ReadWeightsError::Range { offset, .. } => offset,
            other => panic!("{other}"),
        };
        assert_eq!(place(&with_number(SHIFT, 0)), SHIFT);
        assert_eq!(place(&with_number(SHIFT, 25)), SHIFT);
        let second = FIRST + HEAD_BYTES;
        let bias = second + HEAD_BYTES - 4;
        assert_eq!(place(&with_number(bias, i32::MAX as u32)), second);
        let row = FIRST_ROW + 2 * HIDDEN;
        // −128, −64, 64 and 127, each after numbers in range.
        for beyond in [0x80, 0xc0, 0x40, 0x7f] {
            let bytes = u32::from_le_bytes([0x3f, 0xc1, beyond, 0]);
            assert_eq!(place(&with_number(row, bytes)), row + 2, "{beyond:#x}");
        }
    }

    #[test]
    fn the_checksum_of_the_patterns_is_that_of_the_others() {
        let mut squares = Vec::new();
        for shape in &SHAPES {
            squares.extend(shape.squares.iter().map(|square| square.index()));
            squares.push(u8::MAX);
        }
        assert_eq!(PATTERNS, crc32fast::hash(&squares));
    }
}
