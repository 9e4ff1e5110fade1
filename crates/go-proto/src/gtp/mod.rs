//! The Go Text Protocol, version 2, for Go: the vocabulary of the seats of programs that speak it.

mod game;

pub use boardgame_session::gtp::{Command, GtpSeat, GtpSeatOptions};
pub use game::Go;
