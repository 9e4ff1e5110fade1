//! The Go Text Protocol, version 2, as Othello programs speak it.
//!
//! A controller sends commands, one a line; the engine answers each in turn with a response that
//! begins with `=` or `?` and ends with a blank line. Columns are A to H from left to right, rows 1
//! to 8 from top to bottom. The format in full: `docs/protocols/gtp.md`.
//!
//! A controller prints a [`Command`], reads [`Responses`] and understands the answer to `genmove`
//! with [`parse_answer`]:
//!
//! ```
//! use othello_core::{Color, Move, Square};
//! use othello_proto::gtp::{Answer, Command, Responses, parse_answer};
//!
//! let play = Command::play(Color::White, Move::Place(Square::C4));
//! assert_eq!(play.to_string(), "play w C4");
//! let command = Command::genmove(Color::Black);
//! assert_eq!(command.to_string(), "genmove b");
//!
//! let mut responses = Responses::default();
//! responses.push(b"= D3\n\n");
//! let response = responses.next_response().unwrap()?;
//! assert!(response.success);
//! let answer = parse_answer(&response.text)?;
//! assert_eq!(answer, Answer::Move(Move::Place(Square::D3)));
//! # Ok::<(), othello_proto::ParseError>(())
//! ```

mod entity;
mod game;
mod player;
mod sgf;
mod timer;

pub use boardgame_session::gtp::{
    Command, GtpSeatOptions, MAX_RESPONSE, Response, Responses, parse_color,
};
pub use entity::{Answer, parse_answer, parse_vertex};
pub use game::Othello;
pub use player::{Load, Player, PlayerOptions};

/// The controller's side of one seat of a game of Othello.
pub type GtpSeat = boardgame_session::gtp::GtpSeat<Othello>;
