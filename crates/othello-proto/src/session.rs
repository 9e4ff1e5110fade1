//! The sessions of the formats: time, actions, and the trait of a player's session.
//!
//! The player's side comes from `boardgame-session`, with the [`Question`] of Othello.

mod choice;
mod move_error;
mod seat;

use boardgame_session::player;
use othello_core::{Board, Color};

pub(crate) use boardgame_session::wall_limit;
pub use boardgame_session::{
    Note, NoteKind, Timestamp,
    player::{LineError, PlayerSession, Progress, TaskClock, TaskId, TimeMargin},
};
pub use choice::{Assessment, Choice, Effort, Line, Question};
pub use move_error::MoveError;
pub(crate) use seat::board_after;

/// A timed request to choose a square.
pub type Task = player::Task<Question>;

/// The answer to a [`Task`].
pub type Decision = player::Decision<Question>;

/// An action of the driver of an Othello player.
pub type Action = player::PlayerAction<Question>;

/// The end of an Othello player's session.
pub type Ending = player::Ending<Question>;

/// A reason for an Othello player's session to give up on the other side.
pub type PeerMisbehaved = player::PeerMisbehaved<MoveError>;

pub(crate) use boardgame_session::player::PlayerFormat;

/// The common state of an Othello player's session.
pub(crate) type CommonState<P = ()> = player::CommonState<Question, P>;

/// The answer to a task of an Othello player's session that was open.
pub(crate) type AnsweredTask<P = ()> = player::AnsweredTask<Question, P>;

/// Returns the progress of a game. Moves are numbered as from the standard start.
pub(crate) fn progress(board: Board, color: Option<Color>) -> Progress {
    Progress {
        color,
        move_number: 61 - board.empties().count().min(60) as usize,
        board: alloc::string::ToString::to_string(&board),
    }
}

#[cfg(test)]
mod tests {
    use othello_core::{Bitboard, Position};

    use super::*;

    #[test]
    fn moves_are_counted_as_from_the_standard_start() {
        for (empties, number) in [(64, 1), (60, 1), (59, 2), (1, 60), (0, 61)] {
            let discs = Bitboard(u64::MAX.checked_shl(empties).unwrap_or(0));
            let board = Board::new(Position::new(discs, Bitboard(0)).unwrap(), Color::Black);
            assert_eq!(progress(board, None).move_number, number);
        }
    }
}
