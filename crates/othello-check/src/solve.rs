//! Plain alpha-beta with a null window, for positions with few empty squares.

use crate::board::{Board, Side};

/// The number of empty squares above which the moves are sorted before they are tried.
const MIN_SORTED: usize = 5;

/// Returns whether `side`, to move, reaches a score of at least `bound` whatever the opponent does.
///
/// `empties` has the empty squares of the board, and may have others; `nodes` counts the positions.
pub(crate) fn reaches(
    board: &Board,
    side: Side,
    bound: i32,
    empties: &[usize],
    nodes: &mut u64,
) -> bool {
    *nodes += 1;
    // The side reaches the bound by a move after which the other side does not reach more than its opposite.
    let mut wins = |after: &Board, left: &[usize]| !reaches(after, side.other(), 1 - bound, left, nodes);
    let left_after = |square| without(empties, square);
    let mut moves = empties
        .iter()
        .filter_map(|&square| Some((left_after(square), board.play(square, side)?)))
        .peekable();
    if moves.peek().is_none() {
        if board.mobility(empties, side.other()) == 0 {
            return board.final_score(side) >= bound;
        }
        return wins(board, empties);
    }
    if empties.len() <= MIN_SORTED {
        return moves.any(|(left, after)| wins(&after, &left));
    }
    // Few replies leave little to try.
    let mut moves: Vec<_> = moves.collect();
    moves.sort_by_cached_key(|(left, after)| after.mobility(left, side.other()));
    moves.iter().any(|(left, after)| wins(after, left))
}

fn without(squares: &[usize], square: usize) -> Vec<usize> {
    squares.iter().copied().filter(|&other| other != square).collect()
}
