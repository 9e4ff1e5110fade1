//! A game with its history.

use alloc::vec::Vec;

use boardgame_core::Color;

use crate::{IllegalMove, Komi, Move, Position, Setup};

/// A game: its setup, the moves so far, and the current position. Moves can be undone.
///
/// # Examples
///
/// ```
/// use go_core::{Game, Point, Setup};
///
/// let mut game = Game::new(Setup::default());
/// for point in ["Q16", "D4"] {
///     game.play(point.parse::<Point>()?)?;
/// }
/// assert_eq!(game.transcript().to_string(), "B Q16, W D4");
/// game.undo();
/// assert_eq!(game.moves().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Game {
    setup: Setup,
    position: Position,
    moves: Vec<(Color, Move)>,
}

impl Game {
    /// Creates a game without moves.
    pub fn new(setup: Setup) -> Self {
        Self {
            position: Position::new(&setup),
            setup,
            moves: Vec::new(),
        }
    }

    /// Returns the setup.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the current position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the moves so far, including passes, with the sides that made them.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal or the game is over, and leaves the game unchanged.
    pub fn play(&mut self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        self.play_as(self.position.side_to_move(), mv)
    }

    /// Plays a move for either side; GTP and SGF allow moves out of turn.
    ///
    /// # Errors
    ///
    /// Fails if the move is illegal or the game is over, and leaves the game unchanged.
    pub fn play_as(&mut self, color: Color, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        let mv = mv.into();
        self.position.play_as(color, mv)?;
        self.moves.push((color, mv));
        Ok(())
    }

    /// Sets the komi of the setup and of the position.
    pub fn set_komi(&mut self, komi: Komi) {
        self.setup = self.setup.clone().with_komi(komi);
        self.position.set_komi(komi);
    }

    /// Resumes the game after two passes: see [`Position::resume`].
    pub const fn resume(&mut self) {
        self.position.resume();
    }

    /// Undoes the last move and returns it with its side, or returns `None` if there is none.
    ///
    /// The turn goes back to the side that made the move. Replays the earlier moves, which takes time proportional to
    /// their number.
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        let undone = self.moves.pop()?;
        let mut position = Position::new(&self.setup);
        for &(color, mv) in &self.moves {
            position.resume();
            let replayed = position.play_as(color, mv);
            debug_assert!(replayed.is_ok(), "the move was legal when it was made");
        }
        position.set_side_to_move(undone.0);
        self.position = position;
        Some(undone)
    }
}

impl Default for Game {
    /// A game on a 19x19 board, without moves.
    fn default() -> Self {
        Self::new(Setup::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn a_komi_set_later_counts_and_survives_undo() {
        let mut game = Game::default();
        game.play("D4".parse::<Point>().unwrap()).unwrap();
        let komi = Komi::from_half_points(13);
        game.set_komi(komi);
        assert_eq!((game.position().komi(), game.setup().komi()), (komi, komi));
        game.undo();
        assert_eq!(game.position().komi(), komi);
    }

    #[test]
    fn a_resumed_game_can_be_undone() {
        let mut game = Game::new("3".parse().unwrap());
        for mv in ["B2", "pass", "pass"] {
            game.play(mv.parse::<Move>().unwrap()).unwrap();
        }
        game.play(Move::Pass).unwrap_err();
        game.resume();
        game.play("A1".parse::<Point>().unwrap()).unwrap();
        game.undo();
        assert_eq!(game.moves().len(), 3);
        assert!(game.position().is_over());
        assert_eq!(game.setup().size().lines(), 3);
    }
}
