//! Plain alpha-beta with a null window, for positions with few empty squares.

use crate::board::{Board, Side};

/// The smallest number of empty squares with which the moves are sorted before they are tried.
const MIN_SORTED: usize = 6;

/// Returns whether `side`, to move, reaches a score of at least `bound` whatever the opponent does.
///
/// `squares` has the empty squares, `empties` in number, and may have others; `nodes` counts the positions.
pub(crate) fn reaches(
    board: &Board,
    side: Side,
    bound: i32,
    squares: &[usize],
    empties: usize,
    nodes: &mut u64,
) -> bool {
    *nodes += 1;
    if empties == 0 {
        return board.final_score(side) >= bound;
    }
    let other = side.other();
    // A move reaches the bound if the other side cannot reach more than its opposite then.
    let mut wins =
        |after: &Board, empties| !reaches(after, other, 1 - bound, squares, empties, nodes);
    let mut moves = squares
        .iter()
        .filter_map(|&square| board.play(square, side));
    let Some(first) = moves.next() else {
        if board.mobility(squares, other) > 0 {
            return wins(board, empties);
        }
        return board.final_score(side) >= bound;
    };
    if empties < MIN_SORTED {
        return wins(&first, empties - 1) || moves.any(|after| wins(&after, empties - 1));
    }
    // Few replies leave little to try.
    let mut moves: Vec<_> = moves.chain([first]).collect();
    moves.sort_by_cached_key(|after| after.mobility(squares, other));
    moves.iter().any(|after| wins(after, empties - 1))
}
