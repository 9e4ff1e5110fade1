//! The engine: a searcher with time management.

mod book_move;

use std::{
    hash::{BuildHasher as _, RandomState},
    hint::black_box,
    time::Duration,
};

use othello_core::{Bitboard, Board, Move, Position, Square};
use othello_search::{
    Clock, Instant, Limits, Report, Searcher, StopHandle, TableError, TimeBudget,
};

use crate::{
    human::{HumanPlayer, Model, PlayStyle, mix},
    level::Rating,
    pace::Pace,
    settings::{Settings, Strength},
};

/// The time for a move if nothing else limits the search.
const UNBOUNDED: Duration = Duration::from_secs(3);

/// The memory in bytes that the table leaves for everything else: a thread, the principal variations, the log.
const SPARE_MEMORY: usize = 4 << 20;

/// An engine that chooses moves within its [`Settings`] and a game clock, and may ponder on the opponent's time.
///
/// It keeps its transposition table from move to move, and accounts for the time of the game in progress.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    searcher: Searcher,
    pace: Pace,
    expected: Option<Expected>,
    /// The number of moves chosen like a person, and the board after the last one.
    choices: u64,
    left: Option<Board>,
}

/// The position in which the engine expects to move next.
#[derive(Clone, Copy, Debug)]
struct Expected {
    board: Board,
    /// The strength of the search that predicted it.
    strength: Strength,
}

/// A request to an [`Engine`] to choose a move.
#[derive(Clone, Debug)]
pub struct MoveRequest {
    /// The board; the side to move chooses.
    pub board: Board,
    /// The clock of the side to move. The larger of its reserve and the settings' reserve applies.
    pub clock: Clock,
    /// The start of the move's time.
    pub started: Instant,
    /// The moves to consider, or `None` for all.
    pub moves: Option<Bitboard>,
    /// The maximum midgame depth in plies, in addition to the settings'. From 1 to 60 it selects the level of that
    /// depth.
    pub max_depth: Option<u32>,
    /// The rating to play with, instead of the settings' [`Strength::person`].
    pub person: Option<Rating>,
    /// The number of lines to report, best first; 0 counts as 1.
    pub lines: usize,
    /// A handle that stops the search, in addition to [`Engine::stop_handle`].
    pub stop: Option<StopHandle>,
}

impl MoveRequest {
    /// Creates a request for the best move, whose time begins now.
    pub fn new(board: Board, clock: Clock) -> Self {
        Self {
            board,
            clock,
            started: Instant::now(),
            moves: None,
            max_depth: None,
            person: None,
            lines: 1,
            stop: None,
        }
    }
}

impl Engine {
    /// Creates an engine. If there is not enough memory for its table, logs a warning and uses a smaller one, because a
    /// player that does not start loses its games.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory for the smallest table.
    pub fn new(settings: Settings) -> Self {
        Self::with_memory_left(settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates an engine like [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory for the smallest table.
    pub(crate) fn with_memory_left(settings: Settings) -> Result<Self, TableError> {
        let hash_mib = settings.hash.get();
        Self::with_table_of_at_most(hash_mib, settings)
    }

    fn with_table_of_at_most(mut hash_mib: usize, settings: Settings) -> Result<Self, TableError> {
        loop {
            let searcher = settings.searcher_with_table(hash_mib).and_then(|searcher| {
                // A failed small allocation would abort the process.
                if has_memory(SPARE_MEMORY) {
                    Ok(searcher)
                } else {
                    Err(TableError::Allocation { mib: hash_mib })
                }
            });
            match searcher {
                Ok(searcher) => return Ok(Self::with_searcher(settings, searcher)),
                Err(error) if hash_mib == 0 => return Err(error),
                Err(error) => {
                    hash_mib /= 2;
                    tracing::warn!(%error, hash_mib, "playing with a smaller table");
                }
            }
        }
    }

    /// Returns the settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Creates an engine.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory for its table.
    pub fn try_new(settings: Settings) -> Result<Self, TableError> {
        let searcher = settings.searcher()?;
        Ok(Self::with_searcher(settings, searcher))
    }

    fn with_searcher(settings: Settings, searcher: Searcher) -> Self {
        Self {
            pace: Pace::new(settings.move_time, settings.game_time, settings.reserve),
            settings,
            searcher,
            expected: None,
            choices: 0,
            left: None,
        }
    }

    /// Changes the strength of later searches.
    pub fn set_strength(&mut self, strength: Strength) {
        self.settings.strength = strength;
    }

    /// Forgets earlier games: the transposition table, the time used and the expected position.
    ///
    /// Optional between games. A position with more empty squares than the last one starts a new time account.
    pub fn new_game(&mut self) {
        self.searcher.clear();
        self.pace.new_game();
        self.expected = None;
    }

    /// Begins the account of the time of another game, and keeps the transposition table.
    pub fn forget_time_used(&mut self) {
        self.pace.new_game();
    }

    /// Returns the searcher, for searches that do not choose a move, such as those of an analysis.
    pub const fn searcher(&mut self) -> &mut Searcher {
        &mut self.searcher
    }

    /// Chooses a move on `board` within the settings and `clock`. The time of the move begins now.
    ///
    /// If neither the settings nor the clock limit the search, it takes three seconds. A move of the settings' book
    /// needs no search. The report has a legal move
    /// whenever there is one; [`Report::best`] is `None` if the side to move must pass or the game is over.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use othello_core::Board;
    /// use othello_engine::{Clock, Engine, Settings};
    ///
    /// let mut engine = Engine::new(Settings::default());
    /// let clock = Clock { remaining: Some(Duration::from_millis(500)), ..Clock::default() };
    /// let report = engine.choose(Board::START, &clock);
    /// assert!(report.best.is_some() && report.elapsed < Duration::from_millis(500));
    /// ```
    pub fn choose(&mut self, board: Board, clock: &Clock) -> Report {
        self.answer(&MoveRequest::new(board, *clock), &mut |_| {})
    }

    /// Chooses a move like [`choose`](Self::choose), with all options of a request. Calls `observer` as
    /// [`Searcher::search_observed`](othello_search::Searcher::search_observed) does.
    pub fn answer(&mut self, request: &MoveRequest, observer: &mut dyn FnMut(&Report)) -> Report {
        let of_settings = self.settings.strength;
        let strength = Strength {
            person: request.person.or(of_settings.person),
            ..of_settings.at_most(request.max_depth)
        };
        let limits = self.limits(request, strength);
        let board = request.board;
        let hit = self.expected.take().map(|expected| expected.board) == Some(board);
        tracing::debug!(time = ?limits.time, expected = hit, "thinking");
        let report = match (self.book_move(request, strength), strength.person) {
            (Some(report), _) => report,
            (None, Some(rating)) => self.play_like(rating, request, &limits),
            (None, None) => (self.searcher).search_observed(board.position(), &limits, observer),
        };
        self.pace.spend(request.started.elapsed());
        let expected = our_next_turn(board, &report.pv);
        self.expected = expected.map(|board| Expected { board, strength });
        tracing::info!(
            best = report.best.map(tracing::field::display),
            score = %report.score,
            depth = report.depth,
            book = report.from_book.then_some(true),
            exactness = ?report.exactness,
            nodes = report.nodes,
            elapsed = ?report.elapsed,
            "thought",
        );
        report
    }

    /// Searches all moves and chooses one like a person of a rating.
    fn play_like(&mut self, rating: Rating, request: &MoveRequest, limits: &Limits) -> Report {
        let position = request.board.position();
        self.choices += 1;
        let seed = match self.settings.seed {
            Some(seed) => mix(mix(seed) ^ self.choices),
            None => RandomState::new().hash_one(request.started),
        };
        let player = HumanPlayer {
            model: Model::built_in(),
            rating,
            style: PlayStyle::of(rating),
        };
        let last = self.left.and_then(|left| reply(left, request.board));
        let context = (position, last);
        let report = player.choose(
            &mut self.searcher,
            &self.settings.network,
            context,
            limits,
            draw(seed, position),
        );
        let mut board = request.board;
        let played = report.best.is_some_and(|square| board.play(square).is_ok());
        self.left = played.then_some(board);
        report
    }

    fn limits(&mut self, request: &MoveRequest, strength: Strength) -> Limits {
        let empties = request.board.empties().count();
        let budget = self.pace.budget(&request.clock, empties);
        let time = if budget != TimeBudget::UNLIMITED {
            Some(budget)
        } else if strength.is_bounded() {
            None
        } else {
            Some(TimeBudget::fixed(UNBOUNDED))
        };
        Limits {
            time,
            start: Some(request.started),
            moves: request.moves,
            multi_pv: request.lines.max(1),
            stop: request.stop.clone(),
            ..strength.limits()
        }
    }

    /// Returns the handle that stops the next search, for a move or pondering, and no other.
    pub fn stop_handle(&self) -> StopHandle {
        self.searcher.stop_handle()
    }

    /// Returns the board on which the engine expects to choose next: the end of its last principal variation's prefix
    /// up to its own next move. `None` if the variation is too short.
    pub fn expected(&self) -> Option<Board> {
        self.expected.map(|expected| expected.board)
    }

    /// Returns whether there is a position to [`ponder`](Self::ponder) on and the settings enable pondering.
    pub fn ponders(&self) -> bool {
        self.settings.ponder && self.expected.is_some()
    }

    /// Searches the [expected](Self::expected) position on the opponent's time to fill the table, until the [stop
    /// handle](Self::stop_handle) is used or the position is solved. Returns `None` if no position is expected.
    pub fn ponder(&mut self) -> Option<Report> {
        let Expected { board, strength } = self.expected?;
        let limits = strength.limits();
        let report = self.searcher.search(board.position(), &limits);
        tracing::debug!(depth = report.depth, nodes = report.nodes, "pondered");
        Some(report)
    }
}

/// Returns a pseudo-random number of a position.
fn draw(seed: u64, position: Position) -> u64 {
    mix(seed ^ mix(position.own().0) ^ mix(position.opponent().0).rotate_left(1))
}

/// Returns whether the system can allocate a number of bytes.
fn has_memory(bytes: usize) -> bool {
    let mut probe = Vec::<u8>::new();
    let reserved = probe.try_reserve_exact(bytes);
    // Unused memory might not be allocated.
    black_box(&probe);
    reserved.is_ok()
}

/// Returns the opponent's only move from one board to another, if the discs show it.
fn reply(from: Board, to: Board) -> Option<Square> {
    let square = (from.empties() & !to.empties()).first()?;
    let mut board = from;
    board.play(square).ok()?;
    (board == to).then_some(square)
}

/// Returns the board on which the side to move on `board` moves again, if the line is long enough.
fn our_next_turn(mut board: Board, line: &[Move]) -> Option<Board> {
    let us = board.side_to_move();
    for &mv in line {
        board.play(mv).ok()?;
        if board.side_to_move() == us && !board.legal_moves().is_empty() {
            return Some(board);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    use crate::{PlayLevel, settings::HashSize};
    use othello_core::{Color, Game};

    pub(super) fn settings(depth: u32) -> Settings {
        Settings {
            hash: HashSize::new(1).unwrap(),
            strength: Strength::depth(depth),
            ..Settings::default()
        }
    }

    fn engine(depth: u32) -> Engine {
        Engine::new(settings(depth))
    }

    #[test]
    fn an_engine_without_memory_for_its_table_plays_with_a_smaller_one() {
        let (settings, too_much) = (settings(1), usize::MAX >> 20);
        assert!(settings.searcher_with_table(too_much).is_err());
        let mut engine = Engine::with_table_of_at_most(too_much, settings).unwrap();
        let report = engine.choose(Board::START, &Clock::default());
        assert!(report.best.is_some());
    }

    #[test]
    fn only_an_unlimited_search_is_given_a_time() {
        let time = |strength, clock| {
            let mut engine = engine(1);
            engine.set_strength(strength);
            let request = MoveRequest::new(Board::START, clock);
            engine.limits(&request, strength).time
        };
        let nodes = Strength {
            nodes: Some(1),
            ..Strength::default()
        };
        let fixed = TimeBudget::fixed(UNBOUNDED);
        assert_eq!(time(Strength::default(), Clock::default()), Some(fixed));
        assert_eq!(time(Strength::depth(3), Clock::default()), None);
        assert_eq!(time(nodes, Clock::default()), None);
        let clock = Clock {
            move_limit: Some(Duration::from_secs(1)),
            ..Clock::default()
        };
        let budget = time(nodes, clock).unwrap();
        assert_eq!(budget.hard, Duration::from_millis(900));
    }

    #[test]
    fn a_new_game_is_searched_like_the_first_one() {
        let mut engine = engine(8);
        let first = engine.choose(Board::START, &Clock::default());
        let again = engine.choose(Board::START, &Clock::default());
        assert!(again.nodes < first.nodes);
        engine.new_game();
        assert_eq!(engine.expected(), None);
        let fresh = engine.choose(Board::START, &Clock::default());
        assert_eq!((fresh.best, fresh.nodes), (first.best, first.nodes));
    }

    #[test]
    fn a_changed_strength_applies_from_the_next_move() {
        let mut engine = engine(2);
        engine.set_strength(Strength::depth(4));
        assert_eq!(engine.choose(Board::START, &Clock::default()).depth, 4);
    }

    #[test]
    fn an_engine_ponders_if_enabled_and_a_position_is_expected() {
        let mut silent = engine(4);
        silent.choose(Board::START, &Clock::default());
        assert!(silent.expected().is_some() && !silent.ponders());
        let mut engine = Engine::new(Settings {
            ponder: true,
            ..settings(4)
        });
        assert!(!engine.ponders() && engine.ponder().is_none());
        engine.choose(Board::START, &Clock::default());
        assert!(engine.ponders());
    }

    #[test]
    fn pondering_stopped_beforehand_ends_at_once() {
        let mut engine = engine(60);
        engine.expected = Some(Expected {
            board: Board::START,
            strength: Strength::default(),
        });
        engine.stop_handle().stop();
        assert!(engine.ponder().is_some());
    }

    #[test]
    fn the_next_turn_comes_after_the_replies_and_passes() {
        let line: Vec<Move> = ["f5", "d6"].map(|mv| mv.parse().unwrap()).into();
        let next = our_next_turn(Board::START, &line).unwrap();
        assert_eq!(
            (next.side_to_move(), next.empties().count()),
            (Color::Black, 58)
        );
        assert_eq!(our_next_turn(Board::START, &line[..1]), None);
        // White has no move after Black's a1, and Black goes on.
        let text = format!("-OX-OXXX{} X", "X".repeat(56));
        let board: Board = text.parse().unwrap();
        let line: Vec<Move> = ["a1", "pass"].map(|mv| mv.parse().unwrap()).into();
        let next = our_next_turn(board, &line).map(|board| board.empties().count());
        assert_eq!(next, Some(1));
    }

    #[test]
    fn a_request_may_have_its_own_stop_handle() {
        let stop = StopHandle::new();
        stop.stop();
        let request = MoveRequest {
            stop: Some(stop),
            ..MoveRequest::new(Board::START, Clock::default())
        };
        let best = engine(60).answer(&request, &mut |_| {}).best;
        assert!(best.is_some_and(|square: Square| Board::START.legal_moves().contains(square)));
    }

    #[test]
    fn play_like_a_person_varies_but_for_a_seed() {
        let person = |seed| {
            Engine::new(Settings {
                seed,
                strength: "club".parse::<PlayLevel>().unwrap().into(),
                ..settings(60)
            })
        };
        let board = "f5".parse::<Game>().unwrap().board();
        let answers = |seed: fn(u64) -> Option<u64>| -> HashSet<Square> {
            let best = |game| {
                person(seed(game))
                    .choose(board, &Clock::default())
                    .best
                    .unwrap()
            };
            (0..20).map(best).collect()
        };
        assert!(answers(|_| None).len() > 1);
        assert!(answers(Some).len() > 1);
        assert_eq!(answers(|_| Some(7)).len(), 1);
    }

    #[test]
    fn a_level_holds_with_a_clock_and_without_time() {
        let mut engine = engine(60);
        for level in ["beginner", "master"] {
            let strength = Strength::from(level.parse::<PlayLevel>().unwrap());
            for remaining in [0, 60_000] {
                let request = MoveRequest {
                    person: strength.person,
                    ..MoveRequest::new(
                        Board::START,
                        Clock {
                            remaining: Some(Duration::from_millis(remaining)),
                            ..Clock::default()
                        },
                    )
                };
                let report = engine.answer(&request, &mut |_| {});
                assert!(report.best.is_some() && report.depth <= 10, "{report:?}");
            }
        }
    }

    #[test]
    fn the_opponents_move_is_seen_from_the_discs() {
        let boards: Vec<Board> = "f5d6c3".parse::<Game>().unwrap().boards().collect();
        assert_eq!(reply(boards[1], boards[2]), Some(Square::D6));
        assert_eq!(reply(boards[1], boards[3]), None);
        assert_eq!(reply(boards[2], boards[1]), None);
    }
}
