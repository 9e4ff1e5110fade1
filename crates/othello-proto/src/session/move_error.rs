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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::PeerMisbehaved;
    use othello_core::{Board, Square};
    use std::string::ToString;

    #[test]
    fn an_impossible_move_is_told_with_its_number_and_its_fault() {
        let a1 = Move::Place(Square::A1);
        let illegal = Board::START.position().play(a1).unwrap_err();
        let told = |error| PeerMisbehaved::ImpossibleMove { number: 2, error }.to_string();
        let prefix = "the opponent's move, number 2 of the game, is impossible: ";
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
