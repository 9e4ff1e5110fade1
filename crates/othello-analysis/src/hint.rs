//! The values of a position's moves while a search deepens.

use std::time::Duration;

use othello_core::Position;
use othello_search::{Limits, Report, Searcher, StopHandle, TimeBudget};

use crate::{Effort, Store, Stored, keep, look_up_values, moves_to_compare, search::values};

/// The bounds of the search for a [`Hint`].
#[derive(Clone, Debug, Default)]
pub struct HintLimits {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// The time for the search.
    pub time: Option<Duration>,
    /// A handle that stops the search.
    pub stop: Option<StopHandle>,
    /// Shows every iteration. Otherwise iterations whose parity differs from the searches of analyses are omitted, so
    /// that values do not swing between iterations.
    pub every_depth: bool,
}

/// The values of a position's moves, from a store and from a deepening search.
#[derive(Clone, Debug)]
pub struct Hint {
    position: Position,
    /// The values to show: those of the most effort, then of the most confidence.
    pub shown: Option<Stored>,
    /// True while the values to show are from the store.
    pub is_known: bool,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time that the search has taken.
    pub elapsed: Duration,
    /// The last values that are comparable with those of analyses, for the store.
    found: Option<Stored>,
}

impl Hint {
    /// Creates a hint from the store's values of a position.
    pub fn new(position: Position, store: Option<&mut dyn Store>) -> Self {
        let shown = store.and_then(|store| look_up_values(store, position));
        Self {
            position,
            is_known: shown.is_some(),
            shown,
            nodes: 0,
            elapsed: Duration::ZERO,
            found: None,
        }
    }

    /// Returns `true` if no search can find out more.
    pub fn is_final(&self) -> bool {
        let effort = self.shown.as_ref().map(|shown| shown.effort);
        self.position.is_over() || effort == Some(Effort::Exact)
    }

    /// Searches with increasing depth, calls `observer` after each iteration with values to show, and stores the
    /// results.
    pub fn search(
        &mut self,
        searcher: &mut Searcher,
        limits: &HintLimits,
        store: Option<&mut dyn Store>,
        observer: &mut dyn FnMut(&Self),
    ) {
        let moves = moves_to_compare(self.position);
        let of_search = Limits {
            depth: limits.depth,
            time: limits.time.map(TimeBudget::fixed),
            moves: Some(moves),
            // With one line, a single move would not be searched.
            multi_pv: moves.count().max(2) as usize,
            stop: limits.stop.clone(),
            ..Limits::default()
        };
        let report = searcher.search_observed(self.position, &of_search, &mut |report| {
            if self.take(report, limits.every_depth) {
                observer(self);
            }
        });
        if self.shown.is_none() {
            self.take(&report, true);
        }
        self.nodes = report.nodes;
        self.elapsed = report.elapsed;
        if let (Some(store), Some(found)) = (store, &self.found) {
            keep(store, self.position, found);
        }
    }

    /// Records an iteration, and returns `true` if its values are to be shown.
    fn take(&mut self, report: &Report, every_depth: bool) -> bool {
        self.nodes = report.nodes;
        self.elapsed = report.elapsed;
        let comparable = Stored::of_report(report, self.position);
        if comparable.is_some() {
            self.found.clone_from(&comparable);
        }
        // The first iteration may be of the other parity; a pass has no value of its own in the store.
        let is_wanted = every_depth || self.shown.is_none() || self.position.must_pass();
        let of_other_parity = || {
            let moves = values(report, self.position)?;
            let effort = Effort::of_report(report);
            Some(Stored { effort, moves })
        };
        let found = comparable.or_else(|| is_wanted.then(of_other_parity).flatten());
        let shown = self.shown.as_ref();
        let found = found.filter(|found| {
            self.position.must_pass() || shown.is_none_or(|shown| found.replaces(shown))
        });
        let is_shown = found.is_some();
        if is_shown {
            self.shown = found;
            self.is_known = false;
        }
        is_shown
    }
}
