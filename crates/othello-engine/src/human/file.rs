//! The file of a model.
//!
//! All numbers are little-endian. After the magic number and the CRC-32 of the rest come the step of the weights of
//! patterns, these weights as signed bytes, the other weights as 32-bit floats, and the positions of the
//! book: a hash, the number of moves, and for each its square and count.

use othello_core::Square;

use super::{Book, Model, RATED, SEARCHED, patterns};

/// The first bytes of a file; the last one is the version.
const MAGIC: [u8; 8] = *b"OTHPEOP\x01";

/// The highest count of a move in a file.
const MAX_COUNT: u32 = 4000;

/// The error of reading a file of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadModelError {
    /// It is a file of something else, or of another version.
    #[error("expected a model of human play")]
    Magic,
    /// It is damaged or incomplete.
    #[error(
        "expected a model of human play with {expected:08x} as its checksum, found {found:08x}"
    )]
    #[allow(missing_docs)]
    Checksum { expected: u32, found: u32 },
}

impl Model {
    /// Returns the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let largest = self
            .patterns
            .iter()
            .fold(0.0, |most: f32, weight| most.max(weight.abs()));
        let step = largest.max(f32::MIN_POSITIVE) / 127.0;
        let mut body = step.to_le_bytes().to_vec();
        body.extend(
            self.patterns
                .iter()
                .map(|weight| (weight / step).round() as i8 as u8),
        );
        let weights = self.rated.iter().chain(&self.searched).flatten();
        let weights = weights.chain([&self.scale]);
        body.extend(weights.flat_map(|weight| weight.to_le_bytes()));
        let mut positions: Vec<_> = self.book.positions.iter().collect();
        positions.sort_unstable_by_key(|(key, _)| **key);
        for (key, moves) in positions {
            let most = moves
                .iter()
                .map(|mv| mv.1)
                .max()
                .unwrap_or(0)
                .max(MAX_COUNT);
            body.extend(key.to_le_bytes());
            body.push(moves.len() as u8);
            for &(square, count) in moves {
                body.push(square.index());
                body.extend(((count * MAX_COUNT).div_ceil(most) as u16).to_le_bytes());
            }
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// Fails if they are not such a file.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadModelError> {
        let bytes = bytes.strip_prefix(&MAGIC).ok_or(ReadModelError::Magic)?;
        let (checksum, body) = bytes.split_first_chunk().ok_or(ReadModelError::Magic)?;
        let (expected, found) = (u32::from_le_bytes(*checksum), crc32fast::hash(body));
        let error = ReadModelError::Checksum { expected, found };
        if expected != found {
            return Err(error);
        }
        Self::read_body(body).ok_or(error)
    }

    fn read_body(mut body: &[u8]) -> Option<Self> {
        let step = f32::from_le_bytes(take(&mut body)?);
        let (weights, rest) = body.split_at_checked(patterns())?;
        let patterns = weights
            .iter()
            .map(|&weight| f32::from(weight as i8) * step)
            .collect();
        body = rest;
        let mut weights = Vec::new();
        for _ in 0..=2 * (RATED + SEARCHED) {
            weights.push(f32::from_le_bytes(take(&mut body)?));
        }
        let scale = weights.pop()?;
        let mut rated = weights.as_chunks().0.to_vec();
        let searched = rated.split_off(RATED);
        let mut book = Book::default();
        while !body.is_empty() {
            let key = u32::from_le_bytes(take(&mut body)?);
            let [count] = take(&mut body)?;
            let mut moves = Vec::with_capacity(count.into());
            for _ in 0..count {
                let square = Square::from_index(u8::from_le_bytes(take(&mut body)?))?;
                moves.push((square, u16::from_le_bytes(take(&mut body)?).into()));
            }
            book.positions.insert(key, moves);
        }
        Some(Self {
            patterns,
            rated,
            searched,
            scale,
            book,
        })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}
