//! Misbehaviour of the other side that a player's session cannot go on after.

use othello_core::{IllegalMove, Move};

use crate::ParseError;

/// A reason for a player's session to give the other side up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PeerMisbehaved {
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
        error: MoveError,
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

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::{Board, Square};
    use std::string::ToString;

    #[test]
    fn an_impossible_move_is_told_with_its_number_and_its_fault() {
        let a1 = Move::Place(Square::A1);
        let illegal = Board::START.position().play(a1).unwrap_err();
        let told = |error| PeerMisbehaved::ImpossibleMove { number: 2, error }.to_string();
        let prefix = "move 2 of the game, the opponent's, cannot be: ";
        assert_eq!(
            told(MoveError::Illegal(illegal)),
            std::format!("{prefix}{illegal}")
        );
        assert_eq!(
            told(MoveError::OutOfTurn(a1)),
            std::format!("{prefix}a1, but it is our turn")
        );
    }
}
