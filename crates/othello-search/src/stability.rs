//! Stable discs, which can never be flipped again.

use othello_core::{Backend, Bitboard, Position};

use crate::{
    bits::{NOT_A, NOT_H, squares},
    score::Discs,
};

/// For each pattern of an edge, the discs that no sequence of moves along the edge can flip.
///
/// The index is ternary: [`TERNARY`] of the own discs plus twice [`TERNARY`] of the opponent's.
static EDGE_STABLE: [u8; 6561] = edge_stable();

/// The value of an eight-bit set read as ternary digits.
static TERNARY: [u16; 256] = ternary();

/// A subset of the opponent's stable discs, found from the edges inwards.
///
/// A disc is stable if each of the four lines through it is full or has a neighbour that is the edge or a stable disc
/// of the same colour. The method is from Edax (`get_stability`), but stops once there are `enough` stable discs.
#[inline(always)]
pub(crate) fn stable_opponent<B: Backend>(backend: B, position: Position, enough: u32) -> u64 {
    backend.vectorize(
        #[inline(always)]
        || stable_discs(position.own().0, position.opponent().0, enough),
    )
}

#[inline(always)]
fn stable_discs(own: u64, opponent: u64, enough: u32) -> u64 {
    let full = full_lines(own | opponent);
    let central = opponent & 0x007e_7e7e_7e7e_7e00;
    let mut stable = stable_on_edges(own, opponent) & opponent;
    stable |= full[0] & full[1] & full[2] & full[3] & central;
    if stable == 0 || stable.count_ones() >= enough {
        return stable;
    }
    loop {
        let row = (stable & NOT_H) << 1 | (stable & NOT_A) >> 1 | full[0];
        let column = stable << 8 | stable >> 8 | full[1];
        let falling = (stable & NOT_H) << 9 | (stable & NOT_A) >> 9 | full[2];
        let rising = (stable & NOT_A) << 7 | (stable & NOT_H) >> 7 | full[3];
        let found = row & column & falling & rising & central & !stable;
        stable |= found;
        if found == 0 || stable.count_ones() >= enough {
            return stable;
        }
    }
}

/// An upper bound on the value from the opponent's stable discs, if it does not exceed `alpha`.
#[inline(always)]
pub(crate) fn stability_bound<B: Backend>(
    backend: B,
    position: Position,
    empties: u32,
    alpha: Discs,
) -> Option<Discs> {
    let alpha = alpha.get();
    let enough = ((65 - alpha).max(0) / 2) as u32;
    let spare = SPARE_DISCS[(empties as usize).min(SPARE_DISCS.len() - 1)];
    if position.opponent().count() < enough + spare {
        return None;
    }
    let stable = stable_opponent(backend, position, enough).count_ones();
    let bound = 64 - 2 * stable as i32;
    (bound <= alpha).then_some(Discs::new(bound))
}

/// The discs on corners, and on edges directly next to a corner disc; all of them are stable.
#[inline(always)]
pub(crate) fn stable_at_corners(discs: u64) -> u64 {
    let corners = discs & Bitboard::CORNERS.0;
    let along = (corners & NOT_H) << 1 | (corners & NOT_A) >> 1;
    let beside = along | corners << 8 | corners >> 8;
    corners | beside & discs
}

/// The minimum number of the opponent's discs beyond those that must be stable, by the number of empty squares, with
/// which a stability cutoff is likely enough to be tried; the last number applies to more empties too.
const SPARE_DISCS: [u32; 11] = [0, 0, 0, 0, 7, 9, 6, 8, 6, 7, 6];

/// The edge discs of both sides that are stable along their edge.
///
/// An edge disc can only be flipped along its edge, because the other lines through it end there.
#[inline(always)]
pub(crate) fn stable_on_edges(own: u64, opponent: u64) -> u64 {
    let edge = |own: u64, opponent: u64| {
        let index = TERNARY[own as usize] + 2 * TERNARY[opponent as usize];
        u64::from(EDGE_STABLE[index as usize])
    };
    let top = edge(own & 0xff, opponent & 0xff);
    let bottom = edge(own >> 56, opponent >> 56) << 56;
    let left = from_row(edge(column_a(own), column_a(opponent)));
    let right = from_row(edge(column_a(own >> 7), column_a(opponent >> 7))) << 7;
    top | bottom | left | right
}

/// Column a as a row: bit `n` is row `n`.
#[inline(always)]
fn column_a(discs: u64) -> u64 {
    (discs & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The inverse of [`column_a`].
#[inline(always)]
fn from_row(row: u64) -> u64 {
    // Eight copies of the row; row `n` keeps its bit `n`, moved down to column a.
    let diagonal = row.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    ((diagonal + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101
}

/// The row, the column and the two diagonals through each square.
static LINES: [Lines; 64] = {
    let mut table = [Lines([0; 4]); 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let right = to % 8 - from % 8;
            let down = to / 8 - from / 8;
            let met = [down == 0, right == 0, right == down, right == -down];
            let mut axis = 0;
            while axis < 4 {
                if met[axis] {
                    table[from as usize].0[axis] |= 1 << to;
                }
                axis += 1;
            }
            to += 1;
        }
        from += 1;
    }
    table
};

/// A set of squares for each of the four axes, loaded as one vector.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Lines([u64; 4]);

/// The squares whose row, column, falling and rising diagonal are full.
#[inline(always)]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut open = [0; 4];
    for square in squares(!discs) {
        let lines = &LINES[usize::from(square.index())].0;
        for (open, line) in open.iter_mut().zip(lines) {
            *open |= line;
        }
    }
    open.map(|open| !open)
}

const fn ternary() -> [u16; 256] {
    let mut table = [0; 256];
    let mut set: usize = 1;
    while set < 256 {
        table[set] = table[set & (set - 1)] + 3u16.pow(set.trailing_zeros());
        set += 1;
    }
    table
}

/// Works backwards from full edges: a disc is stable if no disc placed on the edge, by either side, flips it or leads
/// to an edge on which it is not stable.
#[allow(long_running_const_eval)]
const fn edge_stable() -> [u8; 6561] {
    let ternary = ternary();
    let mut table = [0; 6561];
    let mut discs: usize = 256;
    // A placement adds a disc, so the set of discs increases as a number too.
    while discs > 0 {
        discs -= 1;
        let mut own = discs;
        loop {
            let opponent = discs ^ own;
            table[(ternary[own] + 2 * ternary[opponent]) as usize] =
                stable_on_edge(own as u8, opponent as u8, &table, &ternary);
            if own == 0 {
                break;
            }
            own = (own - 1) & discs;
        }
    }
    table
}

const fn stable_on_edge(own: u8, opponent: u8, table: &[u8; 6561], ternary: &[u16; 256]) -> u8 {
    let mut stable = own | opponent;
    let mut square = 0;
    while square < 8 {
        let placed = 1u8 << square;
        if (own | opponent) & placed == 0 {
            let flips = edge_flips(square, own, opponent);
            let index = ternary[(own | placed | flips) as usize]
                + 2 * ternary[(opponent & !flips) as usize];
            stable &= table[index as usize] & !flips;
            let flips = edge_flips(square, opponent, own);
            let index = ternary[(own & !flips) as usize]
                + 2 * ternary[(opponent | placed | flips) as usize];
            stable &= table[index as usize] & !flips;
        }
        square += 1;
    }
    stable
}

const fn edge_flips(square: i32, own: u8, opponent: u8) -> u8 {
    let mut flips = 0;
    let mut step = -1;
    while step <= 1 {
        let mut run = 0;
        let mut at = square + step;
        while 0 <= at && at < 8 && opponent & (1 << at) != 0 {
            run |= 1 << at;
            at += step;
        }
        if 0 <= at && at < 8 && own & (1 << at) != 0 {
            flips |= run;
        }
        step += 2;
    }
    flips
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use othello_core::{Bitboard, Position};

    use super::*;
    use crate::testing::{orientations, random_play, scattered};

    /// The discs of the opponent that can be flipped in some continuation.
    fn flippable(position: Position, seen: &mut HashSet<Position>) -> u64 {
        let watched = position.opponent().0;
        let mut flipped = 0;
        let mut open = vec![(position, true)];
        while let Some((position, watched_moved)) = open.pop() {
            if !seen.insert(position) {
                continue;
            }
            let holder = if watched_moved {
                position.opponent()
            } else {
                position.own()
            };
            flipped |= watched & !holder.0;
            let next = !watched_moved;
            if position.must_pass() {
                open.push((position.passed(), next));
            }
            open.extend(
                position
                    .legal_moves()
                    .into_iter()
                    .map(|square| (position.play_unchecked(square), next)),
            );
        }
        flipped
    }

    #[test]
    fn stable_discs_are_never_flipped() {
        let mut found = 0;
        for seed in 0..120 {
            let position = random_play(seed, 6 + seed as u32 % 2);
            let stable = stable_discs(position.own().0, position.opponent().0, 64);
            let flipped = flippable(position, &mut HashSet::new());
            assert_eq!(stable & flipped, 0, "{position:?}");
            assert_eq!(stable & !position.opponent().0, 0, "{position:?}");
            found += stable.count_ones();
        }
        assert!(found > 500, "only {found} discs found stable");
    }

    #[test]
    fn the_count_is_the_same_in_all_orientations() {
        for seed in 0..200 {
            for position in [random_play(seed, 20), scattered(seed, 12)] {
                let counts = orientations(position).map(|position| {
                    stable_discs(position.own().0, position.opponent().0, 64).count_ones()
                });
                assert_eq!(counts, [counts[0]; 8], "{position:?}");
            }
        }
    }

    #[test]
    fn corners_and_adjacent_edge_discs_are_stable() {
        let edge = Position::new(Bitboard(0x10), Bitboard(0x0f | 1 << 63)).unwrap();
        let stable = stable_discs(edge.own().0, edge.opponent().0, 64);
        assert_eq!(stable, 0x0f | 1 << 63);
        assert_eq!(stable_at_corners(0x0f), 0x03);
        assert_eq!(stable_at_corners(!0).count_ones(), 12);
        assert_eq!(stable_at_corners(!1 & 0xffff), 0x80c0);
    }

    #[test]
    fn lines_are_full_when_they_hold_no_empty_square() {
        let all_but = |square: u32| full_lines(!(1 << square));
        // With d3 (square 19) empty.
        assert_eq!(!all_but(19)[0], 0x0000_0000_00ff_0000);
        assert_eq!(!all_but(19)[1], 0x0808_0808_0808_0808);
        assert_eq!(!all_but(19)[2], 0x0080_4020_1008_0402);
        assert_eq!(!all_but(19)[3], 0x0000_0102_0408_1020);
    }
}
