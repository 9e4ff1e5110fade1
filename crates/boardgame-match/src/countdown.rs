//! A game for tests.

use boardgame_core::{Color, Game, Margin, Status};

use crate::record::{GameResult, RecordFormat};

/// A heap of counters; each side in turn takes one or two. At 13 counters the side to move has to pass,
/// which is the move 0. The last counter wins by as many points as there were counters, and a half.
#[derive(Clone, Debug)]
pub(crate) struct Countdown {
    counters: u32,
    pub(crate) left: u32,
    side_to_move: Color,
    passed: bool,
}

/// The error of an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected to take 1 or 2 of {left} counters, found {taken}")]
pub(crate) struct Illegal {
    left: u32,
    taken: u32,
}

impl Game for Countdown {
    type Move = u32;
    type Setup = u32;
    type IllegalMove = Illegal;

    const NAME: &'static str = "countdown";

    fn new(&counters: &u32) -> Self {
        Self {
            counters,
            left: counters,
            side_to_move: Color::Black,
            passed: false,
        }
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    fn forced_move(&self) -> Option<u32> {
        (self.left == 13 && !self.passed).then_some(0)
    }

    fn play(&mut self, taken: u32) -> Result<(), Illegal> {
        let legal = match self.forced_move() {
            Some(pass) => taken == pass,
            None => (1..=self.left.min(2)).contains(&taken),
        };
        if !legal {
            let left = self.left;
            return Err(Illegal { left, taken });
        }
        self.left -= taken;
        self.passed = taken == 0;
        self.side_to_move = !self.side_to_move;
        Ok(())
    }

    fn status(&self) -> Status {
        let margin = Margin::from_half_points(2 * self.counters as i32 + 1);
        match self.left {
            0 => Status::Scored(margin.seen_by(!self.side_to_move)),
            _ => Status::Playing,
        }
    }
}

impl RecordFormat for Countdown {
    type Game = Self;

    fn default_setup() -> Option<u32> {
        Some(9)
    }
}

/// Nine moves of one counter each; Black makes the last.
pub(crate) const NINE_MOVES: &str = "1 1 1 1 1 1 1 1 1";

/// The result of [`NINE_MOVES`].
pub(crate) const BLACK_WINS: GameResult = GameResult::Played {
    margin: Margin::from_half_points(19),
};
