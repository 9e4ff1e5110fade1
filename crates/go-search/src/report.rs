//! Results of a search.

use std::time::Duration;

use go_core::Move;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move that is chosen; a pass where the game is over.
    pub best: Move,
    /// The share of simulations that the side to move wins after the best move, 0 to 1; one half without visits.
    pub win_rate: f32,
    /// The mean margin after the best move in points, komi included, for the side to move, 0 without visits. Under
    /// territory scoring it is known to within half a point and rounded down.
    pub margin: f32,
    /// The number of simulations of this search.
    pub playouts: u32,
    /// The number of nodes of the tree.
    pub nodes: usize,
    /// The time that the search took, by the clock of its limits.
    pub elapsed: Duration,
    /// The legal moves that are no suicide and fill no eye, and a pass, most visits first; none once the game is over.
    pub candidates: Vec<Candidate>,
    /// The line of most visits, the best move first.
    pub line: Vec<Move>,
}

/// A move of the side to move with what the search found out about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The number of simulations that begin with it.
    pub visits: u32,
    /// The share of them that the side to move wins.
    pub win_rate: f32,
    /// The prior probability that its features give it.
    pub prior: f32,
}
