//! The engine of a player's process, which adapts to the available memory.

use std::{mem, sync::Arc, time::Duration};

use othello_core::Square;
use othello_net::{Interrupter, Thinker, cpu_time_left};
use othello_proto::session::{Choice, Question, Task};
use othello_search::{Clock, Instant, StopHandle, eval::Network};

use crate::{Engine, HashSize, Settings, session::clock};

/// The maximum time kept back from a move's limit for the start and end of a process that plays a single move (at most
/// half of the limit): on a busy machine each takes several waits for a processor.
const PROCESS_RESERVE: Duration = Duration::from_millis(40);

/// The time for a move, in milliseconds, per MiB of table: the system has to clear the pages that are used.
const TIME_OF_MEBIBYTE: u128 = 25;

/// A session's thinker that creates its [`Engine`] on demand. Without memory or time for the evaluation, it plays a
/// move that leaves the opponent few replies, because a player that does not move loses its game.
///
/// # Examples
///
/// ```
/// use std::time::Instant;
///
/// use othello_core::Board;
/// use othello_engine::{SessionEngine, Settings, Strength};
/// use othello_net::Thinker as _;
/// use othello_proto::session::{Question, Task, TaskClock, TaskId, Timestamp};
///
/// let mut engine = SessionEngine::new(|network| Settings {
///     strength: Strength::depth(2),
///     ..Settings::with_network(network)
/// });
/// let board = Board::START;
/// let clock = TaskClock::unlimited(Timestamp::ORIGIN);
/// let task = Task { id: TaskId(1), question: Question::best_move(board), clock };
/// let choice = engine.think(&task, Instant::now());
/// assert!(board.legal_moves().contains(choice.square));
/// ```
pub struct SessionEngine {
    /// Creates the settings; taken when the engine is created.
    settings: Option<Box<dyn FnOnce(Arc<Network>) -> Settings + Send>>,
    engine: Option<Engine>,
    /// The stop handle of the next task.
    stop: StopHandle,
    lives_for_one_move: bool,
}

impl SessionEngine {
    /// Creates the engine with settings for the built-in evaluation.
    pub fn new(settings: impl FnOnce(Arc<Network>) -> Settings + Send + 'static) -> Self {
        let mut engine = Self::for_one_move(settings);
        engine.lives_for_one_move = false;
        engine.load(None);
        engine
    }

    /// Creates the thinker of a process that plays a single move. It creates the engine only if there is a choice of
    /// moves and time to search. Under a short limit it keeps time back for the process itself and uses a smaller
    /// table.
    pub fn for_one_move(settings: impl FnOnce(Arc<Network>) -> Settings + Send + 'static) -> Self {
        Self {
            settings: Some(Box::new(settings)),
            engine: None,
            stop: StopHandle::new(),
            lives_for_one_move: true,
        }
    }

    /// Creates the engine, unless it exists, for a move with this limit.
    fn load(&mut self, limit: Option<Duration>) {
        let Some(settings) = self.settings.take() else {
            return;
        };
        let network = match Network::try_built_in() {
            Ok(network) => network,
            Err(error) => return tracing::error!(%error, "moves are played without a search"),
        };
        let mut settings = settings(network);
        if let Some(limit) = limit {
            let enough = (limit.as_millis() / TIME_OF_MEBIBYTE).clamp(1, HashSize::MAX.into());
            let enough = HashSize::new(enough as u64).unwrap_or_default();
            settings.hash = settings.hash.min(enough);
        }
        match Engine::with_memory_left(settings) {
            Ok(engine) => self.engine = Some(engine),
            Err(error) => tracing::error!(%error, "moves are played without a search"),
        }
    }

    /// Returns whether there is only one move, or no time to create the engine and search.
    fn is_settled(task: &Task, started: Instant) -> bool {
        let is_late = |limit: Duration| !leaves_time(started.elapsed(), limit);
        task.question.moves.count() == 1 || task.clock.per_move.is_some_and(is_late)
    }

    /// Returns the clock of a task, limited by the system's limit on CPU time.
    fn clock(&self, engine: &Engine, task: &Task) -> Clock {
        let mut clock = clock(task);
        if let Some(left) = cpu_time_left() {
            let left = left / engine.settings().threads.get() as u32;
            clock.remaining = Some(clock.remaining.map_or(left, |of_game| of_game.min(left)));
        }
        if self.lives_for_one_move && engine.settings().reserve.is_none() {
            clock.reserve = process_reserve(clock.move_limit.unwrap_or_default());
        }
        clock
    }
}

impl Thinker<Question> for SessionEngine {
    fn think(&mut self, task: &Task, started: Instant) -> Choice {
        let stop = mem::take(&mut self.stop);
        if self.settings.is_some() && Self::is_settled(task, started) {
            return quick_choice(&task.question).into();
        }
        self.load(task.clock.per_move);
        let Some(mut engine) = self.engine.take() else {
            return quick_choice(&task.question).into();
        };
        let clock = self.clock(&engine, task);
        let choice = engine.decide(task, clock, started, stop);
        self.engine = Some(engine);
        choice
    }

    fn interrupter(&self) -> Interrupter {
        let handles = [
            Some(self.stop.clone()),
            self.engine.as_ref().map(Engine::stop_handle),
        ];
        Box::new(move || handles.iter().flatten().for_each(StopHandle::stop))
    }

    fn ponders(&self) -> bool {
        self.engine.as_ref().is_some_and(Engine::ponders)
    }

    fn ponder(&mut self, _task: &Task, _answer: &Choice) {
        self.stop = StopHandle::new();
        if let Some(engine) = &mut self.engine {
            engine.ponder();
        }
    }
}

/// Returns whether a process that has spent `spent` on its start can create the engine within a limit. Creating it
/// takes about four times the CPU time of the start, whatever share of the processor the process gets; a slow start may
/// also have waited for something else.
fn leaves_time(spent: Duration, limit: Duration) -> bool {
    // The launch time is known only to a hundredth of a second.
    let start = spent.saturating_sub(Duration::from_millis(10));
    let making = (4 * start).min(Duration::from_millis(300));
    spent + making + process_reserve(limit) / 2 < limit
}

fn process_reserve(limit: Duration) -> Duration {
    PROCESS_RESERVE.min(limit / 2)
}

/// Returns the listed move that leaves the opponent the fewest moves, preferring corners.
fn quick_choice(question: &Question) -> Square {
    let replies = |&square: &Square| {
        let mut board = question.board;
        // The list may contain illegal moves.
        let legal = board.play(square).is_ok();
        let is_corner = [Square::A1, Square::H1, Square::A8, Square::H8].contains(&square);
        (!legal, !is_corner, board.legal_moves().count())
    };
    let best = question.moves.into_iter().min_by_key(replies);
    best.unwrap_or_else(|| question.first_square())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strength;
    use othello_core::{Bitboard, Board};
    use othello_proto::session::{TaskClock, TaskId, Timestamp};

    fn quick(network: Arc<Network>) -> Settings {
        Settings {
            hash: HashSize::MIN,
            strength: Strength::depth(2),
            ..Settings::with_network(network)
        }
    }

    fn task(moves: Bitboard) -> Task {
        Task {
            id: TaskId(7),
            question: Question::best_of(Board::START, moves),
            clock: TaskClock::unlimited(Timestamp::ORIGIN),
        }
    }

    #[test]
    fn a_process_for_one_move_creates_no_engine_for_a_forced_move() {
        let mut thinker = SessionEngine::for_one_move(quick);
        let choice = thinker.think(&task(Square::D3.into()), Instant::now());
        assert_eq!((choice.square, choice.assessment), (Square::D3, None));
        assert!(thinker.engine.is_none());
        let choice = thinker.think(&task(Board::START.legal_moves()), Instant::now());
        assert!(choice.assessment.is_some() && thinker.engine.is_some());
    }

    #[test]
    fn an_existing_engine_searches_a_forced_move_too() {
        let mut thinker = SessionEngine::new(quick);
        let choice = thinker.think(&task(Square::D3.into()), Instant::now());
        assert!(choice.assessment.is_some());
    }

    #[test]
    fn an_interruption_before_the_engine_exists_ends_the_search() {
        let endless = |network| Settings {
            strength: Strength::depth(60),
            ..quick(network)
        };
        let mut thinker = SessionEngine::for_one_move(endless);
        thinker.interrupter()();
        let task = task(Board::START.legal_moves());
        let choice = thinker.think(&task, Instant::now());
        assert!(task.question.moves.contains(choice.square));
    }

    #[test]
    fn a_short_limit_means_a_small_table_and_an_expired_one_no_search() {
        let hash = |limit| {
            let mut thinker = SessionEngine::for_one_move(|network| Settings {
                hash: HashSize::default(),
                ..quick(network)
            });
            let mut task = task(Board::START.legal_moves());
            task.clock.per_move = Some(Duration::from_millis(limit));
            let choice = thinker.think(&task, Instant::now());
            assert!(task.question.moves.contains(choice.square));
            thinker.engine.map(|engine| engine.settings().hash.get())
        };
        assert_eq!((hash(775), hash(0)), (Some(31), None));
    }

    #[test]
    fn a_slow_start_predicts_a_slow_evaluation() {
        let leaves = |spent, limit| {
            let [spent, limit] = [spent, limit].map(Duration::from_millis);
            leaves_time(spent, limit)
        };
        assert!(leaves(12, 50) && leaves(30, 200) && leaves(600, 3000));
        assert!(!leaves(20, 50) && !leaves(60, 200) && !leaves(2900, 3000));
    }

    #[test]
    fn a_move_without_search_is_a_corner_or_leaves_few_replies() {
        let choice = |text: &str| {
            let board: Board = text.parse().unwrap();
            quick_choice(&Question::best_move(board))
        };
        let corner = format!("-OX{}-OX X", "-".repeat(58));
        assert_eq!(choice(&corner), Square::A1);
        let forbidden = Question::best_of(Board::START, Square::H8.into());
        assert_eq!(quick_choice(&forbidden), Square::H8);
    }

    #[test]
    fn without_an_engine_a_listed_move_is_played() {
        let mut thinker = SessionEngine::for_one_move(quick);
        thinker.settings = None;
        let task = task(Board::START.legal_moves());
        let choice = thinker.think(&task, Instant::now());
        assert!(task.question.moves.contains(choice.square) && !thinker.ponders());
    }

    #[test]
    fn a_process_for_one_move_keeps_back_more_of_a_short_limit() {
        let reserve = |lives_for_one_move, own, limit| {
            let settings = Settings {
                reserve: own,
                ..quick(Network::built_in())
            };
            let mut thinker = SessionEngine::for_one_move(quick);
            thinker.lives_for_one_move = lives_for_one_move;
            let mut task = task(Board::START.legal_moves());
            task.clock.per_move = Some(Duration::from_millis(limit));
            let clock = thinker.clock(&Engine::new(settings), &task);
            clock.reserve.as_millis()
        };
        assert_eq!(
            (reserve(true, None, 50), reserve(true, None, 3000)),
            (25, 40)
        );
        assert_eq!(reserve(false, None, 50), 0);
        assert_eq!(reserve(true, Some(Duration::from_millis(5)), 50), 0);
    }
}
