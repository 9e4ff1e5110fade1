//! Outcomes and reports of games.

use std::{fmt, time::Duration};

use boardgame_core::{ByColor, Color, Game};
use boardgame_session::{Note, Verdict};

use crate::{last_output::LastOutput, seat::SeatReport};

/// The outcome of a game, as seen by its driver.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// There is a verdict.
    Decided(Verdict),
    /// A program could not be started even once; the reason is among its seat's faults.
    NotStarted {
        /// The seat.
        seat: Color,
    },
    /// The caller cancelled it.
    Cancelled,
    /// It exceeded the maximum duration of a game.
    TimedOut,
    /// Nothing could happen any more, and there was no verdict.
    Stalled,
    /// The rules gave no result, and the game has no scorer.
    Unscored,
}

impl Outcome {
    /// Returns the verdict, if there is one.
    pub const fn verdict(&self) -> Option<&Verdict> {
        match self {
            Self::Decided(verdict) => Some(verdict),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// Writes a sentence such as `White won: Black left`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decided(verdict) => verdict.fmt(f),
            Self::NotStarted { seat } => write!(f, "called off: {seat}'s program did not start"),
            Self::Cancelled => f.write_str("called off"),
            Self::TimedOut => f.write_str("called off: it took too long"),
            Self::Stalled => f.write_str("called off: nothing could happen any more"),
            Self::Unscored => f.write_str("called off: there is nobody to score it"),
        }
    }
}

/// The full report of a game that is over.
#[derive(Clone, Debug)]
pub struct GameReport<G: Game> {
    /// The end.
    pub outcome: Outcome,
    /// The setup agreed on before the first move.
    pub setup: G::Setup,
    /// All moves since then, including the opening.
    pub moves: Vec<G::Move>,
    /// The position after them.
    pub position: G,
    /// The time from the first order until both seats have the saved verdict, or until the game is called
    /// off; without the time to end programs.
    pub elapsed: Duration,
    /// The notes of both seats: the first [`GameOptions::max_notes`](crate::GameOptions::max_notes).
    pub notes: Vec<Note>,
    /// The reports of both seats.
    pub seats: ByColor<SeatReport>,
}

impl<G: Game> GameReport<G> {
    /// Returns the last output of the side that lost by a fault; nothing if none did.
    pub fn loser_output(&self) -> LastOutput {
        let verdict = self.outcome.verdict();
        let loser = verdict.and_then(|verdict| verdict.cause.culprit());
        loser.map_or_else(LastOutput::default, |by| self.seats[by].last_output.clone())
    }

    /// Returns the winner, or `None` for a draw and a game that was not decided.
    pub fn winner(&self) -> Option<Color> {
        self.outcome.verdict().and_then(|verdict| verdict.winner)
    }
}
