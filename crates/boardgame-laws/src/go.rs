//! Laws of the parsers and sessions of `go-proto`, and of the game records of `go-core`.

pub mod gtp;
pub mod sgf;
pub mod usenix;

use crate::{Law, Script};
use go_core::{Move, Point, Size};
use go_proto::session::Choice;

/// Every law of the game, by the name of its fuzz target.
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
