//! The Othello GUI: a window that asks a program for one move at a time over its standard input
//! and output.
//!
//! The two versions of the document and the released program differ in the first line, in how the
//! side to move is known, and in how long a process lives: see [`Mode`] for a player and [`Form`]
//! for a host. The format in full: `docs/protocols/gui.md`.

mod ask;
mod form;
mod lines;
mod message;
mod player;
mod reader;
mod seat;

pub use form::{Form, Version};
pub use message::{Answer, MAX_MOVES, Request, VERSION_LINE};
pub use player::{Mode, Player, PlayerOptions};
pub use seat::{HostSeat, HostSeatOptions};
