//! Laws of the sessions and parsers of any game, as functions over arbitrary bytes.
//!
//! A law takes whatever a fuzzer, a property test or a committed seed gives, and panics when it is broken.
//! The laws of one game stand in its own crate, on [`player_session`], [`host_game`] and [`Script`]; the
//! targets in `fuzz/` and the [replay of the seeds](replay_seeds) call the same functions.
//!
//! ```
//! boardgame_laws::framing::lines(b"\x05one\r\n\x03two");
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::missing_panics_doc)] // Panicking is what they are for.

pub mod framing;
pub mod gtp;
mod host;
mod hosted_game;
mod player;
mod script;
mod seeds;

/// A law: takes arbitrary bytes and panics when they break it.
pub type Law = fn(&[u8]);

/// The laws that need no game, by the names of their fuzz targets.
pub const TARGETS: &[(&str, Law)] = &[("lines", framing::lines)];

pub use host::{HostEvent, HostFormat, check_verdict, host_game};
pub use hosted_game::{HostAction, HostedGame, HostedGameOptions};
pub use player::{Answered, PlayerEvent, PlayerFormat, player_session};
pub use script::Script;
pub use seeds::{fuzz_folder, replay_seeds, targets_of};
