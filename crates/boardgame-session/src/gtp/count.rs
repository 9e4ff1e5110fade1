//! A game of no consequence, for tests.

use std::{
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use boardgame_core::{Color, Game, Margin, Status};

use super::{Command, GtpGame, InexpressibleSetup, color_word};
use crate::ParseError;

/// The sides count up to the number that is the setup, or pass.
#[derive(Clone, Debug)]
pub(super) struct Count {
    pub(super) size: u8,
    pub(super) reached: u8,
    side: Color,
}

#[derive(Clone, Debug, thiserror::Error)]
#[error("{0} does not follow {1}")]
pub(super) struct Illegal(u8, u8);

impl Game for Count {
    /// The next number; 0 is a pass.
    type Move = u8;
    type Setup = u8;
    type IllegalMove = Illegal;

    const NAME: &'static str = "count";

    fn new(&size: &u8) -> Self {
        Self {
            size,
            reached: 0,
            side: Color::Black,
        }
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn forced_move(&self) -> Option<u8> {
        None
    }

    fn play(&mut self, mv: u8) -> Result<(), Illegal> {
        if mv != 0 && mv != self.reached + 1 {
            return Err(Illegal(mv, self.reached));
        }
        self.reached = self.reached.max(mv);
        self.side = !self.side;
        Ok(())
    }

    fn status(&self) -> Status {
        if self.reached == self.size {
            Status::Scored(Margin::DRAW)
        } else {
            Status::Playing
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct CountGtp;

impl GtpGame for CountGtp {
    type Game = Count;

    fn board_size(&size: &u8) -> u32 {
        size.into()
    }

    fn setup_commands(
        &size: &u8,
        knows: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Command>, InexpressibleSetup> {
        if size < 10 {
            return Ok(Vec::new());
        }
        let command = Command::new("huge").argument(color_word(Color::White));
        let missing = InexpressibleSetup {
            commands: "huge",
            part: "a board beyond 9",
        };
        knows("huge").then(|| vec![command]).ok_or(missing)
    }

    fn vertex(_: &Count, mv: u8) -> String {
        match mv {
            0 => "PASS".into(),
            mv => mv.to_string(),
        }
    }

    fn parse_vertex(_: &Count, text: &str) -> Result<u8, ParseError> {
        let error = || ParseError::new("a number", 0, text.as_bytes());
        text.parse().map_err(|_| error())
    }

    /// An odd number ends the game in a draw; an even one has no score.
    fn final_scores(position: &Count) -> Vec<Margin> {
        let is_odd = position.reached % 2 == 1;
        is_odd.then_some(Margin::DRAW).into_iter().collect()
    }
}
