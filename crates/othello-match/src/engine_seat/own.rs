//! The seat of our own engine, in this process.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use boardgame_core::ClockState;
use boardgame_io::cpu;
use boardgame_match::{Choice, Interrupter, LocalPlayer, Turn, limit::Limit};
use boardgame_session::Thought;
use othello_core::{Board, Move};
use othello_engine::{Engine, MoveRequest, Settings, Strength, TableError, book::BookPlay};

use crate::engine::{OwnSettings, OwnWeights};

/// Our own engine, which thinks on the thread of its seat.
#[derive(Clone)]
pub(super) struct OwnEngine {
    settings: OwnSettings,
    engine: Arc<Mutex<Engine>>,
    /// True if nothing else in this process runs while it thinks.
    alone: bool,
}

impl OwnEngine {
    /// Returns the engine with its table allocated; `alone` if nothing else in this process runs while
    /// it thinks, so that the process's CPU time is its own.
    ///
    /// # Errors
    ///
    /// When there is no memory for the table.
    pub(super) fn new(
        settings: OwnSettings,
        limit: Limit,
        alone: bool,
    ) -> Result<Self, TableError> {
        let defaults = Settings::default();
        let weights = settings.weights.as_ref();
        let engine = Engine::try_new(Settings {
            hash: settings.hash,
            threads: settings.threads,
            tier: settings.tier,
            network: weights.map_or_else(|| Arc::clone(&defaults.network), OwnWeights::network),
            strength: strength(&settings, limit),
            book: settings.book.as_ref().map(|own| BookPlay {
                book: Arc::clone(&own.book),
                margin: settings.book_margin,
                at_any_strength: true,
            }),
            seed: settings.seed,
            ..defaults
        })?;
        Ok(Self {
            settings,
            engine: Arc::new(Mutex::new(engine)),
            alone,
        })
    }

    /// Forgets the previous game, and searches within a limit from here on.
    pub(super) fn new_game(&self, limit: Limit) {
        let mut engine = self.engine();
        engine.new_game();
        engine.set_strength(strength(&self.settings, limit));
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a CPU clock to read before and after a search: the clock of one thread does not count
    /// the others.
    fn meter(&self) -> fn() -> Option<Duration> {
        match (self.settings.threads.get(), self.alone) {
            (1, _) => cpu::of_this_thread,
            (_, true) => || cpu::of_process(std::process::id()),
            (_, false) => || None,
        }
    }
}

impl LocalPlayer<Board> for OwnEngine {
    fn choose(&mut self, turn: &Turn<Board>) -> Choice<Move> {
        let meter = self.meter();
        let request = MoveRequest {
            started: turn.started,
            ..MoveRequest::new(turn.position, engine_clock(&turn.clocks[turn.color]))
        };
        let before = meter();
        let report = self.engine().answer(&request, &mut |_| {});
        let used = |(after, before): (Duration, _)| after.saturating_sub(before);
        let thought = Thought {
            cpu: meter().zip(before).map(used),
            score: Some(report.score.discs()),
            depth: (!report.from_book).then_some(report.depth),
            nodes: (!report.from_book).then_some(report.nodes),
            from_book: report.from_book,
            ..Thought::default()
        };
        Choice::Move(report.best.map_or(Move::Pass, Move::Place), thought)
    }

    fn interrupter(&self) -> Interrupter {
        let handle = self.engine().stop_handle();
        Box::new(move || handle.stop())
    }
}

/// Returns the bounds of a search that come from the settings and the limit, time apart.
fn strength(settings: &OwnSettings, limit: Limit) -> Strength {
    let level = settings
        .level
        .map_or_else(Strength::default, Strength::from);
    Strength {
        depth: [limit.depth, level.depth].into_iter().flatten().min(),
        nodes: limit.nodes,
        solve_from: settings.solve_from.max(level.solve_from),
        selective: settings.selective,
        ..level
    }
}

/// Returns the clock without a reserve: the engine's pace has one of its own.
fn engine_clock(clock: &ClockState) -> othello_engine::Clock {
    othello_engine::Clock {
        remaining: clock.main(),
        move_limit: clock.control().per_move,
        increment: clock.control().increment,
        reserve: Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use boardgame_core::{ByColor, Color, TimeControl};

    use super::*;

    fn engine(limit: &str) -> OwnEngine {
        OwnEngine::new(OwnSettings::default(), limit.parse().unwrap(), true).unwrap()
    }

    fn chosen(mut engine: OwnEngine, clock: ClockState) -> Thought {
        let turn = Turn {
            setup: Board::START,
            moves: Vec::new(),
            position: Board::START,
            color: Color::Black,
            clocks: ByColor::new_with(|_| clock),
            started: Instant::now(),
        };
        let Choice::Move(Move::Place(_), thought) = engine.choose(&turn) else {
            panic!("no move");
        };
        thought
    }

    fn no_clock() -> ClockState {
        Limit::default().clock()
    }

    #[test]
    fn a_limit_bounds_the_search() {
        assert_eq!(chosen(engine("depth:5"), no_clock()).depth, Some(5));
        let nodes = chosen(engine("nodes:2000"), no_clock()).nodes.unwrap();
        assert!((2_000..10_000).contains(&nodes), "{nodes}");
    }

    #[test]
    fn a_new_game_has_a_limit_of_its_own() {
        let engine = engine("depth:2");
        engine.new_game("depth:4".parse().unwrap());
        assert_eq!(chosen(engine, no_clock()).depth, Some(4));
    }

    #[test]
    fn a_move_of_the_book_has_no_depth() {
        let settings = "book=built-in".parse().unwrap();
        let engine = OwnEngine::new(settings, "depth:5".parse().unwrap(), true).unwrap();
        let thought = chosen(engine, no_clock());
        assert_eq!((thought.from_book, thought.depth), (true, None));
    }

    #[test]
    fn the_clock_of_a_game_reaches_the_engine() {
        let limit: Limit = "game:3s+20ms,move:1s".parse().unwrap();
        let expected = othello_engine::Clock {
            remaining: Some(Duration::from_secs(3)),
            move_limit: Some(Duration::from_secs(1)),
            increment: Duration::from_millis(20),
            reserve: Duration::ZERO,
        };
        assert_eq!(engine_clock(&limit.clock()), expected);
        // Without time it searches no deeper than necessary, whatever the other limits.
        let no_time = ClockState::new(TimeControl {
            main: Some(Duration::ZERO),
            ..TimeControl::default()
        });
        assert!(chosen(engine("depth:60"), no_time).depth.unwrap() <= 1);
    }
}
