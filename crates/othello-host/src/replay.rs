//! Games with their moves, from the reports and events of the driver.

use boardgame_match::{GameReport, GameSpec, News};
use boardgame_session::GameEvent;
use othello_core::{Board, Game, IllegalMove, Move};

/// Returns the game of a report.
pub fn replay(report: &GameReport<Board>) -> Game {
    let mut game = Game::new(report.setup);
    report.moves.iter().for_each(|&mv| make(&mut game, mv));
    game
}

/// A game that follows the events of its observer.
#[derive(Clone, Debug, Default)]
pub struct ObservedGame {
    /// The game before the first move of a seat, with the moves of the opening.
    opening: Game,
    game: Game,
}

impl ObservedGame {
    /// Creates a game after the moves of its opening.
    ///
    /// # Errors
    ///
    /// When a move of the opening is illegal.
    pub fn new(spec: &GameSpec<Board>) -> Result<Self, IllegalMove> {
        let mut opening = Game::new(spec.setup);
        for &mv in &spec.opening {
            opening.play(mv)?;
        }
        let game = opening.clone();
        Ok(Self { opening, game })
    }

    /// Returns the game so far.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Updates the game with an event of its observer.
    pub fn update(&mut self, news: &News<'_, Move>) {
        match news {
            News::Event(GameEvent::Restarted) => self.game.clone_from(&self.opening),
            News::Event(GameEvent::Moved(_, mv, _)) => make(&mut self.game, *mv),
            _ => {}
        }
    }
}

fn make(game: &mut Game, mv: Move) {
    let made = game.play(mv);
    debug_assert!(made.is_ok(), "the conductor accepts legal moves alone");
}

#[cfg(test)]
mod tests {
    use othello_core::{Color, Square};

    use super::*;

    #[test]
    fn a_game_that_begins_again_keeps_its_opening() {
        let spec = GameSpec {
            opening: vec![Square::F5.into(), Square::D6.into()],
            ..GameSpec::new(Board::START)
        };
        let mut observed = ObservedGame::new(&spec).unwrap();
        let moved = GameEvent::Moved(Color::Black, Square::C3.into(), None);
        for event in [moved.clone(), GameEvent::Restarted, moved] {
            observed.update(&News::Event(&event));
        }
        assert_eq!(observed.game().transcript().to_string(), "f5d6c3");
        assert_eq!(observed.game().start(), Board::START);
    }

    #[test]
    fn an_illegal_opening_is_an_error() {
        let spec = GameSpec {
            opening: vec![Square::A1.into()],
            ..GameSpec::new(Board::START)
        };
        assert_eq!(ObservedGame::new(&spec).unwrap_err().mv, Square::A1.into());
    }
}
