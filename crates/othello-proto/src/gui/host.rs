//! The GUI's side of a game between two programs.

use core::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use othello_core::{Board, Color};

use super::{Form, HostSeat, HostSeatOptions};
use crate::session::{TwoSeats, TwoSeatsOptions};

/// Options of a [`Host`].
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

/// The GUI's side of a game. Every program is started by a
/// [`HostAction::Launch`](crate::session::HostAction::Launch): one for each move, or one for each seat
/// at the beginning with [`Form::Stay`].
pub type Host = TwoSeats<HostSeat>;

impl Host {
    /// Returns a host of one game.
    pub fn new(options: HostOptions) -> Self {
        let limit = |color| (options.untimed != Some(color)).then_some(options.limit);
        let conducted = TwoSeatsOptions {
            start: options.start,
            time: ByColor::new_with(|color| TimeControl {
                per_move: limit(color),
                ..TimeControl::default()
            }),
            tolerance: options.grace,
            relays_comments: false,
            keeps: false,
        };
        let seat = HostSeatOptions {
            form: options.form,
            limit: options.limit,
            startup: options.startup,
            grace: options.grace,
        };
        Self::between(&conducted, ByColor::new_with(|_| HostSeat::new(seat)))
    }
}
