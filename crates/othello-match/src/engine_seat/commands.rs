//! The seat of a program that takes commands and plays many games, by GTP or NBoard.

use boardgame_io::CommandLine;
use boardgame_match::{
    Launch, Seat, SessionSeat, SessionSeatOptions, engine::Patience, limit::Limit,
};
use boardgame_session::SeatSession;
use othello_core::Board;
use othello_proto::{
    gtp::{GtpSeat, GtpSeatOptions},
    nboard::{NBoardSeat, NBoardSeatOptions},
};

/// The bytes that a program may send between two moves. Many print long analyses.
const MAX_TURN_BYTES: u64 = 16 * 1024 * 1024;

/// Returns the seat of a program that speaks GTP; it is sent `setup` once it is started.
pub(super) fn gtp(
    line: &CommandLine,
    setup: &[String],
    patience: &Patience,
) -> impl Seat<Board> + use<> {
    let session = GtpSeat::new(GtpSeatOptions {
        setup: setup.to_vec(),
        ready: patience.start,
        grace: patience.overtime,
        ..GtpSeatOptions::default()
    });
    program(session, line, patience)
}

/// Returns the seat of a program that speaks NBoard; it is sent `setup` once it is started, and the depth
/// of its limit before each game.
pub(super) fn nboard(
    line: &CommandLine,
    setup: &[String],
    limit: Limit,
    patience: &Patience,
) -> impl Seat<Board> + use<> {
    let session = NBoardSeat::new(NBoardSeatOptions {
        setup: setup.to_vec(),
        depth: limit.depth,
        ready: patience.start,
        grace: patience.overtime,
        ..NBoardSeatOptions::default()
    });
    program(session, line, patience)
}

fn program<S: SeatSession<Board> + Send + 'static>(
    session: S,
    line: &CommandLine,
    patience: &Patience,
) -> impl Seat<Board> + use<S> {
    let options = SessionSeatOptions {
        launch: Launch::Kept,
        max_turn_bytes: MAX_TURN_BYTES,
        max_game_bytes: u64::MAX,
        farewell: b"quit\n".to_vec(),
        ..SessionSeatOptions::default()
    };
    let (name, line) = (line.to_string(), line.clone());
    SessionSeat::program(name, session, line, patience.program, options)
}
