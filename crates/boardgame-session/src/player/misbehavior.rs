//! Misbehaviour of the other side that ends a player's session.

use crate::ParseError;

/// A reason for a player's session to end early; `E` is the error of a move that does not fit the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum PeerMisbehaved<E> {
    /// A process that lives for one board was sent something else.
    #[error("no board to answer: {0}")]
    NoBoard(ParseError),
    /// Too many bytes of commands came while a move was being chosen.
    #[error("expected at most {max_bytes} bytes of commands while a move is chosen, found more")]
    TooManyCommands { max_bytes: usize },
    /// Too many lines in a row could not be read.
    #[error(transparent)]
    Unreadable(LineError),
    /// A move of the opponent's does not fit the game, so that the two boards differ. Moves are counted from 1, passes
    /// included.
    #[error("the opponent's move, number {number} of the game, is impossible: {error}")]
    ImpossibleMove { number: usize, error: E },
}

/// The error of a line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum LineError {
    /// The line does not fit the format.
    #[error(transparent)]
    Parse(ParseError),
    /// The line is longer than the format allows.
    #[error("expected a line of at most {max_bytes} bytes, found a longer one")]
    TooLong { max_bytes: usize },
}
