//! Othello as a [`boardgame_core::Game`].

use boardgame_core::{Game, Margin, Status};

use crate::{Board, Color, Empties, IllegalMove, Move};

impl Game for Board {
    type Move = Move;
    /// The starting board.
    type Setup = Self;
    type IllegalMove = IllegalMove;

    const NAME: &'static str = "othello";

    fn new(setup: &Self) -> Self {
        *setup
    }

    fn side_to_move(&self) -> Color {
        (*self).side_to_move()
    }

    fn forced_move(&self) -> Option<Move> {
        self.must_pass().then_some(Move::Pass)
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        Self::play(self, mv)
    }

    /// Counts one point per disc; the winner gets the empty squares.
    fn status(&self) -> Status {
        if self.is_over() {
            let score = self.score(Color::Black, Empties::ToWinner);
            Status::Scored(Margin::from_points(score.discs()))
        } else {
            Status::Playing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trait_agrees_with_the_board() {
        let mut board = <Board as Game>::new(&Board::START);
        let mut forced = 0;
        while board.status() == Status::Playing {
            let square = board.legal_moves().first().map(Move::Place);
            forced += u32::from(board.forced_move().is_some());
            let mv = board.forced_move().or(square).unwrap();
            Game::play(&mut board, mv).unwrap();
        }
        let score = board.score(Color::Black, Empties::ToWinner).discs();
        assert_eq!(board.status(), Status::Scored(Margin::from_points(score)));
        assert!(forced > 0, "expected the game to contain a pass");
        assert!(Game::play(&mut board, Move::Pass).is_err());
    }
}
