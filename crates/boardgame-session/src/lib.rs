//! Sessions of board game protocols as state machines without I/O.
//!
//! A [`SeatSession`] is the host's side of a wire format for one seat of a game: it takes orders from
//! whoever conducts the game and bytes from the program at the seat, and gives bytes for the program
//! and events for the conductor. It owns no socket and reads no clock; time comes in as [`Timestamp`].
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod conductor;
mod note;
mod seat;
mod time;
mod verdict;

pub use conductor::{Conductor, ConductorAction, ConductorOptions, GameEvent};
pub use note::{Note, NoteKind};
pub use seat::{Conventions, Order, Said, SeatAction, SeatEvent, SeatFault, SeatSession, Thought};
pub use time::Timestamp;
pub use verdict::{Cause, Verdict};
