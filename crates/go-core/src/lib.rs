#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(doctest, test))]
extern crate std;

mod board;
mod handicap;
mod moves;
mod playout;
mod point;
mod point_set;
mod random;
mod size;
mod zobrist;

pub use board::{
    Board, BoardDiagram, BoardPart, ParseBoardError, StonesError, StonesErrorKind, SuicideRule,
};
pub use boardgame_core::{ByColor, Color, ParseColorError};
pub use handicap::{fixed_handicap, max_fixed_handicap};
pub use moves::{IllegalMove, IllegalReason, Move, ParseMoveError};
pub use playout::{playout, playout_with};
pub use point::{ParsePointError, Point};
pub use point_set::PointSet;
pub use random::Random;
pub use size::{ParseSizeError, Size};
