//! Options of a judge of two programs.

use core::time::Duration;

use othello_core::Board;

use super::MOVE_LIMIT;

/// Options of a judge of two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgeOptions {
    /// The board that the game begins on. The side to move gets `ST`.
    pub start: Board,
    /// The limit for a move, from the last input. The driver launches the programs, so the start-up of
    /// the side that moves first counts against its first limit.
    pub limit: Duration,
    /// The time allowed beyond the limit for the pipes.
    pub grace: Duration,
}

impl Default for JudgeOptions {
    fn default() -> Self {
        Self {
            start: Board::START,
            limit: MOVE_LIMIT,
            grace: Duration::ZERO,
        }
    }
}
