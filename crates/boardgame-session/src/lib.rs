#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod conductor;
pub mod framing;
pub mod grammar;
pub mod gtp;
mod note;
mod note_limiter;
mod parse_error;
pub mod player;
mod seat;
mod seat_actions;
mod seat_format;
mod time;
mod verdict;

pub use conductor::{Conductor, ConductorAction, ConductorOptions, GameEvent};
pub use note::{Note, NoteKind};
pub use note_limiter::NoteLimiter;
pub use parse_error::ParseError;
pub use seat::{Conventions, Order, Said, SeatAction, SeatEvent, SeatFault, SeatSession, Thought};
pub use seat_actions::SeatActions;
pub use seat_format::{Opening, SeatFormat};
pub use time::{Timestamp, Wait, late_after, wall_limit};
pub use verdict::{Cause, Received, Verdict};
