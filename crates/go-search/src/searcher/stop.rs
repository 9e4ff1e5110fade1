//! The stopping rules of a search.

use std::time::Duration;

use super::{Node, NodeId, Searcher};
use crate::{Limits, TimeBudget, limits::Stopwatch, owners};

/// The number of simulations of a search without limits.
const DEFAULT_PLAYOUTS: u32 = 10_000;

/// The visits of the root at which a search stops regardless of its limits, because sums of more results would lose
/// precision.
const MAX_VISITS: u32 = 1 << 23;

/// The number of simulations between two checks of the clock.
const CLOCK_CHECK_INTERVAL: u32 = 16;

/// The share of simulations that one side wins in a clear game: 39 of 40.
const CLEAR_WIN_RATE: f32 = 0.975;

/// The minimum visits of the root in a clear game.
const MIN_CLEAR_VISITS: u32 = 1_000;

/// The divisor of a move's time or simulations in a clear game.
const CLEAR_GAME_DIVISOR: u32 = 5;

/// The simulations and the time of a search so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The number of simulations.
    pub(super) playouts: u32,
    watch: Stopwatch,
}

impl Progress {
    /// Starts the progress of a search.
    pub(super) fn start(limits: &Limits) -> Self {
        Self {
            playouts: 0,
            watch: Stopwatch::start(limits),
        }
    }

    /// Returns the time since the start of the search.
    pub(super) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }
}

impl Searcher {
    /// Returns whether a search has reached one of its limits, or need not go on.
    pub(super) fn is_over(&self, limits: &Limits, progress: &Progress) -> bool {
        let max_playouts = match (limits.playouts, limits.time) {
            (None, None) => Some(DEFAULT_PLAYOUTS),
            (playouts, _) => playouts,
        };
        let playouts = progress.playouts;
        if max_playouts.is_some_and(|max| playouts >= max)
            || self.is_decided()
            || self.tree.node(NodeId::ROOT).visits >= MAX_VISITS
        {
            return true;
        }
        if !playouts.is_multiple_of(CLOCK_CHECK_INTERVAL) {
            return false;
        }
        let enough_made = |max: u32| playouts >= max / CLEAR_GAME_DIVISOR;
        let enough_taken = |time: TimeBudget| progress.elapsed() >= time.soft / CLEAR_GAME_DIVISOR;
        limits.is_stopped()
            || max_playouts.is_some_and(|max| self.cannot_change(progress, max - playouts))
            || (limits.time).is_some_and(|budget| self.time_is_up(budget, progress))
            || limits.stop_when_clear
                && playouts >= owners::MIN_SIMULATIONS
                && (max_playouts.is_some_and(enough_made) || limits.time.is_some_and(enough_taken))
                && self.game_is_clear()
    }

    /// Returns whether there is only one move to choose from.
    fn is_decided(&self) -> bool {
        self.tree.children(NodeId::ROOT).len() <= 1
    }

    fn time_is_up(&self, budget: TimeBudget, progress: &Progress) -> bool {
        let elapsed = progress.elapsed();
        if elapsed >= budget.hard {
            return true;
        }
        if elapsed >= budget.soft {
            return self.best_is_stable();
        }
        // The speed so far predicts the remaining number of simulations.
        let speed = progress.playouts as f32 / elapsed.as_secs_f32().max(1e-6);
        let left = (budget.soft.saturating_sub(elapsed)).as_secs_f32() * speed;
        self.cannot_change(progress, left as u32)
    }

    /// Returns whether `left` further simulations cannot give another move the most visits. The search continues until
    /// the owners of points are known, which decide about a pass.
    fn cannot_change(&self, progress: &Progress, left: u32) -> bool {
        if progress.playouts < owners::MIN_SIMULATIONS {
            return false;
        }
        let (mut first, mut second) = (0, 0);
        for child in self.tree.children(NodeId::ROOT) {
            if child.visits > first {
                (first, second) = (child.visits, first);
            } else {
                second = child.visits.max(second);
            }
        }
        first - second > left
    }

    /// Returns whether the side to move wins, or loses, nearly all simulations of its first choice.
    fn game_is_clear(&self) -> bool {
        let children = self.tree.children(NodeId::ROOT).iter();
        let most = children.max_by_key(|child| child.visits);
        most.is_some_and(|most| {
            let decided = most.win_rate().max(1.0 - most.win_rate());
            self.tree.node(NodeId::ROOT).visits >= MIN_CLEAR_VISITS && decided >= CLEAR_WIN_RATE
        })
    }

    /// Returns whether the most visited move also has the best results.
    fn best_is_stable(&self) -> bool {
        let children = self.tree.children(NodeId::ROOT).iter();
        let tried = children.filter(|child| child.visits > 0);
        let by_result =
            |one: &&Node, other: &&Node| one.mean_result().total_cmp(&other.mean_result());
        let most = tried.clone().max_by_key(|child| child.visits);
        let Some(most) = most else {
            return true;
        };
        let enough = |child: &&Node| child.visits * 4 >= most.visits;
        let best = tried.filter(enough).max_by(by_result);
        best.map(|best| best.mv) == Some(most.mv)
    }
}
