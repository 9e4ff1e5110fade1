//! Laws of the sessions and parsers, as functions over arbitrary bytes: for any game, and with the features `othello`
//! and `go` for the formats of each game.
//!
//! A law takes any bytes from a fuzzer, a property test or a committed seed, and panics if they break it. The laws of
//! one game use [`player_session`], [`host_game`] and [`Script`]; the targets in `fuzz/` and the tests call the same
//! functions.
//!
//! ```
//! boardgame_laws::framing::lines(b"\x05one\r\n\x03two");
//! # #[cfg(feature = "othello")]
//! boardgame_laws::othello::sloan::parse(b"(W c 5)");
//! # #[cfg(feature = "go")]
//! boardgame_laws::go::usenix::parse(b"G12");
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::missing_panics_doc)] // Panicking is what they are for.

pub mod framing;
#[cfg(feature = "go")]
pub mod go;
pub mod gtp;
mod host;
mod hosted_game;
#[cfg(feature = "othello")]
pub mod othello;
mod player;
mod script;

/// A law: takes arbitrary bytes and panics when they break it.
pub type Law = fn(&[u8]);

/// The laws that need no game, by the names of their fuzz targets.
pub const TARGETS: &[(&str, Law)] = &[("lines", framing::lines)];

pub use host::{HostFormat, host_game};
pub use hosted_game::{HostAction, HostedGame, HostedGameOptions};
pub use player::{Answered, PlayerEvent, PlayerFormat, player_session};
pub use script::Script;
