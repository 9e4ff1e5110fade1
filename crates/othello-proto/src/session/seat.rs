//! Functions that the sessions of one seat share.

use core::time::Duration;

use boardgame_core::{ClockState, TimeMeasure};
use othello_core::{Board, Move};

use super::Timestamp;

/// Returns the board after moves that were made before the game, all of them legal.
pub(crate) fn board_after(mut board: Board, moves: &[Move]) -> Board {
    for &mv in moves {
        let played = board.play(mv);
        debug_assert!(played.is_ok(), "the conductor has played it");
    }
    board
}

/// Returns the first moment at which the answer to a question is late: at the limit it is in time.
pub(crate) fn late_after(asked: Timestamp, limit: Duration) -> Timestamp {
    asked + limit + Duration::from_nanos(1)
}

/// Returns the limit of the next move by the clock on the wall, or `None` without one: CPU time is
/// measured by whoever runs the program.
pub(crate) fn wall_limit(clock: &ClockState) -> Option<Duration> {
    match clock.control().measure {
        TimeMeasure::Wall => clock.allowed(),
        TimeMeasure::UserCpu => None,
    }
}
