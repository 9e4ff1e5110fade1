//! Options of a seat whose player speaks a wire format.

use std::time::Instant;

use boardgame_io::Family;

use super::WatchOptions;

/// When the program of a seat is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Launch {
    /// With the first order, and whenever the session asks for it.
    #[default]
    AtStart,
    /// Only when the session asks for it, as formats with a process for each move do.
    OnRequest,
    /// With the first order of the first game. It is kept for the following games, each with its
    /// [`Order::Begin`](boardgame_session::Order::Begin), as long as it stays in step. A program that was
    /// hung up on, ended by itself, lost by a fault or was called off in the middle of an answer is ended
    /// with the game, and the next game starts a new one. Its standard error is unlimited.
    Kept,
}

/// Options of a [`SessionSeat`](super::SessionSeat).
#[derive(Clone, Debug)]
pub struct SessionSeatOptions {
    /// The moment at which the program is started.
    pub launch: Launch,
    /// The maximum number of bytes between two moves. A program that sends more is killed.
    pub max_turn_bytes: u64,
    /// The maximum number of bytes in a game. A program that sends more is killed.
    pub max_game_bytes: u64,
    /// The bytes sent to a peer over a stream when the game is called off, and to a [kept](Launch::Kept)
    /// program before its input is closed.
    pub farewell: Vec<u8>,
    /// The program at the other end of a stream, whose CPU time is charged to the moves.
    pub family: Option<Family>,
    /// The rules enforced while waiting for the program's move.
    pub watch: WatchOptions,
    /// The origin of the session's timestamps; `None` means the creation of the seat.
    pub origin: Option<Instant>,
}

impl Default for SessionSeatOptions {
    /// A program started at the start, 1 MiB a turn and 16 MiB a game, and no farewell.
    fn default() -> Self {
        Self {
            launch: Launch::AtStart,
            max_turn_bytes: 1024 * 1024,
            max_game_bytes: 16 * 1024 * 1024,
            farewell: Vec::new(),
            family: None,
            watch: WatchOptions::default(),
            origin: None,
        }
    }
}
