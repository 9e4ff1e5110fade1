//! The Code Warriors contest: a judge and two programs over their standard input and output.
//!
//! A message is two characters: `ST`, a square in upper case, or `PS`. The program that reads
//! `ST` is Black and opens; the other one first reads Black's move. Everything that a program
//! reads asks it for a move within two seconds. The format in full:
//! `docs/protocols/code-warriors.md`.

mod message;
mod pairs;
mod player;
mod seat;

pub use message::Message;
pub use pairs::{Pairs, Piece};
pub use player::{Player, PlayerOptions};
pub use seat::JudgeSeat;

use core::time::Duration;

/// The document's limit for a move, from the last input.
pub const MOVE_LIMIT: Duration = Duration::from_secs(2);
