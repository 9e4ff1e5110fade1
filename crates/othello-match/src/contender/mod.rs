//! Engines at work: one interface to whatever an engine is and speaks.
//!
//! A contender is opened once and plays any number of games, one at a time. In each it is told
//! when the game begins, asked for every move that is its own to choose, and told the end. Passes
//! are never asked for: whoever keeps the game makes them.

mod child;
mod gtp;
mod nboard;
mod own;
pub mod wire;

use std::time::Duration;

use boardgame_core::ClockState;
use othello_core::{Color, Game, Square};

use boardgame_match::{fault::Fault, limit::Limit};
pub use gtp::Gtp;
pub use nboard::Nboard;
pub use own::Own;
pub use wire::Wire;

use crate::{
    engine::{EngineSpec, Kind},
    protocol::Protocol,
};
use wire::WireOptions;

/// An engine at work.
pub enum Contender {
    /// Our own, in this process.
    Own(Own),
    /// A program that speaks GTP.
    Gtp(Gtp),
    /// A program that speaks NBoard.
    Nboard(Nboard),
    /// A program that speaks a wire format.
    Wire(Wire),
}

impl Contender {
    /// Opens an engine; `alone` if no other game is played in this process at the same time.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or does not become ready.
    pub async fn open(spec: &EngineSpec, alone: bool) -> Result<Self, Failure> {
        let (protocol, line, setup) = match &spec.kind {
            Kind::Own(settings) => {
                return Own::new(settings.clone(), spec.limit, alone)
                    .map(Self::Own)
                    .map_err(|error| not_started(&error));
            }
            Kind::Program {
                protocol,
                line,
                setup,
            } => (*protocol, line, setup),
        };
        match protocol {
            Protocol::Gtp => Gtp::open(line, spec.limit, setup).await.map(Self::Gtp),
            Protocol::Nboard => Nboard::open(line, spec.limit, setup)
                .await
                .map(Self::Nboard),
            Protocol::Wire(format) => {
                Wire::new(format, line.clone(), spec.limit, wire_options(spec.limit))
                    .map(Self::Wire)
                    .map_err(|error| not_started(&error))
            }
        }
    }

    /// Begins a game in which the engine plays `color`; `game` has the opening's moves.
    ///
    /// # Errors
    ///
    /// When the engine fails, or cannot play from there.
    pub async fn begin(&mut self, game: &Game, color: Color) -> Result<(), Failure> {
        match self {
            Self::Own(own) => {
                own.begin();
                Ok(())
            }
            Self::Gtp(gtp) => gtp.begin(game).await,
            Self::Nboard(nboard) => nboard.begin(game, color).await,
            Self::Wire(wire) => wire.begin(game, color).await,
        }
    }

    /// Asks for a move: `game` is the game so far, with the engine's colour to move and a legal
    /// move to make. A future that is dropped leaves an engine that may not be asked again.
    ///
    /// # Errors
    ///
    /// When the engine fails.
    pub async fn choose(&mut self, game: &Game, clock: &ClockState) -> Result<Choice, Failure> {
        match self {
            Self::Own(own) => own.choose(game, clock).await,
            Self::Gtp(gtp) => gtp.choose(game, clock).await,
            Self::Nboard(nboard) => nboard.choose(game).await,
            // The format's host has the clock.
            Self::Wire(wire) => wire.choose(game).await,
        }
    }

    /// Tells the engine that the game has ended, as `game` has it; one that a fault ended is not
    /// over there.
    ///
    /// # Errors
    ///
    /// When the engine fails, or claims another result.
    pub async fn conclude(&mut self, game: &Game) -> Result<(), Failure> {
        match self {
            Self::Own(_) | Self::Nboard(_) => Ok(()),
            Self::Gtp(gtp) => gtp.conclude(game).await,
            Self::Wire(wire) => wire.conclude(game).await,
        }
    }

    /// Ends the engine.
    pub async fn close(self) {
        match self {
            Self::Own(_) => {}
            Self::Gtp(gtp) => gtp.close().await,
            Self::Nboard(nboard) => nboard.close().await,
            Self::Wire(wire) => wire.close().await,
        }
    }
}

/// An engine's answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The square: legal as far as the contender knows, which whoever keeps the game checks.
    pub square: Square,
    /// The expected result in discs, from the mover's side, if the engine said it.
    pub score: Option<f32>,
    /// The depth of the search in plies, if the engine said it.
    pub depth: Option<u32>,
    /// The positions searched, if the engine said it.
    pub nodes: Option<u64>,
    /// The CPU time that the choice cost, where it can be known.
    pub cpu: Option<Duration>,
}

impl Choice {
    /// A choice of which nothing more is known.
    pub const fn bare(square: Square) -> Self {
        Self {
            square,
            score: None,
            depth: None,
            nodes: None,
            cpu: None,
        }
    }
}

/// Why there is no choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What the engine did.
    pub fault: Fault,
    /// Whether the engine can play another game as it is; otherwise it is closed and opened anew.
    pub usable: bool,
}

/// Whoever keeps the game holds an engine to its limit, with a tolerance of its own: the format's
/// host then only ends what hangs. Without a limit the format's own time is the host's to keep.
fn wire_options(limit: Limit) -> WireOptions {
    let options = WireOptions::default();
    if !limit.is_timed() {
        return options;
    }
    WireOptions {
        grace: options.patience,
        patience: Duration::ZERO,
        ..options
    }
}

fn not_started(reason: &dyn std::fmt::Display) -> Failure {
    Failure {
        fault: Fault::NotStarted {
            reason: reason.to_string(),
        },
        usable: false,
    }
}
