//! What an analysis asks of a search.

use othello_core::{Bitboard, Position};
use serde::{Deserialize, Serialize};

use crate::{Discs, MoveValue};

/// The thoroughness of the search of a position, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// To a depth in plies.
    Depth(u32),
    /// To the end of the game, leaving nothing out.
    Exact,
}

/// How much is asked of the values of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The value of each move.
    EachMove,
    /// The value of the best move if that is above a score; of the others, and of all if none is above it, only that
    /// they are not better.
    BestAbove(Discs),
}

/// A question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The position.
    pub position: Position,
    /// The moves to evaluate, at least one, all of them legal.
    pub moves: Bitboard,
    /// The thoroughness.
    pub effort: Effort,
    /// How much is asked.
    pub detail: Detail,
}

/// A search that an analysis asks for values.
pub trait Evaluator {
    /// Returns the values of the moves that the request names, in any order, or `None` if the search was stopped.
    ///
    /// With [`Detail::BestAbove`], bounds are at most the highest score, or the score named. Each line begins with its
    /// move, and those of exact values go on to the end of the game.
    fn evaluate(&mut self, request: &Request) -> Option<Vec<MoveValue>>;
}
