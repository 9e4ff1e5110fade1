//! Misbehaviour of the other side that a player's session cannot go on after.

use crate::ParseError;

/// A reason for a player's session to give the other side up; `E` is the error of a move that does not
/// fit the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeerMisbehaved<E> {
    /// A process that lives for one board was sent something else.
    #[error("no board to answer: {0}")]
    NoBoard(ParseError),
    /// Too many bytes of commands came while a move was being chosen.
    #[error("more commands wait than a controller can mean")]
    TooManyCommands {
        /// The bytes that may wait.
        max_bytes: usize,
    },
    /// Too many lines in a row could not be read.
    #[error(transparent)]
    Unreadable(LineError),
    /// A move of the opponent's does not fit the game, so that the two boards differ.
    #[error("move {number} of the game, the opponent's, cannot be: {error}")]
    ImpossibleMove {
        /// The number of the move in the game, from 1 on, passes among them.
        number: usize,
        /// The fault of the move.
        error: E,
    },
}

/// A line could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// It is none of the format's.
    #[error(transparent)]
    Parse(ParseError),
    /// It is longer than any line of the format.
    #[error("a line that is longer than any is")]
    TooLong {
        /// The bytes that a line may have.
        max_bytes: usize,
    },
}
