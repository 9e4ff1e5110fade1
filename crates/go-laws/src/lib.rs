//! Laws of the parsers and sessions of `go-proto` and of the records of `go-core`, as functions over
//! arbitrary bytes.
//!
//! Each function takes whatever a fuzzer, a property test or a committed seed gives, and panics when a law
//! is broken. The targets in `fuzz/` and the replay of the seeds call the same ones.
//!
//! ```
//! go_laws::usenix::parse(b"G12");
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::missing_panics_doc)] // Panicking is what they are for.

pub mod gtp;
/// The plain board with which the tests of `go-core` compare the fast one.
#[path = "../../go-core/tests/rules/oracle.rs"]
#[allow(dead_code)] // The tests need more of it.
mod oracle;
pub mod sgf;
pub mod usenix;

use boardgame_laws::{Law, Script};
use go_core::{Move, Point, Size};
use go_proto::session::Choice;

/// Every law by the name of its fuzz target, which is also the folder of its seeds.
pub const TARGETS: &[(&str, Law)] = &[
    ("usenix_parse", usenix::parse),
    ("usenix_player", usenix::player),
    ("usenix_referee", usenix::referee),
    ("sgf_parse", sgf::parse),
    ("go_gtp_parse", gtp::parse),
    ("go_gtp_player", gtp::player),
];

/// A choice that may be illegal: on the lower left of the board, so that stones meet, or anywhere.
fn any_choice(script: &mut Script<'_>) -> Choice {
    let corner = Size::new(5).expect("a size");
    match script.pick(16) {
        0 => Choice::Resign,
        1 => Move::Pass.into(),
        2..5 => Move::from(any_point(script, Size::MAX)).into(),
        _ => Move::from(any_point(script, corner)).into(),
    }
}

fn any_point(script: &mut Script<'_>, size: Size) -> Point {
    let mut line = || script.pick(usize::from(size.lines())) as u8;
    Point::new(line(), line()).expect("a point")
}
