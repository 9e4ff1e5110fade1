//! Laws of the parsers and sessions of `othello-proto`, as functions over arbitrary bytes.
//!
//! Each function takes whatever a fuzzer, a property test or a committed seed gives, and panics
//! when a law is broken. The targets in `fuzz/` and the replay of the seeds call the same ones.
//!
//! ```
//! othello_laws::sloan::parse(b"(W c 5)");
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::missing_panics_doc)] // Panicking is what they are for.

pub mod codewarriors;
pub mod framing;
pub mod ggf;
pub mod gtp;
pub mod gui;
mod host;
mod hosted_game;
pub mod lth;
pub mod nboard;
mod script;
mod session;
pub mod sloan;

/// A law: takes arbitrary bytes and panics when they break it.
pub type Law = fn(&[u8]);

/// Every law by the name of its fuzz target, which is also the folder of its seeds.
pub const TARGETS: &[(&str, Law)] = &[
    ("lines", framing::lines),
    ("codewarriors_parse", codewarriors::parse),
    ("codewarriors_player", codewarriors::player),
    ("codewarriors_judge", codewarriors::judge),
    ("lth_parse", lth::parse),
    ("lth_player", lth::player),
    ("lth_server", lth::server),
    ("gtp_parse", gtp::parse),
    ("gtp_player", gtp::player),
    ("ggf_parse", ggf::parse),
    ("nboard_parse", nboard::parse),
    ("nboard_player", nboard::player),
    ("gui_parse", gui::parse),
    ("gui_player", gui::player),
    ("gui_host", gui::host),
    ("sloan_parse", sloan::parse),
    ("sloan_player", sloan::player),
    ("sloan_referee", sloan::referee),
];

use host::check_verdict;
pub use host::{HostFormat, host_game};
pub use hosted_game::{HostAction, HostedGame, HostedGameOptions};
pub use script::Script;
pub use session::{Answered, PlayerFormat, player_session};
