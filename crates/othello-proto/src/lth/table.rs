//! The server's side of a game.

use core::time::Duration;

use boardgame_core::{ByColor, TimeControl};
use boardgame_session::{Conventions, Order, SeatAction, SeatSession};
use othello_core::{Board, Color, Game, Move};

use super::{Guest, ServerSeat, ServerSeatOptions, TimeLimit, built_in::BuiltInSeat};
use crate::session::{Decision, HostAction, HostSession, Timestamp, TwoSeats, TwoSeatsOptions};

/// Two guests cannot play each other, since both have this colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected guests of both colours, but both are {0}")]
pub struct SameColor(pub Color);

/// The server's side of a game as a state machine: a guest against the built-in player or another guest.
///
/// The result is to be [kept](HostAction::Keep) before the last lines are sent.
#[derive(Clone, Debug)]
pub struct Table {
    game: TwoSeats<Seat>,
}

/// A seat at a table.
#[derive(Clone, Debug)]
enum Seat {
    Guest(ServerSeat),
    BuiltIn(BuiltInSeat),
}

impl Table {
    /// A game of a guest against the built-in player, which chooses by [`HostAction::Think`].
    pub fn against_house(guest: Guest, limit: TimeLimit) -> Self {
        let color = guest.color();
        let house = Seat::BuiltIn(BuiltInSeat::new(!color));
        let seats = [Seat::guest(guest), house];
        Self::new(color, seats, limit)
    }

    /// A game of two guests.
    ///
    /// # Errors
    ///
    /// When both have the same colour.
    pub fn between(one: Guest, other: Guest, limit: TimeLimit) -> Result<Self, SameColor> {
        let color = one.color();
        if color == other.color() {
            return Err(SameColor(color));
        }
        let seats = [one, other].map(Seat::guest);
        Ok(Self::new(color, seats, limit))
    }

    /// Returns a table whose first seat has this colour.
    fn new(color: Color, seats: [Seat; 2], limit: TimeLimit) -> Self {
        let seats = ByColor::from(seats);
        let options = TwoSeatsOptions {
            start: Board::START,
            time: ByColor::new_with(|_| TimeControl::from(limit)),
            tolerance: Duration::ZERO,
            relays_comments: false,
            keeps: true,
        };
        let seats = match color {
            Color::Black => seats,
            Color::White => seats.swapped(),
        };
        Self {
            game: TwoSeats::between(&options, seats),
        }
    }

    fn built_in(&mut self) -> Option<&mut BuiltInSeat> {
        let mut seats = self.game.seats_mut().iter_mut();
        seats.find_map(|seat| match seat {
            Seat::BuiltIn(seat) => Some(seat),
            Seat::Guest(_) => None,
        })
    }
}

impl HostSession for Table {
    fn start(&mut self, now: Timestamp) {
        self.game.start(now);
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        self.game.receive(seat, bytes, now);
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        self.game.end_of_input(seat, now);
    }

    fn decide(&mut self, decision: Decision, now: Timestamp) {
        self.game.tick(now);
        if let Some(seat) = self.built_in() {
            seat.decide(&decision, now);
        }
        self.game.tick(now);
    }

    fn kept(&mut self, now: Timestamp) {
        self.game.kept(now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.game.deadline()
    }

    fn tick(&mut self, now: Timestamp) {
        self.game.tick(now);
    }

    fn poll(&mut self) -> Option<HostAction> {
        let action = self.game.poll();
        if matches!(action, Some(HostAction::Keep(_)))
            && let Some(seat) = self.built_in()
        {
            seat.stop();
        }
        action.or_else(|| self.built_in()?.take_task().map(HostAction::Think))
    }

    fn game(&self) -> &Game {
        self.game.game()
    }
}

impl Seat {
    fn guest(guest: Guest) -> Self {
        Self::Guest(ServerSeat::new(guest, ServerSeatOptions::default()))
    }

    fn session(&self) -> &dyn SeatSession<Board> {
        match self {
            Self::Guest(seat) => seat,
            Self::BuiltIn(seat) => seat,
        }
    }

    fn session_mut(&mut self) -> &mut dyn SeatSession<Board> {
        match self {
            Self::Guest(seat) => seat,
            Self::BuiltIn(seat) => seat,
        }
    }
}

impl SeatSession<Board> for Seat {
    fn conventions(&self) -> Conventions {
        self.session().conventions()
    }

    fn order(&mut self, order: Order<Board>, now: Timestamp) {
        self.session_mut().order(order, now);
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.session_mut().receive(bytes, now);
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.session_mut().end_of_input(now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.session().deadline()
    }

    fn tick(&mut self, now: Timestamp) {
        self.session_mut().tick(now);
    }

    fn poll(&mut self) -> Option<SeatAction<Move>> {
        self.session_mut().poll()
    }
}
