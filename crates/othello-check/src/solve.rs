//! Plain null-window alpha-beta, for positions with few empty squares.

use std::iter;

use crate::board::{Board, Side};

/// The minimum number of empty squares at which moves are sorted.
const MIN_SORTED: usize = 6;

/// Returns whether `side`, to move, can reach a score of at least `bound`, or `None` if that takes more than
/// `nodes_left` nodes. Decreases `nodes_left` by one per position.
///
/// `squares` contains the `empties` empty squares, and possibly others.
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
    // A move reaches the bound if the other side then cannot exceed the bound's negation.
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
    // Moves with few replies take the least work to refute.
    let mut moves: Vec<_> = moves.chain([first]).collect();
    moves.sort_by_cached_key(|after| after.mobility(squares, other));
    any(moves, |after| wins(after, empties - 1))
}

/// Returns whether a test is true for any of the boards, or `None` as soon as the test returns `None`.
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
