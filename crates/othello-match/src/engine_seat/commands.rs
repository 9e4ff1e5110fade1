//! The seat of a program that takes commands and plays many games, as in GTP and NBoard.

use boardgame_io::CommandLine;
use boardgame_match::{
    engine::{OpenSeat, Patience},
    limit::Limit,
};
use othello_core::Board;
use othello_proto::{
    gtp::{GtpSeat, GtpSeatOptions},
    nboard::{NBoardSeat, NBoardSeatOptions},
};

/// Returns the seat of a program that speaks GTP; it gets `setup` after its start.
pub(super) fn gtp(line: CommandLine, setup: &[String], patience: &Patience) -> OpenSeat<Board> {
    let session = GtpSeat::new(GtpSeatOptions {
        setup: setup.to_vec(),
        ready: patience.start,
        grace: patience.overtime,
        ..GtpSeatOptions::default()
    });
    OpenSeat::program(session, line, patience)
}

/// Returns the seat of a program that speaks NBoard; it is sent `setup` once it is started, and the depth
/// of its limit before each game.
pub(super) fn nboard(
    line: CommandLine,
    setup: &[String],
    limit: Limit,
    patience: &Patience,
) -> OpenSeat<Board> {
    let session = NBoardSeat::new(NBoardSeatOptions {
        setup: setup.to_vec(),
        depth: limit.depth,
        ready: patience.start,
        grace: patience.overtime,
        ..NBoardSeatOptions::default()
    });
    OpenSeat::program(session, line, patience)
}
