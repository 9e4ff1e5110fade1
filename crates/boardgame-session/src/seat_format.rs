//! The shell of a host's seat, around its format.

use alloc::vec::Vec;

use boardgame_core::{ByColor, ClockState, Color, Game};

use crate::{
    Conventions, Order, Received, Said, SeatAction, SeatActions, SeatEvent, SeatFault, SeatSession,
    Timestamp, Wait,
};

/// The opening of a game, as given by [`Order::Begin`].
#[derive(Clone, Debug)]
pub struct Opening<G: Game> {
    /// The setup agreed on before the first move.
    pub setup: G::Setup,
    /// The moves made before the programs play.
    pub moves: Vec<G::Move>,
    /// The colour of the seat.
    pub color: Color,
    /// The clocks of both sides.
    pub clocks: ByColor<ClockState>,
}

/// The move of a format's game.
type MoveOf<F> = <<F as SeatFormat>::Game as Game>::Move;

/// The part of a host's seat that belongs to its format: writing to a program and reading its output. The rest of the
/// [`SeatSession`] is implemented for every format.
///
/// Time is checked before any input is read: late input is not read.
pub trait SeatFormat: Sized {
    /// The game.
    type Game: Game;

    /// The conventions of the format.
    const CONVENTIONS: Conventions;

    /// Returns the actions that wait for the driver.
    fn actions(&mut self) -> &mut SeatActions<MoveOf<Self>>;

    /// Begins a game.
    fn begin(&mut self, opening: Opening<Self::Game>, now: Timestamp);

    /// Asks for a move.
    fn choose(&mut self, clocks: ByColor<ClockState>, now: Timestamp);

    /// Records a move that was accepted.
    fn played(&mut self, color: Color, mv: MoveOf<Self>);

    /// Passes on a message of the program at the other seat.
    fn said(&mut self, _said: &Said<MoveOf<Self>>, _now: Timestamp) {}

    /// Takes the end of the game by its rules.
    fn over(&mut self, other_closes: bool, now: Timestamp);

    /// Ends the game for the program: it is decided or called off.
    fn leave(&mut self);

    /// Reads output of the program.
    fn read(&mut self, bytes: &[u8], now: Timestamp);

    /// Takes the end of the program's output.
    fn read_end(&mut self, now: Timestamp);

    /// Takes the end of the program itself.
    fn exit(&mut self, _success: bool, now: Timestamp) {
        self.end_of_input(now);
    }

    /// Returns the wait for the program, if there is one.
    fn wait(&self) -> Option<Wait>;

    /// Returns the input received since the program was asked.
    fn received(&self) -> Received<'_> {
        Received::NoAnswer
    }

    /// Ends a wait that took too long.
    fn late(&mut self, wait: Wait, now: Timestamp) {
        let fault = wait.overtime(now, self.received());
        self.fail(fault);
    }

    /// Gives up on the program for a fault.
    fn fail(&mut self, fault: SeatFault);
}

impl<F: SeatFormat> SeatSession<F::Game> for F {
    fn conventions(&self) -> Conventions {
        F::CONVENTIONS
    }

    fn order(&mut self, order: Order<F::Game>, now: Timestamp) {
        match order {
            Order::Begin {
                setup,
                moves,
                color,
                clocks,
                ..
            } => {
                let opening = Opening {
                    setup,
                    moves,
                    color,
                    clocks,
                };
                self.begin(opening, now);
            }
            Order::Choose { clocks } => self.choose(clocks, now),
            Order::Played { color, mv } => self.played(color, mv),
            Order::Said(said) => self.said(&said, now),
            Order::Over { other_closes, .. } => self.over(other_closes, now),
            Order::Conclude(_) => {
                self.leave();
                self.actions().event(SeatEvent::Closed);
            }
            Order::CallOff => self.leave(),
        }
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.tick(now);
        self.read(bytes, now);
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.tick(now);
        self.read_end(now);
    }

    fn exited(&mut self, success: bool, now: Timestamp) {
        self.exit(success, now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.wait()?.deadline()
    }

    fn tick(&mut self, now: Timestamp) {
        if let Some(wait) = self.wait().filter(|wait| wait.is_over(now)) {
            self.late(wait, now);
        }
    }

    fn poll(&mut self) -> Option<SeatAction<MoveOf<F>>> {
        self.actions().poll()
    }
}
