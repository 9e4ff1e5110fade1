//! The mobility of the side to move, which the patterns do not tell.
//!
//! Two tables stand beside those of the patterns: one by the number of legal moves, the other by how many of them go
//! to corners, X-squares and the rest of the edge. A position selects a row of each, as a pattern instance does.
//! neural-reversi, too, has the number of legal moves as an input beside its patterns.
//!
//! The checksum of the patterns does not cover these tables: a change to them raises `VERSION` in `file.rs` and
//! `REVISION` of the fit.

use othello_core::Bitboard;

/// The number of tables, from each of which a position selects a row.
pub(super) const TABLES: usize = 2;

/// The number of rows of both tables.
pub(super) const MOBILITY_ROWS: usize = COUNTS + CORNERS * X_SQUARES * EDGES;

/// The counts of legal moves with a row of their own, 0 to 23; greater ones are rare and share the last.
const COUNTS: usize = 24;

/// The counts of moves to corners, 0 to 4.
const CORNERS: usize = 5;
/// The counts of moves to X-squares, 0 to 4.
const X_SQUARES: usize = 5;
/// The counts of moves to the edge with a row of their own, 0 to 11; greater ones share the last.
const EDGES: usize = 12;

/// The squares of the edge between the corners.
const EDGE_SET: Bitboard = Bitboard(Bitboard::EDGES.0 & !Bitboard::CORNERS.0);

/// Returns the rows of a position with these legal moves, below [`MOBILITY_ROWS`].
#[inline(always)]
pub(super) fn rows(moves: Bitboard) -> [usize; TABLES] {
    let count = |set: Bitboard| (moves & set).count() as usize;
    let all = moves.count() as usize;
    let edges = count(EDGE_SET).min(EDGES - 1);
    let squares =
        (count(Bitboard::CORNERS) * X_SQUARES + count(Bitboard::X_SQUARES)) * EDGES + edges;
    [all.min(COUNTS - 1), COUNTS + squares]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{orientations, random_play};

    #[test]
    fn every_set_of_moves_has_rows_of_both_tables() {
        let sets = [
            0,
            u64::MAX,
            Bitboard::CORNERS.0,
            Bitboard::X_SQUARES.0,
            EDGE_SET.0,
        ];
        for set in sets {
            let [count, squares] = rows(Bitboard(set));
            assert!(count < COUNTS && (COUNTS..MOBILITY_ROWS).contains(&squares));
        }
        assert_eq!(rows(Bitboard(u64::MAX)), [COUNTS - 1, MOBILITY_ROWS - 1]);
        assert_eq!(rows(EDGE_SET), [COUNTS - 1, COUNTS + EDGES - 1]);
        assert_eq!(rows(Bitboard::EMPTY), [0, COUNTS]);
    }

    #[test]
    fn the_rows_tell_the_numbers_of_moves() {
        // A corner, two X-squares, three squares of the edge and one square in the middle.
        let squares = ["a1", "b2", "g7", "c1", "h2", "h5", "d3"];
        let moves: Bitboard = squares
            .map(|name| name.parse().unwrap())
            .into_iter()
            .collect();
        assert_eq!(rows(moves), [7, COUNTS + (5 + 2) * EDGES + 3]);
    }

    #[test]
    fn all_orientations_have_the_same_rows() {
        for seed in 0..50 {
            let all =
                orientations(random_play(seed, seed as u32 % 50)).map(|p| rows(p.legal_moves()));
            assert_eq!(all, [all[0]; 8]);
        }
    }
}
