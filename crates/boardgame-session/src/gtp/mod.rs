//! The Go Text Protocol, version 2: what it is for any game.
//!
//! A controller sends commands, one a line; the engine answers each in turn with a response that
//! begins with `=` or `?` and ends with a blank line. Vertices are each game's own. Source: draft 2 of
//! the specification (Farnebäck, 2002, lysator.liu.se/~gunnar/gtp).
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
mod response;

pub use color::{color_word, parse_color};
pub use command::{Command, MAX_INT, integer};
pub use response::{MAX_RESPONSE, Response, Responses};
