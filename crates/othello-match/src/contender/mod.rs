//! Engines at work: one interface to whatever an engine is and speaks.
//!
//! A contender is opened once and plays any number of games, one at a time. In each it is told
//! when the game begins, asked for every move that is its own to choose, and told the end. Passes
//! are never asked for: whoever keeps the game makes them.

use std::time::Duration;

use othello_core::Square;

use crate::fault::Fault;

/// The time that an engine has when it is asked for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left for the whole game, or `None` without such a limit.
    pub game: Option<Duration>,
    /// What each move adds to the game's clock.
    pub increment: Duration,
    /// The limit for this move, or `None` without one.
    pub per_move: Option<Duration>,
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
