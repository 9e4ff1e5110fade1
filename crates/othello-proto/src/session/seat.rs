//! Functions that the sessions of one seat share.

use othello_core::{Board, Move};

/// Returns the board after moves that were made before the game, all of them legal.
pub(crate) fn board_after(mut board: Board, moves: &[Move]) -> Board {
    for &mv in moves {
        let played = board.play(mv);
        debug_assert!(played.is_ok(), "the conductor has played it");
    }
    board
}
