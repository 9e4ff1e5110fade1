//! The limits of a search.

use othello_core::Bitboard;

use crate::{Evaluation, Instant, StopHandle, TimeBudget};

/// The limits of a search. By default there are none, and the search ends with the exact solution.
///
/// # Examples
///
/// ```
/// use othello_search::Limits;
///
/// let limits = Limits { nodes: Some(100_000), ..Limits::depth(8) };
/// assert_eq!(limits.depth, Some(8));
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum depth of iterations in plies; 0 counts as 1. A position with at most this many empty squares is
    /// solved, exactly or with the required [`confidence`](Self::confidence).
    pub depth: Option<u32>,
    /// The maximum number of empty squares at which a position is solved even if [`depth`](Self::depth) is lower.
    pub solve_from: u32,
    /// Enables ProbCut pruning (default `true`); an exact result never depends on it.
    pub selective: bool,
    /// The [confidence](crate::Exactness::Probable) in percent that suffices for a search to the end of the game. 100,
    /// the default, requires the exact score. With less, the search ends with the first result of at least this
    /// confidence: 79, 89, 95, 98 or 99 %. With fewer than 18 empty squares the result may be exact anyway; with fewer
    /// than 15, with [`Goal::WinDrawLoss`], or without [`selective`](Self::selective), it always is.
    pub confidence: u8,
    /// The maximum total number of nodes of all threads; each thread may exceed it by about 512 nodes.
    pub nodes: Option<u64>,
    /// The time budget, counted from [`start`](Self::start).
    pub time: Option<TimeBudget>,
    /// The start of the thinking time, such as the receipt of the input; `None` means the call of the search.
    pub start: Option<Instant>,
    /// The moves to consider, or `None` for all. If none of them is legal, all moves are considered.
    pub moves: Option<Bitboard>,
    /// The number of lines to report, best first; 0 counts as 1. With a time budget, a search for one line ends at once
    /// if there is only one move to choose from; with more lines it still determines the move's value.
    pub multi_pv: usize,
    /// The goal of searches to the end of the game.
    pub goal: Goal,
    /// With [`Goal::Score`], a score that searches to the end of the game try to exceed. If no move does, they only
    /// prove that, which takes less time, and the reported score is an upper bound of at most this score.
    pub above: Option<Evaluation>,
    /// A handle that stops this search, in addition to [`Searcher::stop_handle`](crate::Searcher::stop_handle).
    pub stop: Option<StopHandle>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: None,
            solve_from: 0,
            selective: true,
            confidence: 100,
            nodes: None,
            time: None,
            start: None,
            moves: None,
            multi_pv: 1,
            goal: Goal::Score,
            above: None,
            stop: None,
        }
    }
}

impl Limits {
    /// Limits the depth, in plies.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Limits the number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Limits the time to a budget that starts now.
    pub fn time(budget: TimeBudget) -> Self {
        Self {
            time: Some(budget),
            start: Some(Instant::now()),
            ..Self::default()
        }
    }

    /// The limits of a playing strength.
    pub fn level(level: Level) -> Self {
        Self {
            depth: Some(level.depth()),
            solve_from: level.solve_from(),
            ..Self::default()
        }
    }
}

/// The goal of a search that reaches the end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The exact score.
    #[default]
    Score,
    /// The winner, or a draw, which takes a fraction of the time: see
    /// [`Exactness::WinDrawLoss`](crate::Exactness::WinDrawLoss). The deeper searches before it consider values only up
    /// to four discs from zero, and the searches to the end only up to one; scores beyond are bounds.
    WinDrawLoss,
}

/// A playing strength: a search depth in the midgame and the number of empties to solve from.
///
/// Level 1 searches one ply and solves the last 4 empties. Each level adds a ply, and the solver starts earlier: level
/// 10 solves 16 empties, level 20 solves 23.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The weakest level.
    pub const MIN: Self = Self(1);
    /// The strongest level.
    pub const MAX: Self = Self(60);

    /// Returns the level, or `None` if the number is outside 1 to 60.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= Self::MIN.0 && number <= Self::MAX.0 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The level's number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The midgame depth in plies.
    pub const fn depth(self) -> u32 {
        self.0 as u32
    }

    /// The number of empties from which the game is solved exactly.
    pub const fn solve_from(self) -> u32 {
        match self.0 as u32 {
            level @ 0..=4 => level + 3,
            level @ 5..=10 => level + 6,
            level @ 11..=20 => 17 + (level - 11) * 6 / 9,
            21..=24 => 24,
            level => level,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_stronger_than_the_one_before() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(61), None);
        let levels: Vec<Level> = (1..=60).filter_map(Level::new).collect();
        assert_eq!(levels.len(), 60);
        for pair in levels.windows(2) {
            assert!(pair[0].depth() < pair[1].depth());
            assert!(pair[0].solve_from() <= pair[1].solve_from(), "{pair:?}");
        }
        assert_eq!(levels[9].solve_from(), 16);
        assert_eq!(levels[19].solve_from(), 23);
    }
}
