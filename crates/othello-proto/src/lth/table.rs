//! A game of two guests.

use core::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use othello_core::{Board, Color};

use super::{Guest, ServerSeat, ServerSeatOptions, TimeLimit};
use crate::session::{TwoSeats, TwoSeatsOptions};

/// Two guests cannot play each other, since both have this colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected guests of both colours, but both are {0}")]
pub struct SameColor(pub Color);

/// The server's side of a game of two guests as a state machine.
///
/// The result is to be [kept](crate::session::HostAction::Keep) before the last lines are sent.
pub type Table = TwoSeats<ServerSeat>;

impl Table {
    /// Returns a game of two guests.
    ///
    /// # Errors
    ///
    /// When both have the same colour.
    pub fn of_guests(one: Guest, other: Guest, limit: TimeLimit) -> Result<Self, SameColor> {
        let color = one.color();
        if color == other.color() {
            return Err(SameColor(color));
        }
        let seat = |guest| ServerSeat::new(guest, ServerSeatOptions::default());
        let seats = ByColor::from([one, other]).map(seat);
        let seats = match color {
            Color::Black => seats,
            Color::White => seats.swapped(),
        };
        let options = TwoSeatsOptions {
            start: Board::START,
            time: ByColor::new_with(|_| TimeControl::from(limit)),
            tolerance: Duration::ZERO,
            relays_comments: false,
            keeps: true,
        };
        Ok(Self::between(&options, seats))
    }
}
