//! The result of a search.

use std::time::Duration;

use go_core::{Move, Ownership};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The chosen move; a pass if the game is over.
    pub best: Move,
    /// The share of simulations with the best move that the side to move wins, 0 to 1; one half without visits.
    pub win_rate: f32,
    /// The mean margin after the best move in points including komi, for the side to move; 0 without visits. Under
    /// territory scoring it is known only to within half a point and rounded down.
    pub margin: f32,
    /// The number of simulations of this search.
    pub playouts: u32,
    /// The number of nodes of the tree.
    pub nodes: usize,
    /// The duration of the search, on the clock of its limits.
    pub elapsed: Duration,
    /// The legal moves that neither fill an eye nor are suicide, and a pass, by descending visits; empty if the game is
    /// over.
    pub candidates: Vec<Candidate>,
    /// The most visited line, starting with the best move.
    pub line: Vec<Move>,
    /// The owners of points at the end of the simulations.
    pub ownership: Ownership,
}

/// A move of the side to move with its search results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The number of simulations that begin with the move.
    pub visits: u32,
    /// The share of them that the side to move wins.
    pub win_rate: f32,
    /// The mean margin of them in points including komi, for the side to move; 0 without visits.
    pub margin: f32,
    /// The prior probability from its features.
    pub prior: f32,
}
