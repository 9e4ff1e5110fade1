//! Mobility inputs of the side to move, which the patterns do not cover.
//!
//! Two tables complement the pattern tables: one indexed by the number of legal moves, the other by the numbers of
//! moves to corners, X-squares and the rest of the edge. A position selects one row of each, like a pattern instance.
//! neural-reversi also has the number of legal moves as an input.
//!
//! The checksum of the patterns does not cover these tables: a change here needs a new `VERSION` in `file.rs` and a new
//! `REVISION` of the fit.

use othello_core::Bitboard;

/// The number of mobility tables; a position selects one row of each.
pub(super) const TABLES: usize = 2;

/// The total number of rows of the tables.
pub(super) const MOBILITY_ROWS: usize = COUNTS + CORNERS * X_SQUARES * EDGES;

/// The number of move counts with a row of their own, 0 to 23; higher counts are rare and share the last row.
const COUNTS: usize = 24;

/// The number of counts of moves to corners, 0 to 4.
const CORNERS: usize = 5;
/// The number of counts of moves to X-squares, 0 to 4.
const X_SQUARES: usize = 5;
/// The number of counts of moves to the edge with a row of their own, 0 to 11; higher counts share the last row.
const EDGES: usize = 12;

/// The edge squares between the corners.
const EDGE_SET: Bitboard = Bitboard(Bitboard::EDGES.0 & !Bitboard::CORNERS.0);

/// The rows of a position with these legal moves, below [`MOBILITY_ROWS`].
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
    fn the_rows_reflect_the_numbers_of_moves() {
        // A corner, two X-squares, three edge squares and one square in the middle.
        let squares = ["a1", "b2", "g7", "c1", "h2", "h5", "d3"];
        let moves: Bitboard = squares
            .map(|name| name.parse().unwrap())
            .into_iter()
            .collect();
        assert_eq!(rows(moves), [7, COUNTS + (5 + 2) * EDGES + 3]);
    }
}
