//! The mobility of the side to move, by which the evaluation knows more than the patterns tell.
//!
//! Two tables stand beside those of the patterns: one by the number of legal moves, the other by how many of them are
//! corners, X-squares and squares of the edge. Each gives a row like a pattern instance. The number of legal moves as an
//! input beside patterns is in neural-reversi, too.

use othello_core::Bitboard;

/// The number of tables, and of the rows that a position has in them.
pub(super) const TABLES: usize = 2;

/// The number of rows of both tables.
pub(super) const MOBILITY_ROWS: usize = COUNTS + CORNERS * X_SQUARES * EDGES;

/// Numbers of legal moves with a row of their own: no game has a position with more than 33. Greater ones have the row
/// of 33.
const COUNTS: usize = 34;

/// Numbers of moves to corners.
const CORNERS: usize = 5;
/// Numbers of moves to X-squares.
const X_SQUARES: usize = 5;
/// Numbers of moves to the edge with a row of their own. Greater ones have the row of 11.
const EDGES: usize = 12;

/// The squares diagonally next to corners.
const X_SQUARE_SET: Bitboard = Bitboard(0x0042_0000_0000_4200);
/// The squares of the edge between the corners.
const EDGE_SET: Bitboard = Bitboard(0x7e81_8181_8181_817e);

/// Returns the rows of a position with these legal moves, below [`MOBILITY_ROWS`].
#[inline(always)]
pub(super) fn rows(moves: Bitboard) -> [usize; TABLES] {
    let count = |set: Bitboard| (moves & set).count() as usize;
    let all = moves.count() as usize;
    let edges = count(EDGE_SET).min(EDGES - 1);
    let squares = (count(Bitboard::CORNERS) * X_SQUARES + count(X_SQUARE_SET)) * EDGES + edges;
    [all.min(COUNTS - 1), COUNTS + squares]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{orientations, random_play};

    #[test]
    fn every_set_of_moves_has_rows_of_both_tables() {
        let sets = [0, u64::MAX, Bitboard::CORNERS.0, X_SQUARE_SET.0, EDGE_SET.0];
        for set in sets {
            let [count, squares] = rows(Bitboard(set));
            assert!(count < COUNTS && (COUNTS..MOBILITY_ROWS).contains(&squares));
        }
        let [count, squares] = rows(Bitboard(u64::MAX));
        assert_eq!([count, squares], [COUNTS - 1, MOBILITY_ROWS - 1]);
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
