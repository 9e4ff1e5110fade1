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

pub use boardgame_session::gtp::{
    Command, GtpSeatOptions, MAX_RESPONSE, Response, Responses, parse_color,
    player::{Load, PlayerOptions},
};
pub(crate) use entity::square;
pub use entity::{Answer, parse_answer, parse_vertex};
pub use game::Othello;
pub use player::{LoadError, OthelloGame};

/// The controller's side of one seat of a game of Othello.
pub type GtpSeat = boardgame_session::gtp::GtpSeat<Othello>;

/// The engine's side of a session, on the usual starting board at first.
///
/// # Examples
///
/// ```
/// use othello_core::Square;
/// use othello_proto::gtp::{Player, PlayerOptions};
/// use othello_proto::session::{Action, Decision, PlayerSession, Timestamp};
///
/// let now = Timestamp::ORIGIN;
/// let mut player = Player::new(PlayerOptions::default());
/// player.start(now);
/// player.receive(b"1 genmove b\n", now);
/// let Some(Action::Think(task)) = player.poll() else {
///     panic!("a move is asked for");
/// };
/// player.decide(Decision { task: task.id, answer: Square::F5.into() }, now);
/// assert_eq!(player.poll(), Some(Action::Send(b"=1 F5\n\n".to_vec())));
/// ```
pub type Player = boardgame_session::gtp::player::Player<OthelloGame>;
