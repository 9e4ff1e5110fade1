//! The Go Text Protocol, version 2, for any game.
//!
//! A controller sends commands, one a line; the engine answers each in turn with a response that
//! begins with `=` or `?` and ends with a blank line. A [`GtpSeat`] is the controller's side of one seat of
//! a game; a [`GtpGame`] gives it the vertices and the setup of that game. A [`player::Player`] is the
//! engine's side. Source: draft 2 of the specification (Farnebäck, 2002, lysator.liu.se/~gunnar/gtp).
//!
//! # Examples
//!
//! ```
//! use boardgame_core::Color;
//! use boardgame_session::gtp::{Command, Responses};
//!
//! assert_eq!(Command::genmove(Color::Black).to_string(), "genmove b");
//! assert_eq!(Command::play(Color::White, "Q16").to_string(), "play w Q16");
//!
//! let mut responses = Responses::default();
//! responses.push(b"= D4\n\n? unknown command\n\n");
//! assert_eq!(responses.next_response().unwrap()?.text, "D4");
//! assert!(!responses.next_response().unwrap()?.success);
//! # Ok::<(), boardgame_session::ParseError>(())
//! ```

mod color;
mod command;
mod game;
pub mod player;
mod response;
mod seat;
mod time;

pub use color::{color_word, parse_color};
pub use command::{Command, MAX_INT, integer};
pub use game::{GtpGame, InexpressibleSetup, parse_score};
pub use response::{MAX_RESPONSE, Response, Responses};
pub use seat::{GtpSeat, GtpSeatOptions};
pub use time::OvertimeWords;
