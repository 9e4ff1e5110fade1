//! Engines of a match and games between two of them.

mod faults;
mod file;
mod game;
mod open;
mod patience;
mod seat;
mod text;

use std::{fmt::Display, future::Future};

use boardgame_core::{Color, Game, Margin, Status, TimeControl};
use boardgame_session::SeatFault;

use crate::{GameReport, fault::Fault, limit::Limit, record::RecordFormat};

pub use file::{Entry, ReadEnginesError, read_file};
pub use game::play;
pub use open::{OpenError, OpenSeat, SeatRequest, kept_program_options};
pub use patience::Patience;
pub use seat::EngineSeat;
pub use text::{EngineText, EngineTextError};

/// An engine cannot be told its limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum LimitError {
    /// An engine in this process has none.
    #[error("expected a limit for {name}, such as move:100ms or depth:8, found none")]
    None { name: String },
    /// An engine in this process keeps others.
    #[error("the limit of {name}: expected {expected}, found {found}")]
    Own {
        name: String,
        expected: &'static str,
        found: Box<Limit>,
    },
    /// The protocol carries others.
    #[error(
        "the limit of {name}: {protocol} carries {expected}, found {found}: anything else has to be \
         among the program's own arguments"
    )]
    Other {
        name: String,
        protocol: &'static str,
        expected: &'static str,
        found: Box<Limit>,
    },
}

/// The rules of the game that an engine plays.
pub type Rules<E> = <<E as Engine>::Format as RecordFormat>::Game;

/// An engine of a match, not started yet: its name, its limit, and how to open a seat for it.
///
/// Its `Display` text has everything that affects its play, except the limit.
pub trait Engine: Clone + Display + Send + Sync + 'static {
    /// The text form of the engine's games in records.
    type Format: RecordFormat + 'static;

    /// Returns the name in tables and records.
    fn name(&self) -> &str;

    /// Returns the limits of the engine's thinking.
    fn limit(&self) -> Limit;

    /// Sets the limits of the engine's thinking.
    fn set_limit(&mut self, limit: Limit);

    /// Returns the time that the engine has in a game; by default its limit's.
    fn time(&self) -> TimeControl {
        *self.limit().clock().control()
    }

    /// Returns true if a program is started for each move. Trying such an engine out asks it for a move.
    fn has_process_per_move(&self) -> bool {
        false
    }

    /// Returns true if the engine plays in this process.
    fn is_local(&self) -> bool {
        false
    }

    /// Returns the number of threads that the engine searches with, as far as known.
    fn threads(&self) -> usize {
        1
    }

    /// Returns an identifier of whatever else affects the engine's play, such as a checksum of a file; by default
    /// nothing.
    fn fingerprint(&self) -> Option<String> {
        None
    }

    /// Opens a seat for the engine.
    ///
    /// # Errors
    ///
    /// Fails if the engine cannot be started, or cannot play from the opening.
    fn open(
        &self,
        request: &SeatRequest<'_, Rules<Self>>,
    ) -> impl Future<Output = Result<OpenSeat<Rules<Self>>, OpenError>> + Send;

    /// Returns the likely cause of a fault for which the engine lost a game with this colour; by default of silence
    /// alone.
    fn likely_cause(
        &self,
        fault: &SeatFault,
        color: Color,
        game: &GameReport<Rules<Self>>,
    ) -> Option<String> {
        let is_silent = matches!(fault, SeatFault::Overtime { .. } | SeatFault::Idle { .. });
        is_silent.then(|| game.seats[color].last_output.silence())
    }

    /// Returns the fault of a false claim of the result, in the words of the engine's protocol. `position` is the
    /// last one of the game.
    fn false_result(&self, claim: Margin, position: &Rules<Self>) -> Fault {
        let truth = match position.status() {
            Status::Scored(margin) => margin.to_string(),
            Status::Playing | Status::Unscored => "open".into(),
        };
        Fault::FalseResult {
            claim: claim.to_string(),
            truth,
        }
    }
}
