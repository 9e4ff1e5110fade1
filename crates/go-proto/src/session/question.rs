//! The question for the move to make.

use core::fmt;

use boardgame_session::player;
use go_core::{IllegalMove, Move, Position};

/// A request to choose a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position, with the player to choose on the move. Its game is not over.
    pub position: Position,
    /// A number that changes when the answer shall not build on what was thought before.
    pub cache: u32,
}

impl Question {
    /// Creates a question for the move in a position.
    pub const fn new(position: Position) -> Self {
        Self { position, cache: 0 }
    }
}

impl player::Question for Question {
    type Answer = Choice;
    type MoveError = IllegalMove;

    /// Returns the first legal move that fills no eye of its own side, or a pass.
    fn fallback(&self) -> Choice {
        let (board, color) = (self.position.board(), self.position.side_to_move());
        let mut points = self.position.legal_points();
        points
            .find(|&point| !board.is_eye_like(color, point))
            .map_or(Move::Pass, Move::Place)
            .into()
    }

    fn admits(&self, choice: &Choice) -> bool {
        match *choice {
            Choice::Move(mv) => self.position.check(mv).is_ok(),
            Choice::Resign => true,
        }
    }
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A move.
    Move(Move),
    /// A resignation. A format without one passes instead.
    Resign,
}

impl From<Move> for Choice {
    fn from(mv: Move) -> Self {
        Self::Move(mv)
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(mv) => mv.fmt(f),
            Self::Resign => f.write_str("resign"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::Setup;
    use player::Question as _;
    use std::string::ToString;

    fn question(setup: &str) -> Question {
        let setup: Setup = setup.parse().unwrap();
        Question::new(Position::new(&setup))
    }

    #[test]
    fn the_fallback_is_the_first_move_that_fills_no_eye() {
        assert_eq!(question("9").fallback().to_string(), "A1");
        let eye = question("3 black A2 B1 B2");
        assert_eq!(eye.fallback().to_string(), "C1");
        let full = question("2 black A2 B1 B2");
        assert_eq!(full.fallback(), Move::Pass.into());
    }

    #[test]
    fn legal_moves_and_resignation_are_admitted() {
        let question = question("2 white A2 B1");
        let admits = |text: &str| question.admits(&text.parse::<Move>().unwrap().into());
        assert!(
            admits("B2")
                == question
                    .position
                    .board()
                    .is_legal(go_core::Color::Black, "B2".parse().unwrap())
        );
        assert!(!admits("A1") && !admits("A2") && !admits("C1"));
        assert!(admits("pass") && question.admits(&Choice::Resign));
    }
}
