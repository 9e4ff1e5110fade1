//! The host's side of a format: referee, server, judge, GUI.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use othello_core::{Board, Color, Game, Move, Score};

use super::{Note, Timestamp};

/// The host's side of a wire format as a state machine for one game between two seats, each
/// named by its colour.
pub trait HostSession {
    /// Begins the session. Called once, before anything else.
    fn start(&mut self, now: Timestamp);

    /// Takes bytes from a seat, cut anywhere.
    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp);

    /// Takes the end of a seat's output.
    fn end_of_input(&mut self, seat: Color, now: Timestamp);

    /// Takes the end of a seat's program, after the end of its output; `success` is whether its
    /// exit status was 0. Never called for a seat that is no program.
    fn exited(&mut self, seat: Color, success: bool, now: Timestamp) {
        let _ = (seat, success, now);
    }

    /// Takes the answer to [`HostAction::Keep`]: the result is kept, or cannot be.
    fn kept(&mut self, now: Timestamp) {
        let _ = now;
    }

    /// Returns the moment at which [`tick`](Self::tick) is to be called next, if any.
    fn deadline(&self) -> Option<Timestamp>;

    /// Takes the passing of time.
    fn tick(&mut self, now: Timestamp);

    /// Returns the next action, or `None` until the session is fed again.
    fn poll(&mut self) -> Option<HostAction>;

    /// Returns the game so far.
    fn game(&self) -> &Game;
}

/// An action of a host's driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostAction {
    /// Start the seat's program anew: for each move, in formats that do so, or in place of a program that
    /// left or is not ready for a game that begins again. A seat that is no program ignores it.
    Launch(Color),
    /// Write these bytes to the seat and flush.
    Send {
        /// The seat.
        seat: Color,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Close the seat's input, once what was sent is delivered. A program is then given a grace
    /// period before it is ended.
    HangUp(Color),
    /// Keep the result and call [`HostSession::kept`]: until then no seat is told.
    Keep(Verdict),
    /// Tell the observers.
    Event(HostEvent),
    /// Write this to the log.
    Note(Note),
    /// Stop: the game is decided and nothing follows.
    Finish(Verdict),
}

/// An event for the observers of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEvent {
    /// Both seats are ready and the game begins: the side that moves first is asked, or has moved.
    Began,
    /// The game so far is void and begins again from its start: nothing that was told of it before
    /// counts.
    Restarted,
    /// A move was made and accepted; the game already holds it.
    Moved {
        /// The seat.
        seat: Color,
        /// The move, or a pass.
        mv: Move,
        /// The time it took.
        took: Duration,
    },
    /// A seat made a remark.
    Comment {
        /// The seat.
        seat: Color,
        /// The remark, without the format's syntax.
        text: String,
    },
    /// A seat claimed a result that the board does not bear out: another one than the game's,
    /// or one before the end, such as that by which a program gives up.
    FalseClaim {
        /// The seat.
        seat: Color,
        /// The result that was claimed, from Black's point of view.
        value: Score,
    },
}

/// The verdict on a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The winner, or `None` for a draw.
    pub winner: Option<Color>,
    /// The cause of the end.
    pub cause: Cause,
    /// The board at the end.
    pub board: Board,
}

/// The cause of the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// It was played to its end.
    Played,
    /// A player made an illegal move; the other wins.
    IllegalMove {
        /// The player at fault.
        by: Color,
        /// The move and what is wrong with it.
        detail: String,
    },
    /// A player's time ran out; the other wins.
    Overtime {
        /// The player at fault.
        by: Color,
    },
    /// A player broke the format; the other wins.
    Format {
        /// The player at fault.
        by: Color,
        /// The expected input and the input that came.
        detail: String,
    },
    /// A player left before the end; the other wins.
    Left {
        /// The player at fault.
        by: Color,
    },
}

impl Cause {
    /// The player at fault, or `None` of a game played to its end.
    pub const fn culprit(&self) -> Option<Color> {
        match self {
            Self::Played => None,
            Self::IllegalMove { by, .. }
            | Self::Overtime { by }
            | Self::Format { by, .. }
            | Self::Left { by } => Some(*by),
        }
    }
}
