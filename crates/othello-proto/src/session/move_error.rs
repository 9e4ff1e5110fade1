//! The error of an opponent's move.

use othello_core::{IllegalMove, Move};

/// A move does not fit the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The rules forbid it.
    #[error(transparent)]
    Illegal(IllegalMove),
    /// It is the other side's turn: ours.
    #[error("{0}, but it is our turn")]
    OutOfTurn(Move),
}
