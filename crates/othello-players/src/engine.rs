//! The engine as a thinker for sessions of any format.

use std::{
    num::NonZeroUsize,
    time::{Duration, Instant},
};

use othello_core::{Board, Move, Square, Tier};
use othello_net::{Interrupter, Thinker};
use othello_proto::session::{Assessment, Decision, Line, Task};
use othello_search::{Exactness, Level, Limits, Report, Searcher, TableError, TimeBudget};

use crate::{Options, Pace};

/// The time for a move when nothing else bounds the search.
const UNBOUNDED: Duration = Duration::from_secs(3);

/// Chooses moves by search, within the format's clock and the user's limits.
///
/// # Examples
///
/// ```
/// use std::time::Instant;
///
/// use othello_core::Board;
/// use othello_net::Thinker;
/// use othello_players::{Engine, Options};
/// use othello_proto::session::{Clock, Effort, Task, TaskId, Timestamp};
///
/// let mut engine = Engine::new(&Options { depth: Some(2), ..Options::default() });
/// let board = Board::START;
/// let clock = Clock { started: Timestamp::ORIGIN, game: None, per_move: None };
/// let effort = Effort::default();
/// let task = Task { id: TaskId(1), board, moves: board.legal_moves(), clock, effort };
/// let decision = engine.think(&task, Instant::now());
/// assert!(board.legal_moves().contains(decision.square));
/// ```
pub struct Engine {
    searcher: Searcher,
    pace: Pace,
    strength: Limits,
    ponders: bool,
    /// Where the next task is expected to begin: at the end of the line of play that the last
    /// decision began, as far as the next move of our own.
    expected: Option<Board>,
}

impl Engine {
    /// An engine as the options want it; where there is no memory for its table, with a smaller one, which
    /// the log tells. A player that does not start has lost its games.
    ///
    /// # Panics
    ///
    /// When there is no memory for the smallest table either.
    pub fn new(options: &Options) -> Self {
        let mut hash_mib = options.hash as usize;
        loop {
            match Self::with_table(options, hash_mib) {
                Ok(engine) => return engine,
                Err(error) if hash_mib == 0 => panic!("{error}"),
                Err(error) => {
                    hash_mib /= 2;
                    tracing::warn!(%error, hash_mib, "playing with a smaller table");
                }
            }
        }
    }

    /// An engine as the options want it.
    ///
    /// # Errors
    ///
    /// When there is no memory for its table.
    pub fn try_new(options: &Options) -> Result<Self, TableError> {
        Self::with_table(options, options.hash as usize)
    }

    fn with_table(options: &Options, hash_mib: usize) -> Result<Self, TableError> {
        let strength = match (options.level, options.depth) {
            (Some(level), _) => Limits::level(level),
            (None, Some(depth)) => Limits::depth(depth),
            (None, None) => Limits::default(),
        };
        Ok(Self {
            searcher: Searcher::try_new(othello_search::Options {
                hash_mib,
                threads: NonZeroUsize::new(options.threads as usize).unwrap_or(NonZeroUsize::MIN),
                tier: options.tier.unwrap_or_else(Tier::best),
                ..othello_search::Options::default()
            })?,
            pace: Pace::new(options.move_time, options.game_time, options.reserve),
            strength,
            ponders: options.ponder,
            expected: None,
        })
    }

    /// The limits of a task whose time began to run at `started`.
    fn limits(&mut self, task: &Task, started: Instant) -> Limits {
        let budget = self.pace.budget(task);
        let strength = self.strength(task.effort.depth);
        let bounded = budget != TimeBudget::UNLIMITED || strength.depth.is_some();
        let budget = if bounded {
            budget
        } else {
            TimeBudget::fixed(UNBOUNDED)
        };
        Limits {
            time: (budget != TimeBudget::UNLIMITED).then_some(budget),
            start: Some(started),
            moves: Some(task.moves),
            multi_pv: task.effort.lines.max(1),
            ..strength
        }
    }

    /// The user's strength, or the level of the depth that the other side wants, whichever looks
    /// less far ahead.
    fn strength(&self, wanted: Option<u32>) -> Limits {
        let wanted = wanted.map(|depth| u8::try_from(depth).unwrap_or(u8::MAX));
        let level = wanted.map(|depth| {
            Level::new(depth.clamp(Level::MIN.number(), Level::MAX.number())).unwrap_or(Level::MAX)
        });
        match level {
            Some(level) if self.strength.depth.is_none_or(|own| level.depth() < own) => {
                Limits::level(level)
            }
            _ => self.strength.clone(),
        }
    }
}

impl Thinker for Engine {
    fn think(&mut self, task: &Task, started: Instant) -> Decision {
        let limits = self.limits(task, started);
        let expected = self.expected.take() == Some(task.board);
        tracing::debug!(time = ?limits.time, expected, "thinking");
        let report = self
            .searcher
            .search(task.board.position(), &limits, &mut |_| {});
        self.pace.spend(started.elapsed());
        self.expected = our_next_turn(task.board, &report.pv);
        tracing::info!(
            best = report.best.map(tracing::field::display),
            score = %report.score,
            depth = report.depth,
            exactness = ?report.exactness,
            nodes = report.nodes,
            elapsed = ?report.elapsed,
            "thought",
        );
        decision(task, &report)
    }

    fn interrupter(&self) -> Interrupter {
        let handle = self.searcher.stop_handle();
        Box::new(move || handle.stop())
    }

    fn ponders(&self) -> bool {
        self.ponders && self.expected.is_some()
    }

    /// Searches the position that is expected next, so that the table knows it.
    fn ponder(&mut self, task: &Task, _decision: &Decision) {
        let Some(board) = self.expected else {
            return;
        };
        let limits = self.strength(task.effort.depth);
        let report = self.searcher.search(board.position(), &limits, &mut |_| {});
        tracing::debug!(depth = report.depth, nodes = report.nodes, "pondered");
    }
}

/// The board at which the player to move on `board` has to choose again, if the line goes so far.
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

/// The answer to a task that a report gives. A task may list squares that the rules forbid, when
/// the other side insists on them; then the report's move need not be one of them.
fn decision(task: &Task, report: &Report) -> Decision {
    let listed = report.best.filter(|&square| task.moves.contains(square));
    let first = task.moves.first().unwrap_or(Square::A1);
    Decision {
        task: task.id,
        square: listed.unwrap_or(first),
        assessment: listed.map(|_| assessment(report)),
    }
}

fn assessment(report: &Report) -> Assessment {
    Assessment {
        score: report.score.to_score(),
        exact: report.exactness == Exactness::Exact,
        depth: report.depth,
        nodes: report.nodes,
        variation: report.pv.clone(),
        others: report.others.iter().map(line).collect(),
    }
}

fn line(line: &othello_search::Line) -> Line {
    Line {
        score: line.score.to_score(),
        variation: line.pv.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::{Bitboard, Board, Color, Empties, Score};
    use othello_proto::session::{Clock, Effort, TaskId, Timestamp};

    fn engine(depth: u32) -> Engine {
        Engine::new(&Options {
            depth: Some(depth),
            hash: 1,
            ..Options::default()
        })
    }

    fn task(board: Board, moves: Bitboard) -> Task {
        Task {
            id: TaskId(7),
            board,
            moves,
            clock: Clock {
                started: Timestamp::ORIGIN,
                game: None,
                per_move: None,
            },
            effort: Effort::default(),
        }
    }

    #[test]
    fn the_choice_is_among_the_tasks_moves() {
        for square in Board::START.legal_moves() {
            let task = task(Board::START, square.into());
            let decision = engine(3).think(&task, Instant::now());
            assert_eq!((decision.task, decision.square), (TaskId(7), square));
        }
    }

    #[test]
    fn a_player_without_memory_for_its_table_plays_with_a_smaller_one() {
        let options = Options {
            depth: Some(1),
            hash: u64::MAX >> 20,
            ..Options::default()
        };
        assert!(Engine::try_new(&options).is_err());
        let task = task(Board::START, Board::START.legal_moves());
        let decision = Engine::new(&options).think(&task, Instant::now());
        assert!(task.moves.contains(decision.square));
    }

    #[test]
    fn a_square_that_the_rules_forbid_is_played_when_nothing_else_is_listed() {
        let task = task(Board::START, Square::H8.into());
        let decision = engine(3).think(&task, Instant::now());
        assert_eq!((decision.square, decision.assessment), (Square::H8, None));
    }

    #[test]
    fn a_solved_position_is_assessed_exactly() {
        // Black fills the corner and nothing is left of White's.
        let text = format!("-OX{} X", "X".repeat(61));
        let board: Board = text.parse().unwrap();
        let decision = engine(1).think(&task(board, board.legal_moves()), Instant::now());
        let assessment = decision.assessment.unwrap();
        assert_eq!(decision.square, Square::A1);
        assert_eq!((assessment.score, assessment.exact), (Score::MAX, true));
        let mut after = board;
        after.play(decision.square).unwrap();
        assert_eq!(after.score(Color::Black, Empties::OnBoard), Score::MAX);
    }

    #[test]
    fn as_many_lines_are_found_as_are_asked_for() {
        let mut board = Board::START;
        board.play(Square::F5).unwrap();
        let mut task = task(board, board.legal_moves());
        task.effort.lines = 2;
        let assessment = engine(4).think(&task, Instant::now()).assessment.unwrap();
        assert_eq!(assessment.others.len(), 1);
        assert!(assessment.others[0].score <= assessment.score);
        assert_ne!(assessment.others[0].variation[0], assessment.variation[0]);
    }

    #[test]
    fn the_lesser_of_two_depths_counts() {
        let strength = |own, wanted| {
            let options = Options {
                depth: own,
                hash: 1,
                ..Options::default()
            };
            let limits = Engine::new(&options).strength(wanted);
            (limits.depth, limits.solve_from)
        };
        assert_eq!(strength(None, None), (None, 0));
        assert_eq!(strength(Some(5), None), (Some(5), 0));
        assert_eq!(strength(Some(5), Some(9)), (Some(5), 0));
        assert_eq!(strength(Some(9), Some(5)), (Some(5), 11));
        assert_eq!(strength(None, Some(0)), (Some(1), 4));
        assert_eq!(strength(None, Some(1000)), (Some(60), 60));
    }

    #[test]
    fn what_was_pondered_on_is_known_when_the_reply_comes() {
        let nodes = |ponder: bool| {
            let mut engine = engine(12);
            let first = task(Board::START, Board::START.legal_moves());
            let decision = engine.think(&first, Instant::now());
            let next = engine.expected.unwrap();
            assert_eq!(next.side_to_move(), Color::Black);
            assert_eq!(next.empties().count(), 58);
            if ponder {
                engine.ponder(&first, &decision);
            }
            let decision = engine.think(&task(next, next.legal_moves()), Instant::now());
            (decision.square, decision.assessment.unwrap().nodes)
        };
        let ((move_after, hit), (fresh_move, fresh)) = (nodes(true), nodes(false));
        assert_eq!(move_after, fresh_move);
        assert!(hit < fresh * 3 / 4, "{hit} {fresh}");
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
    fn an_interrupter_called_beforehand_ends_an_unlimited_search() {
        let mut engine = Engine::new(&Options {
            depth: Some(60),
            ..Options::default()
        });
        let interrupt = engine.interrupter();
        interrupt();
        let task = task(Board::START, Board::START.legal_moves());
        let decision = engine.think(&task, Instant::now());
        assert!(task.moves.contains(decision.square));
    }
}
