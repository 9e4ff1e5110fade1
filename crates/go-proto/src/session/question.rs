//! The question for the move to make.

use alloc::vec::Vec;
use core::{fmt, time::Duration};

use boardgame_session::player;
use go_core::{IllegalMove, Move, Ownership, Position};

/// A request to choose a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position, with the player to choose on the move. Its game is not over.
    pub position: Position,
    /// A number that changes when the answer shall not build on what was thought before.
    pub cache: u32,
    /// The kind of answer.
    pub goal: Goal,
}

/// The kind of answer to a [`Question`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// A move, within the clock.
    #[default]
    Move,
    /// A move with its [`Analysis`], within the clock.
    Explanation,
    /// An [`Analysis`] after this time, whatever the clock says. That of the same position before it is built on.
    Analysis(Duration),
}

impl Question {
    /// Creates a question for the move in a position.
    pub const fn new(position: Position) -> Self {
        Self {
            position,
            cache: 0,
            goal: Goal::Move,
        }
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
        choice.mv().is_none_or(|mv| self.position.check(mv).is_ok())
    }
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// A move.
    Move(Move),
    /// A resignation. A format without one passes instead.
    Resign,
    /// A move with its analysis.
    Analysis(Analysis),
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The move, or `None` for a resignation.
    pub best: Option<Move>,
    /// The moves that were searched, by descending visits.
    pub candidates: Vec<Candidate>,
    /// The owners of points at the end of the simulations.
    pub ownership: Ownership,
}

/// A move that was searched. Values are for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The number of simulations that begin with the move.
    pub visits: u32,
    /// The share of them that are won, 0 to 1.
    pub win_rate: f32,
    /// The lower end of the confidence interval of `win_rate`.
    pub win_rate_bound: f32,
    /// The mean margin in points, with komi.
    pub margin: f32,
    /// The probability of the move before it was searched.
    pub prior: f32,
    /// The line that begins with the move.
    pub line: Vec<Move>,
}

impl Choice {
    /// Returns the move, or `None` for a resignation.
    pub const fn mv(&self) -> Option<Move> {
        match self {
            Self::Move(mv) => Some(*mv),
            Self::Resign => None,
            Self::Analysis(analysis) => analysis.best,
        }
    }
}

impl From<Move> for Choice {
    fn from(mv: Move) -> Self {
        Self::Move(mv)
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mv() {
            Some(mv) => mv.fmt(f),
            None => f.write_str("resign"),
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
