//! The protocol of the Othello server of LTH (versions 0.99.2 and 0.95), over TCP.
//!
//! The server speaks first, in lines; the client answers three questions: for its name, on the
//! testing port for its colour, and repeatedly for its move. [`Player`] is the client's side. The
//! server's side has two parts: a [`Reception`] for each connection, which ends with a [`Guest`]
//! who has a name and a colour, and a [`ServerSeat`] for the guest's game.
//!
//! # Examples
//!
//! ```
//! use othello_proto::lth::{ServerLine, parse};
//! use othello_core::Color;
//!
//! let read = parse::server_line(b"you are dark")?;
//! assert_eq!(read, ServerLine::YouAre(Color::Black));
//! assert_eq!(read.to_string(), "you are dark");
//! # Ok::<(), othello_proto::ParseError>(())
//! ```

mod buffers;
mod id;
mod limit;
mod message;
pub mod parse;
mod player;
mod reception;
mod report;
mod seat;

pub use buffers::{Flooded, MAX_EARLY};
pub use id::{BUILT_IN_PLAYER_NAME, Id, InvalidId, MAX_ID};
pub use limit::{LimitScope, TimeLimit};
pub use message::{ClientLine, Complaint, GameOutcome, OldLine, ServerLine};
pub use player::{FINAL_GRACE, MAX_UNREADABLE, Mode, OWED_MOVE_GRACE, Player, PlayerOptions};
pub use reception::{
    ClientRecord, Guest, Port, Reception, ReceptionAction, ReceptionOptions, Refusal,
};
pub use report::Report;
pub use seat::{ServerSeat, ServerSeatOptions};

/// The document's port of the server that lets the client choose its colour.
pub const TESTING_PORT: u16 = 9035;
/// The document's port of the server that evaluates clients.
pub const EVALUATION_PORT: u16 = 9045;
/// The document's port of Dark in competition mode.
pub const DARK_PORT: u16 = 9051;
/// The document's port of White in competition mode.
pub const WHITE_PORT: u16 = 9052;
