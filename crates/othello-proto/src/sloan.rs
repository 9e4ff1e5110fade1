//! The format of Sloan's IAGO referee: S-expressions over standard input and output.
//!
//! After K. R. Sloan, "Othello Specifications" (1991). `docs/protocols/sloan.md` describes the
//! grammar, the session and how open points are settled.
//!
//! ```
//! use othello_core::{Color, Move, Square};
//! use othello_proto::sloan::{self, Message};
//!
//! let parsed = sloan::parse_expression(b"(W c 3)")?;
//! let mv = Move::Place(Square::C3);
//! assert_eq!(parsed.message, Message::Move { color: Color::White, mv });
//! assert_eq!(parsed.message.to_string(), "(W c 3)");
//! # Ok::<(), othello_proto::ParseError>(())
//! ```

mod claim;
mod comment;
mod complaint;
mod framing;
mod message;
mod nesting;
mod parse;
mod player;
mod print;
mod referee;
#[cfg(test)]
mod samples;

use core::time::Duration;

pub use claim::ClaimReading;
pub use comment::{MAX_COMMENT, bracketed, safe};
pub use framing::{Frame, Framer, MAX_DEPTH, MAX_LENGTH};
pub use message::{Dialect, Leniencies, Message, Parsed};
pub use parse::{parse_expression, parse_line};
use player::OPENING_WAIT_SHARE;
pub use player::{Comments, OPENING_WAIT, Player, PlayerOptions};
pub use print::print;
pub use referee::{MAX_FINISHED_PASSES, OpeningPass, RELAUNCH_WAIT, RefereeOptions, RefereeSeat};

/// The time that each player has for a game. Rule 0f.
pub const GAME_TIME: Duration = Duration::from_mins(30);

/// The maximum number of complaints sent to a side between two usable messages. Further ones go to
/// the log alone, so that a flood of garbage does not cause another.
pub const MAX_COMPLAINTS: u32 = 8;

/// Returns `time`, but at most 1/`share` of the game's time, if that is limited.
fn at_most_part(time: Duration, game_time: Option<Duration>, share: u32) -> Duration {
    game_time.map_or(time, |all| time.min(all / share))
}
