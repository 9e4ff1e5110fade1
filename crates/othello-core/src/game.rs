//! A game: where it began, what was played, and the way back.

use alloc::vec::Vec;

use crate::{Board, IllegalMove, Move};

/// A game with its history.
///
/// # Examples
///
/// ```
/// use othello_core::{Board, Game, Square};
///
/// let mut game = Game::new(Board::START);
/// game.play(Square::F5)?;
/// game.play(Square::D6)?;
/// assert_eq!(game.moves().len(), 2);
/// game.undo();
/// assert_eq!(game.moves().len(), 1);
/// # Ok::<(), othello_core::IllegalMove>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Board,
    board: Board,
    moves: Vec<Move>,
}

impl Game {
    /// A game that begins on `start`.
    pub const fn new(start: Board) -> Self {
        Self {
            start,
            board: start,
            moves: Vec::new(),
        }
    }

    /// The board that the game began on.
    pub const fn start(&self) -> Board {
        self.start
    }

    /// The board now.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The moves so far, passes among them.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    ///
    /// When the rules forbid the move; the game is unchanged.
    pub fn play(&mut self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        let mv = mv.into();
        self.board.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Takes the last move back and returns it, or returns `None` at the start of the game.
    pub fn undo(&mut self) -> Option<Move> {
        let undone = self.moves.pop()?;
        self.board = self.start;
        for &mv in &self.moves {
            // Every recorded move was legal when it was played.
            let replayed = self.board.play(mv);
            debug_assert!(replayed.is_ok());
        }
        Some(undone)
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Board::START)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    #[test]
    fn undo_leads_back_to_the_start() {
        let mut game = Game::default();
        for square in [Square::F5, Square::D6, Square::C3, Square::D3] {
            game.play(square).unwrap();
        }
        while game.undo().is_some() {}
        assert_eq!(game, Game::default());
    }
}
