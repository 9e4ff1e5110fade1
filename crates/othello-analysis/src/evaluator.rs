//! The interface between an analysis and a search.

use othello_core::{Bitboard, Position};
use serde::{Deserialize, Serialize};

use crate::{Discs, MoveValue};

/// The thoroughness of the search of a position, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// To a depth in plies.
    Depth(u32),
    /// To the end of the game, without selectivity.
    Exact,
}

/// The required detail of the values of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The value of each move.
    EachMove,
    /// The value of the best move if it is above a score; for all other moves only an upper bound.
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
    /// The required detail.
    pub detail: Detail,
}

/// A search that gives an analysis its values.
pub trait Evaluator {
    /// Returns the values of the moves that the request names, in any order, or `None` if the search was stopped.
    ///
    /// With [`Detail::BestAbove`], bounds are at most the highest score, or the given score. Each line starts with its
    /// move, and lines of exact values reach the end of the game.
    fn evaluate(&mut self, request: &Request) -> Option<Vec<MoveValue>>;
}
