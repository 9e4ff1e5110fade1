//! What a player's session does when a decision is bad or does not come.

use core::time::Duration;

use othello_core::{Bitboard, Square};

use crate::session::{Task, Timestamp};

/// `square` when it is among `moves`, which are not empty, else the first of them.
pub(crate) fn allowed(square: Square, moves: Bitboard) -> Square {
    if moves.contains(square) {
        square
    } else {
        moves.first().unwrap_or(square)
    }
}

/// When to stop waiting for the decision on a task that has a limit for the move: `margin`
/// before it, but at most an eighth of it.
pub(crate) fn last_moment(task: &Task, margin: Duration) -> Option<Timestamp> {
    let limit = task.clock.per_move?;
    Some(task.clock.started + limit.saturating_sub(margin.min(limit / 8)))
}
