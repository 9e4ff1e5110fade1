//! NBoard: the protocol of Chris Welty's front end, version 2.
//!
//! The front end sends [`Command`]s and the engine answers with [`Response`]s, one a line. Source:
//! the protocol's document, which comes with NTest (`instructions/Protocol.htm`).
//!
//! - [`Player`] is the engine's side.
//! - [`NBoardSeat`] is the front end's side of one seat of a game.
//! - Another controller prints [`Command`]s and reads an engine's output with [`Responses`].

mod command;
mod player;
mod response;
mod seat;

pub use command::Command;
pub use player::{Player, PlayerOptions};
pub use response::{Depth, Hint, Response, Responses, Source};
pub use seat::{NBoardSeat, NBoardSeatOptions};
