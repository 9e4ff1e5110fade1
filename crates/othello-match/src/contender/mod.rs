//! Programs that are told commands one after the other, as GTP and NBoard have them.

mod child;
mod gtp;
mod nboard;

use std::time::Duration;

use boardgame_core::{ClockState, Margin};
use boardgame_io::CommandLine;
use boardgame_match::{fault::Fault, limit::Limit};
use othello_core::{Color, Game, Square};

use crate::protocol::Protocol;
use gtp::Gtp;
use nboard::Nboard;

/// A program at work.
pub(crate) enum Contender {
    Gtp(Gtp),
    Nboard(Nboard),
}

impl Contender {
    /// Starts a program that speaks GTP or, otherwise, NBoard.
    pub(crate) async fn open(
        protocol: Protocol,
        line: &CommandLine,
        limit: Limit,
        setup: &[String],
    ) -> Result<Self, Failure> {
        match protocol {
            Protocol::Gtp => Gtp::open(line, limit, setup).await.map(Self::Gtp),
            _ => Nboard::open(line, limit, setup).await.map(Self::Nboard),
        }
    }

    pub(crate) async fn begin(&mut self, game: &Game, color: Color) -> Result<(), Failure> {
        match self {
            Self::Gtp(gtp) => gtp.begin(game).await,
            Self::Nboard(nboard) => nboard.begin(game, color).await,
        }
    }

    pub(crate) async fn choose(
        &mut self,
        game: &Game,
        clock: &ClockState,
    ) -> Result<Choice, Failure> {
        match self {
            Self::Gtp(gtp) => gtp.choose(game, clock).await,
            Self::Nboard(nboard) => nboard.choose(game).await,
        }
    }

    pub(crate) async fn conclude(&mut self, game: &Game) -> Result<(), Failure> {
        match self {
            Self::Gtp(gtp) => gtp.conclude(game).await,
            Self::Nboard(_) => Ok(()),
        }
    }

    pub(crate) async fn close(self) {
        match self {
            Self::Gtp(gtp) => gtp.close().await,
            Self::Nboard(nboard) => nboard.close().await,
        }
    }
}

/// Returns the margin of a result such as `B+10`.
pub(crate) fn margin(claim: &str) -> Option<Margin> {
    let score = gtp::claimed(claim).ok()?;
    Some(Margin::from_points(score.discs()))
}

/// An engine's answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) square: Square,
    pub(crate) score: Option<f32>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) cpu: Option<Duration>,
}

impl Choice {
    /// A choice of which nothing more is known.
    pub(crate) const fn bare(square: Square) -> Self {
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
pub(crate) struct Failure {
    pub(crate) fault: Fault,
}
