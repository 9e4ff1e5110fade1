//! The facade of the search.

use std::{fmt, mem, num::NonZeroUsize, panic::resume_unwind, sync::Arc, time::Duration};

use othello_core::{Backend, Move, Position, Score, Square, Tier, WithBackend};

use crate::{
    Exactness, Instant, Limits, Report, StopHandle, TimeBudget,
    control::{Control, Search},
    eval::{Evaluator, Network, Node},
    node_type::NodeType,
    plan::Timer,
    pool::Pool,
    private::PrivateTable,
    root::Root,
    score::{Discs, Evaluation, Units, final_value},
    table::{Table, TableError},
    threads::Team,
    worker::Worker,
};

/// The options of a [`Searcher`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the transposition table in MiB (default 16); 0 is the smallest possible.
    pub hash_mib: usize,
    /// The number of threads (default 1). Additional threads are created with the searcher and live as long as it does.
    pub threads: NonZeroUsize,
    /// The instruction set (default: the best that this CPU supports); affects only speed.
    pub tier: Tier,
    /// The evaluation (default: [built-in](Network::built_in)).
    pub network: Arc<Network>,
}

impl Options {
    /// The default options with another evaluation. A program that never uses the built-in network is linked without
    /// its weights.
    pub fn with_network(network: Arc<Network>) -> Self {
        Self {
            hash_mib: 16,
            threads: NonZeroUsize::MIN,
            tier: Tier::best(),
            network,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::with_network(Network::built_in())
    }
}

/// A search engine with a transposition table that persists between searches.
///
/// With one thread, the result depends only on the searches since the last [`clear`](Self::clear), unless time or a
/// stop ends them: the node count is the same in every run and on every [`Tier`].
///
/// # Examples
///
/// ```
/// use othello_core::Position;
/// use othello_search::{Limits, Options, Searcher};
///
/// let mut searcher = Searcher::new(Options::default());
/// let report = searcher.search(Position::START, &Limits::depth(6));
/// assert!(report.best.is_some());
/// ```
pub struct Searcher {
    options: Options,
    table: Arc<Table>,
    private: PrivateTable,
    /// The helper threads, if any.
    pool: Option<Pool>,
    stop: StopHandle,
    /// The longest stall of a thread in earlier searches, halved with each search.
    max_stall: Duration,
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Searcher {
    /// Creates a searcher with an empty table.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory for the table; [`try_new`](Self::try_new) returns an error instead.
    pub fn new(options: Options) -> Self {
        Self::try_new(options).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a searcher with an empty table.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory for the table.
    pub fn try_new(options: Options) -> Result<Self, TableError> {
        let mib = options.hash_mib;
        Ok(Self {
            table: Arc::new(Table::new(mib)?),
            private: PrivateTable::new().ok_or(TableError::Allocation { mib })?,
            pool: (options.threads.get() > 1).then(|| Pool::new(options.threads.get() - 1)),
            stop: StopHandle::new(),
            max_stall: Duration::ZERO,
            options,
        })
    }

    /// A handle that stops the next search, and no other.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Detaches the current [stop handle](Self::stop_handle), as if its search had returned.
    pub fn skip_search(&mut self) {
        self.stop = StopHandle::new();
    }

    /// Empties the tables.
    pub fn clear(&mut self) {
        // If there is no room for a second table, the old one is overwritten.
        match Table::new(self.options.hash_mib) {
            Ok(table) => self.table = Arc::new(table),
            Err(_) => self.table.clear(),
        }
        self.private.clear();
        if let Some(pool) = &self.pool {
            pool.team().clear();
        }
    }

    /// The static evaluation of a position for the side to move.
    pub fn evaluate(&self, position: Position) -> Evaluation {
        let work = Evaluate(self.evaluator(), position);
        self.options.tier.dispatch(work).into()
    }

    #[cfg(test)]
    pub(crate) fn team(&self) -> Option<&Arc<Team>> {
        self.pool.as_ref().map(Pool::team)
    }

    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(&self.options.network)
    }

    /// Searches a position within limits.
    ///
    /// The report has a legal move whenever there is one, whatever the limits; otherwise `best` is `None`, and the
    /// score is the score after the pass or of the finished game.
    pub fn search(&mut self, position: Position, limits: &Limits) -> Report {
        self.search_observed(position, limits, &mut |_| {})
    }

    /// [Searches](Self::search) a position and calls `observer` after each completed iteration and, in the exact
    /// search, for each new [bound](Report::bounds).
    pub fn search_observed(
        &mut self,
        position: Position,
        limits: &Limits,
        observer: &mut dyn FnMut(&Report),
    ) -> Report {
        let timer = Timer::new(limits);
        let stop = mem::take(&mut self.stop);
        if position.is_over() {
            finished(position, &timer)
        } else if position.must_pass() {
            let limits = limits_after_pass(limits);
            let mut observer = |report: &Report| observer(&passed(report.clone()));
            passed(self.choose(position.passed(), stop, &limits, &timer, &mut observer))
        } else {
            self.choose(position, stop, limits, &timer, observer)
        }
    }

    /// Returns whether the exact score of a position, for the side to move, is at least `score`, or `None` if the
    /// search was stopped first.
    ///
    /// A single null-window search on the calling thread, without iterative deepening. Suited to many questions about
    /// positions near an earlier [search](Self::search).
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::{Board, Score};
    /// use othello_search::{Options, Searcher, StopHandle};
    ///
    /// let board: Board = "XXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOOOOOOOO-OOOOOOX X".parse()?;
    /// let mut searcher = Searcher::new(Options::default());
    /// let mut reaches = |discs| {
    ///     let score = Score::new(discs).expect("a score");
    ///     searcher.reaches(board.position(), score, &StopHandle::new())
    /// };
    /// assert_eq!(reaches(40), Some(true));
    /// assert_eq!(reaches(64), Some(false));
    /// # Ok::<(), othello_core::ParseBoardError>(())
    /// ```
    pub fn reaches(&mut self, position: Position, score: Score, stop: &StopHandle) -> Option<bool> {
        let search = self.begin(vec![stop.clone()], None, None);
        search.tier.dispatch(Reaches {
            search: &search,
            private: &mut self.private,
            position,
            score,
        })
    }

    /// The best move stored in the transposition table for a position, if any. It is legal, but need not be the best.
    pub fn table_move(&self, position: Position) -> Option<Square> {
        let [best, _] = self.table.probe(position)?.moves;
        best.filter(|&square| position.legal_moves().contains(square))
    }

    /// Creates the state of a search.
    fn begin(
        &self,
        stops: Vec<StopHandle>,
        time: Option<(Instant, TimeBudget)>,
        nodes: Option<u64>,
    ) -> Arc<Search> {
        Arc::new(Search {
            tier: self.options.tier,
            network: Arc::clone(&self.options.network),
            table: Arc::clone(&self.table),
            control: Control::new(stops, time, nodes),
        })
    }

    /// Searches a position in which the side to move has a legal move.
    fn choose(
        &mut self,
        position: Position,
        stop: StopHandle,
        limits: &Limits,
        timer: &Timer,
        observer: &mut dyn FnMut(&Report),
    ) -> Report {
        self.table.age();
        let stops = [Some(stop), limits.stop.clone()];
        let search = self.begin(
            stops.into_iter().flatten().collect(),
            limits.time.map(|budget| (timer.start(), budget)),
            limits.nodes,
        );
        search.control.record_stall(self.max_stall / 2);
        let _finish = Finish(&search.control);
        let report = search.tier.dispatch(Deepen {
            search: &search,
            private: &mut self.private,
            team: self.pool.as_ref().map(|pool| pool.team().as_ref()),
            position,
            limits,
            timer,
            observer,
        });
        self.max_stall = search.control.max_stall();
        if let Some(panic) = search.control.take_failure() {
            resume_unwind(panic);
        }
        report
    }
}

/// A guard that ends the search for the helper threads when it is dropped, including by a panic.
struct Finish<'a>(&'a Control);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// The evaluation of a position, generic over the tier.
struct Evaluate<'a>(Evaluator<'a>, Position);

impl WithBackend for Evaluate<'_> {
    type Output = Units;

    fn run<B: Backend>(self, backend: B) -> Units {
        let Self(evaluator, position) = self;
        evaluator.evaluate(backend, &Node::of(position))
    }
}

/// A question about a position's exact score, generic over the tier.
struct Reaches<'a> {
    search: &'a Arc<Search>,
    private: &'a mut PrivateTable,
    position: Position,
    score: Score,
}

impl WithBackend for Reaches<'_> {
    type Output = Option<bool>;

    fn run<B: Backend>(self, backend: B) -> Option<bool> {
        let mut worker = Worker::new(backend, self.search, self.private, None, 0);
        // Scores are even, so at least an odd number means at least the next even one.
        let bound = Discs::new(self.score.discs() - 1).to_odd();
        let value = worker.high(&Node::of(self.position), bound, NodeType::Cut);
        (!worker.stopped).then_some(value > bound)
    }
}

/// The search depth after a pass under a clock.
const PASS_DEPTH: u32 = 4;

/// Iterative deepening on the calling thread, generic over the tier.
struct Deepen<'a> {
    search: &'a Arc<Search>,
    private: &'a mut PrivateTable,
    team: Option<&'a Team>,
    position: Position,
    limits: &'a Limits,
    timer: &'a Timer,
    observer: &'a mut dyn FnMut(&Report),
}

impl WithBackend for Deepen<'_> {
    type Output = Report;

    fn run<B: Backend>(self, backend: B) -> Report {
        let mut worker = Worker::new(backend, self.search, self.private, self.team, 0);
        Root::new(&mut worker, self.timer, self.position, self.limits)
            .deepen(self.limits, self.observer)
    }
}

/// The report of a finished game.
fn finished(position: Position, timer: &Timer) -> Report {
    let score = Evaluation::from(final_value(position));
    Report {
        bounds: (score, score),
        depth: position.empties().count(),
        exactness: Exactness::Exact,
        elapsed: timer.elapsed(),
        ..Report::evaluated(score)
    }
}

/// The limits for the position after a forced pass: all moves, one line, no score to exceed and, with a time limit, a
/// depth of at most [`PASS_DEPTH`].
fn limits_after_pass(limits: &Limits) -> Limits {
    let pass_depth = limits.time.map(|_| PASS_DEPTH);
    Limits {
        depth: limits.depth.into_iter().chain(pass_depth).min(),
        moves: None,
        multi_pv: 1,
        above: None,
        ..limits.clone()
    }
}

/// Converts the report of the position after a pass to a report of the position before it.
fn passed(mut report: Report) -> Report {
    report.best = None;
    report.score = -report.score;
    report.bounds = (-report.bounds.1, -report.bounds.0);
    report.pv.insert(0, Move::Pass);
    // The pass is the only line.
    report.others.clear();
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_to_exceed_does_not_apply_after_a_pass() {
        let limits = Limits {
            above: Some(Evaluation::from_units(20 * Evaluation::DISC)),
            ..Limits::depth(60)
        };
        assert_eq!(limits_after_pass(&limits).above, None);
    }

    #[test]
    fn the_longest_stall_is_halved_with_each_search() {
        let mut searcher = Searcher::new(Options {
            hash_mib: 1,
            ..Options::default()
        });
        searcher.max_stall = Duration::from_secs(8);
        // Without a time limit nothing is added.
        for left in [4, 2] {
            searcher.search(Position::START, &Limits::depth(1));
            assert_eq!(searcher.max_stall, Duration::from_secs(left));
        }
    }
}
