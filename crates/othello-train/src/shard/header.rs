//! The header of a shard, and the parts of a generation.

use std::{fmt, str::FromStr};

use crate::player::{Recipe, RecipeError};

/// The header of a shard. A run resumes a shard only if the headers are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The settings of the games.
    pub recipe: Recipe,
    /// The part of the games.
    pub part: Part,
    /// The [signature](crate::Player::signature) of the player.
    pub player: u32,
}

/// A part of a sequence of games: every n-th game, starting with game i.
///
/// # Examples
///
/// ```
/// use othello_train::shard::Part;
///
/// let part: Part = "1/4".parse()?;
/// assert_eq!((part.game(0), part.game(2)), (1, 9));
/// assert_eq!(part.share_of(10), 3);
/// # Ok::<(), othello_train::shard::PartError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    index: u32,
    count: u32,
}

/// An error: the text or the numbers are not a part. Expected `I/N` with I below N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a part I/N such as 0/4, with I below N")]
pub struct PartError;

/// The error of an invalid header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The bytes do not begin with `OTHGAMES`.
    #[error("expected a shard of games, which begins with OTHGAMES")]
    Magic,
    /// The header is incomplete.
    #[error("expected a header of {} bytes, found {length}", Header::BYTES)]
    Short {
        /// The number of bytes.
        length: usize,
    },
    /// The format is unknown.
    #[error("expected the format {}, found {format}", Header::FORMAT)]
    Format {
        /// The number of the format.
        format: u32,
    },
    /// The checksum does not match.
    #[error("expected the header's checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// The checksum of the bytes.
        expected: u32,
        /// The checksum in the header.
        found: u32,
    },
    /// The part is invalid.
    #[error(transparent)]
    Part(#[from] PartError),
    /// A setting is out of range.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
}

impl Header {
    /// Returns `true` if some game belongs to both shards, regardless of their lengths.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let same = Self {
            part: other.part,
            ..*self
        } == *other;
        same && self.part.overlaps(other.part)
    }
}

impl Part {
    /// All games.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Makes part `index`, counted from 0, of `count` parts.
    ///
    /// # Errors
    ///
    /// Fails if the index is not below the count.
    pub const fn new(index: u32, count: u32) -> Result<Self, PartError> {
        if index < count {
            Ok(Self { index, count })
        } else {
            Err(PartError)
        }
    }

    /// The index of the part, from 0.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The number of parts.
    pub const fn count(self) -> u32 {
        self.count
    }

    /// The number of the game at `place` within the part.
    pub const fn game(self, place: u64) -> u64 {
        self.index as u64 + place * self.count as u64
    }

    /// Returns `true` if some game belongs to both parts: if the indices are equal modulo the greatest
    /// common divisor of the counts.
    pub(crate) const fn overlaps(self, other: Self) -> bool {
        let (mut divisor, mut rest) = (self.count, other.count);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        self.index % divisor == other.index % divisor
    }

    /// The number of games of the part among the first `games` of all.
    pub const fn share_of(self, games: u64) -> u64 {
        games
            .saturating_sub(self.index as u64)
            .div_ceil(self.count as u64)
    }
}

impl FromStr for Part {
    type Err = PartError;

    /// Parses `I/N`.
    fn from_str(text: &str) -> Result<Self, PartError> {
        let (index, count) = text.split_once('/').ok_or(PartError)?;
        match (index.parse(), count.parse()) {
            (Ok(index), Ok(count)) => Self::new(index, count),
            _ => Err(PartError),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl fmt::Display for Header {
    /// Prints the header in the terms of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recipe {
            seed,
            min_random,
            max_random,
            depth,
            solve_from,
        } = self.recipe;
        write!(
            f,
            "seed {seed}, depth {depth}, solved from {solve_from}, {min_random} to \
             {max_random} random moves, shard {}, player {:08x}",
            self.part, self.player
        )
    }
}

impl Header {
    /// The size of a header in bytes.
    pub const BYTES: usize = 64;

    const MAGIC: [u8; 8] = *b"OTHGAMES";
    const FORMAT: u32 = 1;
    /// The size of a header without its checksum in bytes.
    const BODY: usize = Self::BYTES - 4;

    /// The name of the shard's file, within the folder of a generation.
    pub fn file_name(&self) -> String {
        let Self { recipe, part, .. } = self;
        format!("seed{}-{}of{}.games", recipe.seed, part.index, part.count)
    }

    pub(super) fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let body = self.body();
        bytes[..Self::BODY].copy_from_slice(&body);
        bytes[Self::BODY..].copy_from_slice(&crc32fast::hash(&body).to_le_bytes());
        bytes
    }

    /// The header without its checksum. Checksums of records use these bytes, since the CRC-32 of data
    /// followed by its own CRC-32 is a constant.
    pub(crate) fn body(&self) -> [u8; Self::BODY] {
        let recipe = &self.recipe;
        let mut bytes = [0; Self::BODY];
        let mut put = |at: usize, piece: &[u8]| bytes[at..at + piece.len()].copy_from_slice(piece);
        put(0, &Self::MAGIC);
        put(8, &Self::FORMAT.to_le_bytes());
        put(12, &[recipe.min_random, recipe.max_random]);
        put(14, &[recipe.depth, recipe.solve_from]);
        put(16, &recipe.seed.to_le_bytes());
        put(24, &self.part.index.to_le_bytes());
        put(28, &self.part.count.to_le_bytes());
        put(32, &self.player.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, HeaderError> {
        if !bytes.starts_with(&Self::MAGIC) {
            return Err(HeaderError::Magic);
        }
        let short = HeaderError::Short {
            length: bytes.len(),
        };
        let bytes: &[u8; Self::BYTES] = bytes.first_chunk().ok_or(short)?;
        let format = word(bytes, 8);
        if format != Self::FORMAT {
            return Err(HeaderError::Format { format });
        }
        let expected = crc32fast::hash(&bytes[..Self::BODY]);
        let found = word(bytes, Self::BODY);
        if expected != found {
            return Err(HeaderError::Checksum { expected, found });
        }
        let [min_random, max_random, depth, solve_from] = word(bytes, 12).to_le_bytes();
        let recipe = Recipe {
            seed: u64::from(word(bytes, 16)) | u64::from(word(bytes, 20)) << 32,
            min_random,
            max_random,
            depth,
            solve_from,
        };
        recipe.check()?;
        Ok(Self {
            recipe,
            part: Part::new(word(bytes, 24), word(bytes, 28))?,
            player: word(bytes, 32),
        })
    }
}

/// The little-endian number in the four bytes at `at`.
fn word(bytes: &[u8; Header::BYTES], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_overlap_if_they_have_a_game_in_common() {
        let parts: Vec<Part> = (1..7)
            .flat_map(|count| (0..count).map(move |index| Part { index, count }))
            .collect();
        for &one in &parts {
            for &other in &parts {
                let mut games = (0..60).map(|place| one.game(place));
                let expected =
                    games.any(|game| game % u64::from(other.count) == u64::from(other.index));
                assert_eq!(one.overlaps(other), expected, "{one} {other}");
            }
        }
    }
}
