//! The engine as the thinker of a session, for any wire format.

use std::time::Instant;

use othello_proto::session::{Assessment, Choice, Line, Question, Task};
use othello_search::{Clock, Exactness, Report, StopHandle};

use crate::{Engine, MoveRequest};

impl Engine {
    /// Answers a task within a clock; `stop` also ends the search.
    pub(crate) fn decide(
        &mut self,
        task: &Task,
        clock: Clock,
        started: Instant,
        stop: StopHandle,
    ) -> Choice {
        let Question {
            board,
            moves,
            effort,
        } = task.question;
        let request = MoveRequest {
            started,
            moves: Some(moves),
            max_depth: effort.depth,
            lines: effort.lines,
            stop: Some(stop),
            ..MoveRequest::new(board, clock)
        };
        let report = self.answer(&request, &mut |_| {});
        choice(&task.question, &report)
    }
}

/// Converts the clock of a task for the search, adding the overtime of all moves that the game may still last.
pub(crate) fn clock(task: &Task) -> Clock {
    let moves = task.question.board.empties().count().div_ceil(2);
    let overtime = task
        .clock
        .overtime
        .unwrap_or_default()
        .saturating_mul(moves);
    Clock {
        remaining: task.clock.game.map(|left| left.saturating_add(overtime)),
        move_limit: task.clock.per_move,
        ..Clock::default()
    }
}

/// Returns the choice of a report. A question may list illegal squares if the other side insists on them; the report's
/// move then need not be one of them.
fn choice(question: &Question, report: &Report) -> Choice {
    let listed = report
        .best
        .filter(|&square| question.moves.contains(square));
    match listed {
        Some(square) => Choice {
            square,
            assessment: Some(assessment(report)),
        },
        None => question.first_square().into(),
    }
}

fn assessment(report: &Report) -> Assessment {
    Assessment {
        score: report.score.to_score(),
        exact: report.exactness == Exactness::Exact,
        from_book: report.from_book,
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
    use crate::{HashSize, SessionEngine, Settings, Strength};
    use std::time::Duration;

    use othello_core::{Bitboard, Board, Color, Empties, Score, Square};
    use othello_net::Thinker as _;
    use othello_proto::session::{TaskClock, TaskId, Timestamp};

    fn engine(depth: u32) -> SessionEngine {
        SessionEngine::new(move |network| Settings {
            hash: HashSize::MIN,
            strength: Strength::depth(depth),
            ..Settings::with_network(network)
        })
    }

    fn task(board: Board, moves: Bitboard) -> Task {
        Task {
            id: TaskId(7),
            question: Question::best_of(board, moves),
            clock: TaskClock::unlimited(Timestamp::ORIGIN),
        }
    }

    #[test]
    fn the_choice_is_one_of_the_tasks_moves() {
        for square in Board::START.legal_moves() {
            let task = task(Board::START, square.into());
            let choice = engine(3).think(&task, Instant::now());
            assert_eq!(choice.square, square);
        }
    }

    #[test]
    fn an_illegal_square_is_played_if_nothing_else_is_listed() {
        let task = task(Board::START, Square::H8.into());
        let choice = engine(3).think(&task, Instant::now());
        assert_eq!((choice.square, choice.assessment), (Square::H8, None));
    }

    #[test]
    fn a_solved_position_is_assessed_exactly() {
        // Black fills the corner, and no white disc is left.
        let text = format!("-OX{} X", "X".repeat(61));
        let board: Board = text.parse().unwrap();
        let choice = engine(1).think(&task(board, board.legal_moves()), Instant::now());
        let assessment = choice.assessment.unwrap();
        assert_eq!(choice.square, Square::A1);
        assert_eq!((assessment.score, assessment.exact), (Score::MAX, true));
        let mut after = board;
        after.play(choice.square).unwrap();
        assert_eq!(after.score(Color::Black, Empties::OnBoard), Score::MAX);
    }

    #[test]
    fn the_requested_number_of_lines_is_found() {
        let mut board = Board::START;
        board.play(Square::F5).unwrap();
        let mut task = task(board, board.legal_moves());
        task.question.effort.lines = 2;
        let assessment = engine(4).think(&task, Instant::now()).assessment.unwrap();
        assert_eq!(assessment.others.len(), 1);
        assert!(assessment.others[0].score <= assessment.score);
        assert_ne!(assessment.others[0].variation[0], assessment.variation[0]);
    }

    #[test]
    fn an_interruption_beforehand_ends_an_unlimited_search() {
        let mut engine = engine(60);
        let interrupt = engine.interrupter();
        interrupt();
        let task = task(Board::START, Board::START.legal_moves());
        let choice = engine.think(&task, Instant::now());
        assert!(task.question.moves.contains(choice.square));
    }

    #[test]
    fn a_session_ponders_on_the_expected_position() {
        let nodes = |ponder: bool| {
            let mut engine = engine(12);
            let first = task(Board::START, Board::START.legal_moves());
            let choice = engine.think(&first, Instant::now());
            let mut next = Board::START;
            for &square in &choice.assessment.as_ref().unwrap().variation[..2] {
                next.play(square).unwrap();
            }
            if ponder {
                engine.ponder(&first, &choice);
            }
            let choice = engine.think(&task(next, next.legal_moves()), Instant::now());
            choice.assessment.unwrap().nodes
        };
        let (hit, fresh) = (nodes(true), nodes(false));
        assert!(hit < fresh * 3 / 4, "{hit} {fresh}");
    }

    #[test]
    fn the_requested_depth_limits_the_search() {
        let mut task = task(Board::START, Board::START.legal_moves());
        task.question.effort.depth = Some(2);
        let assessment = engine(9).think(&task, Instant::now()).assessment.unwrap();
        assert_eq!(assessment.depth, 2);
    }

    #[test]
    fn overtime_counts_for_each_remaining_move() {
        let mut task = task(Board::START, Board::START.legal_moves());
        task.clock.game = Some(Duration::from_secs(20));
        task.clock.overtime = Some(Duration::from_secs(5));
        assert_eq!(
            clock(&task).remaining,
            Some(Duration::from_secs(20 + 30 * 5))
        );
    }

    #[test]
    fn the_clock_of_the_session_limits_the_search() {
        let mut task = task(Board::START, Board::START.legal_moves());
        task.clock.per_move = Some(Duration::ZERO);
        let assessment = engine(60).think(&task, Instant::now()).assessment.unwrap();
        assert!(assessment.depth <= 1, "{}", assessment.depth);
        task.clock.per_move = None;
        task.clock.game = Some(Duration::ZERO);
        let assessment = engine(60).think(&task, Instant::now()).assessment.unwrap();
        assert!(assessment.depth <= 1, "{}", assessment.depth);
    }
}
