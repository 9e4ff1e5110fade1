//! What a shard holds, in its first bytes.

use std::{fmt, str::FromStr};

use crate::player::{Recipe, RecipeError};

/// What a shard holds: two runs go on with the same one only if these are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How the games are played.
    pub recipe: Recipe,
    /// Which of them.
    pub part: Part,
    /// The [signature](crate::Player::signature) of the player.
    pub player: u32,
}

/// Every n-th game, from the i-th on.
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

/// The text is no part: two numbers were expected, the first below the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a part I/N such as 0/4, with I below N")]
pub struct PartError;

/// Bytes that are no header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// Not the beginning of a shard.
    #[error("expected a shard of games, which begins with OTHGAMES")]
    Magic,
    /// Too short.
    #[error("expected a header of {} bytes, found {length}", Header::BYTES)]
    Short {
        /// The bytes there are.
        length: usize,
    },
    /// Another format.
    #[error("expected the format {}, found {format}", Header::FORMAT)]
    Format {
        /// The number of the format.
        format: u32,
    },
    /// Not the bytes that were written.
    #[error("expected the header's checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// That of the bytes.
        expected: u32,
        /// The one told.
        found: u32,
    },
    /// Not the part of anything.
    #[error(transparent)]
    Part(#[from] PartError),
    /// Not how games are played.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
}

impl Header {
    /// Whether some game belongs to both shards, however long they are.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let same = Self {
            part: other.part,
            ..*self
        } == *other;
        same && self.part.overlaps(other.part)
    }
}

impl Part {
    /// Everything.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// The part of an index, from 0, out of so many.
    ///
    /// # Errors
    ///
    /// When the index is not below the count.
    pub const fn new(index: u32, count: u32) -> Result<Self, PartError> {
        if index < count {
            Ok(Self { index, count })
        } else {
            Err(PartError)
        }
    }

    /// Which part it is, from 0.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many parts there are.
    pub const fn count(self) -> u32 {
        self.count
    }

    /// The number of its game at a place.
    pub const fn game(self, place: u64) -> u64 {
        self.index as u64 + place * self.count as u64
    }

    /// Whether some game belongs to both: those of a part are so many apart, from its index on.
    pub(crate) const fn overlaps(self, other: Self) -> bool {
        let (mut divisor, mut rest) = (self.count, other.count);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        self.index % divisor == other.index % divisor
    }

    /// How many of the first so many games are its own.
    pub const fn share_of(self, games: u64) -> u64 {
        games
            .saturating_sub(self.index as u64)
            .div_ceil(self.count as u64)
    }
}

impl FromStr for Part {
    type Err = PartError;

    /// Reads `I/N`.
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
    /// In the words of the command line.
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
    /// The bytes of a header.
    pub const BYTES: usize = 64;

    const MAGIC: [u8; 8] = *b"OTHGAMES";
    const FORMAT: u32 = 1;
    /// The bytes before the checksum.
    const BODY: usize = Self::BYTES - 4;

    /// The name of the file that holds these games, within the folder of a generation.
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

    /// The bytes before the checksum. A checksum over the whole would be the same for all headers:
    /// that is how a CRC answers to one of its own.
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

/// The number in four bytes.
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
