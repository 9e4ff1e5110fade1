//! Seats opened by what the engine is and speaks.

use boardgame_io::CommandLine;
use boardgame_match::{Seat, fault::Fault};
use othello_core::{Board, Color, Game};

use super::{
    Patience, commands, faults,
    lth::ConnectError,
    own::{OwnEngine, OwnError},
    wire::WireProgram,
};
use crate::{
    engine::{EngineSpec, Kind, OwnSettings},
    protocol::{Allowance, Protocol, WireFormat, WireLimitError},
};

/// A seat whose engine can be told to begin a game.
pub(super) struct OpenSeat {
    pub(super) seat: Box<dyn Seat<Board>>,
    /// Our own engine, if it plays at this seat.
    pub(super) own: Option<OwnEngine>,
    /// True if the seat serves the next game, too.
    pub(super) is_kept: bool,
}

/// The seat of an engine could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("the {0} format begins every game on the usual board")]
    Opening(WireFormat),
    #[error(transparent)]
    Limit(#[from] WireLimitError),
    #[error("{}", faults::reason(&.0.report, &.0.to_string()))]
    Lth(Box<ConnectError>),
    #[error(transparent)]
    Own(#[from] OwnError),
}

impl OpenError {
    /// Returns the engine's fault.
    pub(crate) fn fault(&self) -> Fault {
        let reason = self.to_string();
        Fault::NotStarted { reason }.brief()
    }

    /// Returns whether the engine did not answer, so that it is not worth another attempt.
    pub(crate) const fn is_hang(&self) -> bool {
        matches!(self, Self::Lth(error) if error.is_late())
    }
}

/// A seat to be opened for a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeatRequest<'a> {
    pub(super) engine: &'a EngineSpec,
    pub(super) patience: &'a Patience,
    /// True if no other game is played in this process at the same time.
    pub(super) alone: bool,
    /// The engine's colour in the game.
    pub(super) color: Color,
    /// True if the engine took an opening pass for an answer before.
    pub(super) misreads_opening: bool,
}

impl SeatRequest<'_> {
    /// Opens the seat for a game that begins with an opening.
    ///
    /// # Errors
    ///
    /// When the engine cannot be started, or cannot play from there.
    pub(super) async fn open(&self, opening: &Game) -> Result<OpenSeat, OpenError> {
        match &self.engine.kind {
            Kind::Own(settings) => Ok(self.own(settings.clone())?),
            Kind::Program {
                protocol,
                line,
                setup,
            } => match *protocol {
                Protocol::Gtp => {
                    let seat = commands::gtp(line, setup, self.patience);
                    Ok(OpenSeat::kept(seat))
                }
                Protocol::Nboard => {
                    let limit = self.engine.limit;
                    let seat = commands::nboard(line, setup, limit, self.patience);
                    Ok(OpenSeat::kept(seat))
                }
                Protocol::Wire(format) => self.wire(format, line, opening).await,
            },
        }
    }

    fn own(&self, settings: OwnSettings) -> Result<OpenSeat, OwnError> {
        let own = OwnEngine::new(settings, self.engine.limit, self.alone)?;
        let seat = own.seat(&self.engine.name, self.patience.overtime)?;
        Ok(OpenSeat {
            own: Some(own),
            ..OpenSeat::kept(Box::new(seat))
        })
    }

    async fn wire(
        &self,
        format: WireFormat,
        line: &CommandLine,
        opening: &Game,
    ) -> Result<OpenSeat, OpenError> {
        if !format.takes(opening) {
            return Err(OpenError::Opening(format));
        }
        let program = WireProgram {
            format,
            line,
            allowance: Allowance::new(format, self.engine.limit)?,
            patience: self.patience,
            color: self.color,
            misreads_opening: self.misreads_opening,
        };
        let seat = program.seat().await;
        Ok(OpenSeat {
            is_kept: false,
            ..OpenSeat::kept(seat.map_err(|error| OpenError::Lth(Box::new(error)))?)
        })
    }
}

impl OpenSeat {
    /// Returns the seat of a program that serves many games.
    fn kept(seat: Box<dyn Seat<Board>>) -> Self {
        Self {
            seat,
            own: None,
            is_kept: true,
        }
    }
}
