//! Zobrist keys, the same on every machine and in every version.

use boardgame_core::Color;

use crate::{Point, point::CELLS};

/// The key of each stone, by colour and cell.
static STONES: [[u64; CELLS]; 2] = stone_keys();

/// The key for White to move.
const WHITE_TO_MOVE: u64 = split_mix(2 * CELLS as u64);

/// Returns the key for a seed: the finalizer of Steele, Lea and Flood's `SplitMix64`.
const fn split_mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn stone_keys() -> [[u64; CELLS]; 2] {
    let mut keys = [[0; CELLS]; 2];
    let mut number = 0;
    while number < 2 * CELLS {
        keys[number / CELLS][number % CELLS] = split_mix(number as u64);
        number += 1;
    }
    keys
}

/// Returns the key of a stone.
#[inline]
pub(crate) fn stone(color: Color, point: Point) -> u64 {
    STONES[color.index()][point.index()]
}

/// Returns the key of the side to move, 0 for Black.
#[inline]
pub(crate) const fn side_to_move(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => WHITE_TO_MOVE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use std::collections::BTreeSet;

    #[test]
    fn all_keys_are_distinct() {
        let stones = Color::ALL
            .into_iter()
            .flat_map(|color| Size::MAX.points().map(move |point| stone(color, point)));
        let sides = Color::ALL.map(side_to_move);
        let keys: BTreeSet<u64> = stones.chain(sides).collect();
        assert_eq!(keys.len(), 2 * 625 + 2);
    }

    #[test]
    fn keys_match_split_mix() {
        // The first outputs of SplitMix64 with seed 0.
        assert_eq!(STONES[0][0], 0xe220_a839_7b1d_cdaf);
        assert_eq!(STONES[0][1], 0x6e78_9e6a_a1b9_65f4);
    }
}
