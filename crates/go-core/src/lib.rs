#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(doctest, test))]
extern crate std;

mod benson;
mod board;
mod dame;
mod game;
mod handicap;
mod komi;
mod life_and_death;
mod moves;
mod ownership;
mod perft;
mod playout;
mod point;
mod point_set;
mod points;
mod position;
mod random;
mod region;
mod reply;
mod rules;
mod score;
mod setup;
pub mod sgf;
mod size;
mod transcript;
mod zobrist;

pub use benson::unconditionally_alive;
pub use board::{
    Board, BoardDiagram, BoardPart, ParseBoardError, Pattern, StonesError, StonesErrorKind,
    SuicideRule,
};
pub use boardgame_core::{ByColor, Color, ParseTextError};
pub use dame::{FilledBoard, fill_dame, open_dame};
pub use game::Game;
pub use handicap::{fixed_handicap, max_fixed_handicap, star_points};
pub use komi::Komi;
pub use life_and_death::{LifeAndDeath, PlayOut};
pub use moves::{IllegalMove, IllegalReason, Move};
pub use ownership::Ownership;
pub use perft::{PerftMoves, perft, perft_divide};
pub use playout::{playout, playout_with};
pub use point::Point;
pub use point_set::PointSet;
pub use points::Points;
pub use position::Position;
pub use random::Random;
pub use rules::{KoRule, Rules, Scoring};
pub use score::Score;
pub use setup::{ParseSetupError, Setup, SetupError};
pub use size::Size;
pub use transcript::{Transcript, TranscriptError, TranscriptErrorKind};
