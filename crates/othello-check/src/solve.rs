//! Plain alpha-beta with a null window, for positions with few empty squares.

use std::iter;

use crate::board::{Board, Side};

/// The smallest number of empty squares with which the moves are sorted before they are tried.
const MIN_SORTED: usize = 6;

/// Returns whether `side`, to move, reaches a score of at least `bound` whatever the opponent does, or `None` if that
/// takes more than `nodes_left` nodes, of which each position takes one away.
///
/// `squares` has the empty squares, `empties` in number, and may have others.
pub(crate) fn reaches(
    board: &Board,
    side: Side,
    bound: i32,
    squares: &[usize],
    empties: usize,
    nodes_left: &mut u64,
) -> Option<bool> {
    *nodes_left = nodes_left.checked_sub(1)?;
    if empties == 0 {
        return Some(board.final_score(side) >= bound);
    }
    let other = side.other();
    // A move reaches the bound if the other side cannot reach more than its opposite then.
    let mut wins = |after: &Board, empties| {
        reaches(after, other, 1 - bound, squares, empties, nodes_left).map(|reached| !reached)
    };
    let mut moves = squares
        .iter()
        .filter_map(|&square| board.play(square, side));
    let Some(first) = moves.next() else {
        if board.mobility(squares, other) > 0 {
            return wins(board, empties);
        }
        return Some(board.final_score(side) >= bound);
    };
    if empties < MIN_SORTED {
        let moves = iter::once(first).chain(moves);
        return any(moves, |after| wins(after, empties - 1));
    }
    // Few replies leave little to try.
    let mut moves: Vec<_> = moves.chain([first]).collect();
    moves.sort_by_cached_key(|after| after.mobility(squares, other));
    any(moves, |after| wins(after, empties - 1))
}

/// Returns whether a test is true of any of the boards, or `None` as soon as it is `None`.
fn any(
    boards: impl IntoIterator<Item = Board>,
    mut test: impl FnMut(&Board) -> Option<bool>,
) -> Option<bool> {
    for board in boards {
        if test(&board)? {
            return Some(true);
        }
    }
    Some(false)
}
