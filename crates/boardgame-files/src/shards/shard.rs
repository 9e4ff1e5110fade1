//! Shards: the items of the work that a process does.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A shard of a sequence of items: every N-th item, starting with item I.
///
/// # Examples
///
/// ```
/// use boardgame_files::shards::Shard;
///
/// let shard: Shard = "1/4".parse()?;
/// assert_eq!((shard.item(0), shard.item(2)), (1, 9));
/// assert_eq!(shard.share_of(10), 3);
/// # Ok::<(), boardgame_files::shards::ParseShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u32,
    count: u32,
}

/// The error of a text or numbers that are not a shard: expected `I/N` with I below N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a shard I/N such as 0/4, with I below N")]
pub struct ParseShardError;

impl Shard {
    /// All items.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Creates shard `index`, counted from 0, of `count` shards.
    ///
    /// # Errors
    ///
    /// Fails if the index is not below the count.
    pub const fn new(index: u32, count: u32) -> Result<Self, ParseShardError> {
        if index < count {
            Ok(Self { index, count })
        } else {
            Err(ParseShardError)
        }
    }

    /// The index of the shard, from 0.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The number of shards.
    pub const fn count(self) -> u32 {
        self.count
    }

    /// Returns the number of the item at `place` within the shard.
    pub const fn item(self, place: u64) -> u64 {
        self.index as u64 + place * self.count as u64
    }

    /// Returns `true` if the item belongs to the shard.
    pub const fn has(self, item: u64) -> bool {
        item % self.count as u64 == self.index as u64
    }

    /// Returns the number of items of the shard among the first `items`.
    pub const fn share_of(self, items: u64) -> u64 {
        items
            .saturating_sub(self.index as u64)
            .div_ceil(self.count as u64)
    }

    /// Returns `true` if some item belongs to both shards: if the indices are equal modulo the greatest common
    /// divisor of the counts.
    pub const fn overlaps(self, other: Self) -> bool {
        let (mut divisor, mut rest) = (self.count, other.count);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        self.index % divisor == other.index % divisor
    }
}

impl FromStr for Shard {
    type Err = ParseShardError;

    /// Parses `I/N`.
    fn from_str(text: &str) -> Result<Self, ParseShardError> {
        let (index, count) = text.split_once('/').ok_or(ParseShardError)?;
        match (index.parse(), count.parse()) {
            (Ok(index), Ok(count)) => Self::new(index, count),
            _ => Err(ParseShardError),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = ParseShardError;

    fn try_from(text: String) -> Result<Self, ParseShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shards(max: u32) -> impl Strategy<Value = Shard> {
        (1..=max).prop_flat_map(|count| (0..count).prop_map(move |index| Shard { index, count }))
    }

    #[test]
    fn texts_without_two_numbers_in_order_are_no_shards() {
        for text in ["", "1", "4/4", "-1/4", "0/0", "1/x"] {
            assert_eq!(text.parse::<Shard>(), Err(ParseShardError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn shards_read_back(shard in shards(1_000_000)) {
            prop_assert_eq!(shard.to_string().parse(), Ok(shard));
        }

        #[test]
        fn shards_are_a_partition_of_all_items(count in 1_u32..20, items in 0_u64..200) {
            let mut all = Vec::new();
            for index in 0..count {
                let shard = Shard::new(index, count).unwrap();
                let own: Vec<u64> = (0..items).filter(|&item| shard.has(item)).collect();
                let by_place = (0..shard.share_of(items)).map(|place| shard.item(place));
                prop_assert!(by_place.eq(own.iter().copied()));
                all.extend(own);
            }
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..items));
        }

        #[test]
        fn shards_overlap_if_they_have_an_item_in_common(one in shards(9), other in shards(9)) {
            let common = (0..9 * 8).any(|item| one.has(item) && other.has(item));
            prop_assert_eq!(one.overlaps(other), common);
        }
    }
}
