//! The engine: a searcher with time management.

use std::{
    fmt::Write as _,
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use go_core::{Move, Position};
use go_search::{Limits, Report, Searcher, TimeBudget};

use crate::{
    pace::{Clock, Pace},
    settings::Settings,
};

/// The time for a move if nothing else limits the search.
const UNBOUNDED: Duration = Duration::from_secs(3);

/// The time between two looks at the stop handle while nothing is searched.
const POLL: Duration = Duration::from_millis(5);

/// The minimum number of visits of the best move for a resignation.
const MIN_RESIGNATION_VISITS: u32 = 50;

/// An engine that chooses moves within its [`Settings`] and a game clock.
///
/// It keeps its tree and the results of replies from move to move. It resigns only if
/// [enabled](Self::with_resignation).
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    searcher: Searcher,
    pace: Pace,
    /// The clock of the searches, or `None` for wall-clock time.
    clock: Option<fn() -> Duration>,
    /// The win rate below which it resigns, or `None` for never.
    resignation: Option<f32>,
    /// The stop handle of the next search.
    stop: StopHandle,
    /// The number of the cache that searches build on.
    cache: u32,
}

/// A handle that stops one search, before it begins or while it runs.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Ends the search at once with its best move so far.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Engine {
    /// Creates an engine.
    pub fn new(settings: Settings) -> Self {
        if let Some(file) = &settings.weights {
            tracing::info!(
                file = %file.path().display(),
                crc32 = format_args!("{:08x}", file.checksum()),
                "other weights than the built-in ones",
            );
        }
        Self {
            searcher: settings.searcher(),
            pace: Pace::new(settings.move_time),
            clock: None,
            resignation: None,
            stop: StopHandle::default(),
            cache: 0,
            settings,
        }
    }

    /// Returns the engine with another clock for its searches, such as CPU time, which then also measures its moves.
    #[must_use]
    pub fn with_clock(self, clock: fn() -> Duration) -> Self {
        Self {
            clock: Some(clock),
            ..self
        }
    }

    /// Returns the engine with the win rate (0 to 1) below which it resigns, or `None` for never.
    #[must_use]
    pub fn with_resignation(self, win_rate: Option<f32>) -> Self {
        Self {
            resignation: win_rate,
            ..self
        }
    }

    /// Returns whether the win rate of a search is so low that the engine resigns instead of moving. A best move with
    /// few visits is not enough.
    pub fn resigns(&self, report: &Report) -> bool {
        let best = report.candidates.iter().find(|it| it.mv == report.best);
        let is_known = best.is_some_and(|best| best.visits >= MIN_RESIGNATION_VISITS);
        is_known && (self.resignation).is_some_and(|win_rate| report.win_rate < win_rate)
    }

    /// Returns the settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Chooses a move for the side to move within the settings and `clock`. The time of the move begins now.
    ///
    /// If neither the settings nor the clock limit the search, it takes three seconds. The move is a pass if nothing
    /// sensible is left to play, or if the game is over.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::{Position, Setup};
    /// use go_engine::{Clock, Engine, Settings};
    ///
    /// let position = Position::new(&"9x9 komi 5.5".parse::<Setup>()?);
    /// let mut engine = Engine::new(Settings { playouts: Some(100), ..Settings::default() });
    /// let report = engine.choose(&position, &Clock::default());
    /// assert!(position.check(report.best).is_ok() && report.playouts <= 100);
    /// # Ok::<(), go_core::ParseSetupError>(())
    /// ```
    pub fn choose(&mut self, position: &Position, clock: &Clock) -> Report {
        self.choose_since(position, clock, Instant::now())
    }

    /// Chooses a move like [`choose`](Self::choose), with a time that began at `started`. With a clock other than
    /// wall-clock time, it begins with the call.
    pub fn choose_since(&mut self, position: &Position, clock: &Clock, started: Instant) -> Report {
        let limits = self.limits(position, clock, started);
        tracing::debug!(?clock, time = ?limits.time, "thinking");
        let report = self.searcher.search(position, &limits);
        log(&report);
        report
    }

    fn limits(&mut self, position: &Position, clock: &Clock, started: Instant) -> Limits {
        let budget = self.pace.budget(clock, position);
        let unbounded = (self.settings.playouts.is_none()).then(|| TimeBudget::fixed(UNBOUNDED));
        let late = match self.clock {
            Some(_) => Duration::ZERO,
            None => started.elapsed(),
        };
        Limits {
            playouts: self.settings.playouts,
            time: budget
                .map(|budget| begun_earlier(budget, late))
                .or(unbounded),
            clock: self.clock,
            stop: Some(mem::take(&mut self.stop).0),
            stop_when_clear: true,
        }
    }

    /// Searches a position for a time, or until the stop handle is used. The next analysis of the position goes on from
    /// there. Neither the settings nor a clock limit it.
    pub fn analyze(&mut self, position: &Position, time: Duration) -> Report {
        let began = Instant::now();
        let stop = mem::take(&mut self.stop);
        let limits = Limits {
            // The number of simulations is unlimited, so none are left out as futile.
            time: Some(TimeBudget {
                soft: Duration::MAX,
                hard: time,
            }),
            stop: Some(stop.0.clone()),
            ..Limits::default()
        };
        let report = self.searcher.search(position, &limits);
        // A search that has nothing to choose ends early.
        while began.elapsed() < time && !stop.0.load(Ordering::Relaxed) {
            thread::sleep(POLL.min(time));
        }
        report
    }

    /// Returns the most visited line that begins with a move in the position searched last.
    pub fn line_after(&self, mv: Move) -> Vec<Move> {
        self.searcher.line_after(mv)
    }

    /// Clears the tree and restarts the random numbers if the last searches built on a cache of another number.
    pub fn use_cache(&mut self, cache: u32) {
        if cache != self.cache {
            self.cache = cache;
            self.searcher.clear();
        }
    }

    /// Returns the handle that stops the next search, and no other.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }
}

/// Returns the rest of a budget whose time began `ago`.
fn begun_earlier(budget: TimeBudget, ago: Duration) -> TimeBudget {
    TimeBudget {
        soft: budget.soft.saturating_sub(ago),
        hard: budget.hard.saturating_sub(ago),
    }
}

fn log(report: &Report) {
    let mut line = String::new();
    for mv in report.line.iter().take(12) {
        let _ = write!(line, "{mv} ");
    }
    let visits = report.candidates.iter().find(|it| it.mv == report.best);
    tracing::info!(
        best = %report.best,
        visits = visits.map_or(0, |it| it.visits),
        playouts = report.playouts,
        win_rate = format_args!("{:.3}", report.win_rate),
        margin = format_args!("{:+.1}", report.margin),
        line = line.trim_end(),
        nodes = report.nodes,
        elapsed = ?report.elapsed,
        "thought",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WeightsFile;
    use go_core::{Move, Setup, Size};

    #[test]
    fn another_cache_is_empty() {
        let position = Position::new(&"9x9".parse().unwrap());
        let mut engine = engine(Some(200), 1);
        let mut nodes = |cache| {
            engine.use_cache(cache);
            engine.choose(&position, &Clock::default()).nodes
        };
        let first = nodes(0);
        assert!(nodes(0) > first);
        assert_eq!(nodes(1), first);
    }

    fn engine(playouts: Option<u32>, seed: u64) -> Engine {
        Engine::new(Settings {
            seed,
            playouts,
            ..Settings::default()
        })
    }

    fn empty() -> Position {
        Position::new(&Setup::new(Size::NINE))
    }

    /// The moves of a game of an engine against itself, at most 12.
    fn game(seed: u64) -> Vec<Move> {
        let mut engine = engine(Some(40), seed);
        let mut position = empty();
        let mut moves = Vec::new();
        while !position.is_over() && moves.len() < 12 {
            let best = engine.choose(&position, &Clock::default()).best;
            position.play(best).unwrap();
            moves.push(best);
        }
        moves
    }

    #[test]
    fn a_seed_determines_a_game() {
        assert_eq!(game(3), game(3));
        assert_ne!(game(3), game(4));
    }

    #[test]
    fn the_search_uses_the_weights_of_the_settings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.weights");
        std::fs::write(&path, "feature distance-5 100\nelsewhere any 0.01\n").unwrap();
        let settings = Settings {
            playouts: Some(40),
            weights: Some(WeightsFile::read(&path).unwrap()),
            ..Settings::default()
        };
        assert_ne!(
            settings.weights_checksum(),
            Settings::default().weights_checksum()
        );
        let report = Engine::new(settings).choose(&empty(), &Clock::default());
        let built_in = engine(Some(40), 1).choose(&empty(), &Clock::default());
        assert_ne!(report.candidates, built_in.candidates);
    }

    #[test]
    fn after_the_end_of_a_game_the_engine_passes() {
        let mut position = empty();
        for _ in 0..2 {
            position.play(Move::Pass).unwrap();
        }
        let report = engine(None, 1).choose(&position, &Clock::default());
        assert_eq!(report.best, Move::Pass);
    }

    #[test]
    fn only_an_unlimited_search_is_given_a_time() {
        let time = |playouts, clock| {
            let mut engine = engine(playouts, 1).with_clock(Duration::default);
            engine.limits(&empty(), &clock, Instant::now()).time
        };
        let fixed = TimeBudget::fixed(UNBOUNDED);
        assert_eq!(time(None, Clock::default()), Some(fixed));
        assert_eq!(time(Some(9), Clock::default()), None);
        let clock = Clock {
            move_limit: Some(Duration::from_secs(1)),
            ..Clock::default()
        };
        let of_move = TimeBudget::fixed(Duration::from_millis(900));
        assert_eq!(time(None, clock), Some(of_move));
        assert_eq!(time(Some(9), clock), Some(of_move));
    }

    #[test]
    fn the_time_before_a_search_counts() {
        let clock = Clock {
            move_limit: Some(Duration::from_secs(1)),
            ..Clock::default()
        };
        let started = Instant::now().checked_sub(Duration::from_secs(2)).unwrap();
        let mut on_the_wall = engine(None, 1);
        let budget = on_the_wall.limits(&empty(), &clock, started).time;
        assert_eq!(budget, Some(TimeBudget::fixed(Duration::ZERO)));
        assert_eq!(
            on_the_wall.choose_since(&empty(), &clock, started).playouts,
            0
        );
    }

    #[test]
    fn a_handle_stops_only_the_next_search() {
        let mut engine = engine(Some(64), 1);
        let handle = engine.stop_handle();
        handle.stop();
        let stopped = engine.choose(&empty(), &Clock::default());
        assert_eq!(stopped.playouts, 0);
        assert!(empty().check(stopped.best).is_ok());
        handle.stop();
        assert!(engine.choose(&empty(), &Clock::default()).playouts > 0);
    }
}
