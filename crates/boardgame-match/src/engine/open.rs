//! The opening of an engine's seat.

use std::error::Error;

use boardgame_core::{Color, Game};
use boardgame_io::CommandLine;
use boardgame_session::SeatSession;

use super::{Patience, faults};
use crate::{
    GameSpec, Launch, Seat, SeatReport, SessionSeat, SessionSeatOptions,
    fault::{Fault, StartFailure},
    limit::Limit,
};

/// A request to open the seat of an engine for a game.
#[derive(Clone, Copy)]
pub struct SeatRequest<'a, G: Game> {
    /// The game.
    pub game: &'a GameSpec<G>,
    /// The engine's colour in the game.
    pub color: Color,
    /// The maximum times that the engine is waited for.
    pub patience: &'a Patience,
    /// True if no other game is played in this process at the same time.
    pub alone: bool,
    /// True if the engine misread the opening of an earlier game, which was
    /// [restarted](crate::fault::Fault::MisreadOpening).
    pub misreads_opening: bool,
}

/// The seat of an engine.
pub struct OpenSeat<G: Game> {
    /// The seat.
    pub seat: Box<dyn Seat<G>>,
    /// Makes an engine in this process forget the previous game, and sets its limits.
    pub new_game: Option<Box<dyn Fn(Limit) + Send>>,
    /// True if the seat plays the next game, too. If it does not, the engine's faults are worded as for a program
    /// that is started for one game.
    pub is_kept: bool,
}

/// The maximum number of bytes between two moves of a program that plays many games; many print long search logs.
const MAX_TURN_BYTES: u64 = 16 * 1024 * 1024;

impl<G: Game> OpenSeat<G> {
    /// Returns the seat of a program that takes commands and plays many games, as in GTP.
    pub fn program(
        session: impl SeatSession<G> + Send + 'static,
        line: CommandLine,
        patience: &Patience,
    ) -> Self {
        let options = kept_program_options();
        let (name, program) = (line.to_string(), patience.program.clone());
        Self::kept(SessionSeat::program(name, session, line, program, options))
    }

    /// Returns the seat of a program that plays many games.
    pub fn kept(seat: impl Seat<G> + 'static) -> Self {
        Self {
            seat: Box::new(seat),
            new_game: None,
            is_kept: true,
        }
    }
}

/// Returns the seat options for a program that takes commands and plays many games, as in GTP.
pub fn kept_program_options() -> SessionSeatOptions {
    SessionSeatOptions {
        launch: Launch::Kept,
        max_turn_bytes: MAX_TURN_BYTES,
        max_game_bytes: u64::MAX,
        farewell: b"quit\n".to_vec(),
        ..SessionSeatOptions::default()
    }
}

/// The error of an engine whose seat could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{}", faults::reason(report, &source.to_string()))]
pub struct OpenError {
    source: Box<dyn Error + Send + Sync>,
    report: Box<SeatReport>,
    failure: StartFailure,
}

impl OpenError {
    /// Returns the error of an engine that was not started.
    pub fn new(source: impl Error + Send + Sync + 'static) -> Self {
        Self::of_program(source, SeatReport::default(), StartFailure::Other)
    }

    /// Returns the error of an engine that was started, with the report of its seat. After a
    /// [silent](StartFailure::Silent) one another attempt is not worth the time.
    pub fn of_program(
        source: impl Error + Send + Sync + 'static,
        report: SeatReport,
        failure: StartFailure,
    ) -> Self {
        Self {
            source: Box::new(source),
            report: Box::new(report),
            failure,
        }
    }

    /// Returns the engine's fault.
    pub(super) fn fault(&self) -> Fault {
        let fault = Fault::NotStarted {
            failure: self.failure,
            reason: self.to_string(),
        };
        fault.brief()
    }

    /// Returns true if the engine did not become ready in time.
    pub(super) const fn is_late(&self) -> bool {
        matches!(self.failure, StartFailure::Silent)
    }
}
