//! Options of the GUI's side of a game between two programs.

use core::time::Duration;

use othello_core::{Board, Color};

use super::{Form, HostSeatOptions};

/// Options of the GUI's side of a game between two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostOptions {
    /// The form to speak.
    pub form: Form,
    /// The board that the game begins on.
    pub start: Board,
    /// The limit for a move, sent in whole milliseconds.
    pub limit: Duration,
    /// The limit for the version line.
    pub startup: Duration,
    /// The time allowed beyond both limits for processes and pipes.
    pub grace: Duration,
    /// A seat that is held to no limit, such as a person's.
    pub untimed: Option<Color>,
}

impl Default for HostOptions {
    fn default() -> Self {
        let HostSeatOptions {
            form,
            limit,
            startup,
            grace,
        } = HostSeatOptions::default();
        Self {
            form,
            start: Board::START,
            limit,
            startup,
            grace,
            untimed: None,
        }
    }
}
