//! The judge of a game between two programs.

use core::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use othello_core::Board;

use super::{JudgeSeat, MOVE_LIMIT};
use crate::session::{TwoSeats, TwoSeatsOptions};

/// Options of a [`Judge`].
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

/// The judge's side of a game: relays what is valid, disqualifies what is not.
///
/// The game lasts until the board is full or two passes followed each other; when neither side
/// can move, both are asked for their pass. [`game`](crate::session::HostSession::game) does not hold
/// these last two passes, for by the rules the game is over before them.
pub type Judge = TwoSeats<JudgeSeat>;

impl Judge {
    /// Returns a judge of one game.
    pub fn new(options: JudgeOptions) -> Self {
        let JudgeOptions {
            start,
            limit,
            grace,
        } = options;
        let time = TimeControl {
            per_move: Some(limit),
            ..TimeControl::default()
        };
        let conducted = TwoSeatsOptions {
            start,
            time: ByColor::new_with(|_| time),
            tolerance: grace,
            relays_comments: false,
            keeps: false,
        };
        Self::between(&conducted, ByColor::new_with(|_| JudgeSeat::new(grace)))
    }
}
