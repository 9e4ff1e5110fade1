//! The events for the observer of the server.

use std::time::Duration;

use boardgame_core::{ByColor, ClockState};
use othello_core::Game;

use crate::record::{GameRecord, JournalError};

/// A game in progress, for the observer of a server.
#[derive(Clone, Debug)]
pub struct GameInProgress {
    /// The number of the game in this run of the server, from 1.
    pub number: u64,
    /// The event that the game is part of, as in its record.
    pub event: &'static str,
    /// The names that others see: those of the students if there are any, or else the ids of the clients; or the name
    /// of the built-in player.
    pub names: ByColor<String>,
    /// The game so far.
    pub game: Game,
    /// The clocks after the last move.
    pub clocks: ByColor<ClockState>,
    /// The time that the last move took, zero before the first.
    pub took: Duration,
}

/// An event for the observer of a server.
#[derive(Debug)]
pub enum ServerNews {
    /// A game began: the clock of the side to move runs.
    Began(GameInProgress),
    /// A move was made in a game.
    Moved(GameInProgress),
    /// The game with a [number](GameInProgress::number) is over, and its result is saved in the log, if there is one.
    /// The record has the names that others see.
    Over(u64, GameRecord),
    /// The game with a number is over, but its result could not be written to the log, or not in time.
    SaveFailed(u64, GameRecord),
    /// The log could not be written, and no more games start.
    StorageFailed(JournalError),
    /// The log was not closed in time, as on a disk that hangs: the last results may be missing in it.
    CloseTimedOut,
    /// The server has ended, and these results, with the ids of clients, may be missing in the log.
    Unsaved(Vec<GameRecord>),
}
