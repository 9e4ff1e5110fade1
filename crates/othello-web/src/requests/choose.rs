//! A move of the engine.

use std::time::Duration;

use othello_analysis::Source;
use othello_core::{Game, Move};
use othello_engine::{Clock, Engine, Level, PlayLevel, Report, StopHandle, Strength};

use super::{BoardInfo, ChosenMove, Event, MoveRequest, RequestError, source::game};

/// The time for a move without any other bound.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The level of the search before a forced pass, whose only use is its score.
const PASS_LEVEL: Level = Level::new(4).unwrap();

/// The search for a move.
#[derive(Clone, Debug)]
pub struct MoveTask {
    game: Game,
    level: PlayLevel,
    clock: Clock,
}

impl MoveTask {
    pub(crate) fn new(request: &MoveRequest) -> Result<Self, RequestError> {
        let game = game(&request.board, &request.moves)?;
        if game.is_over() {
            return Err(RequestError::GameOver);
        }
        let mut level = request.level.unwrap_or(PlayLevel::Full);
        let of_game = request.clock;
        let mut clock = Clock {
            remaining: of_game.map(|clock| Duration::from_millis(clock.remaining_ms)),
            move_limit: request.time_ms.map(Duration::from_millis),
            increment: of_game.map_or(Duration::ZERO, |clock| {
                Duration::from_millis(clock.increment_ms)
            }),
            ..Clock::default()
        };
        if game.board().must_pass() {
            level = PlayLevel::Search(PASS_LEVEL);
        } else if level == PlayLevel::Full && clock == Clock::default() {
            clock.move_limit = Some(DEFAULT_TIME);
        }
        Ok(Self { game, level, clock })
    }

    /// Chooses the move.
    pub(crate) fn run(&self, engine: &mut Engine, stop: &StopHandle, emit: &mut dyn FnMut(&Event)) {
        // Requests come from several games.
        engine.forget_time_used();
        let strength = Strength::from(self.level);
        let request = othello_engine::MoveRequest {
            max_depth: strength.depth,
            person: strength.person,
            stop: Some(stop.clone()),
            ..othello_engine::MoveRequest::new(self.game.board(), self.clock)
        };
        let report = engine.answer(&request, &mut |_| {});
        emit(&Event::Move(self.chosen(&report)));
    }

    fn chosen(&self, report: &Report) -> ChosenMove {
        let mv = report.best.map_or(Move::Pass, Move::Place);
        let mut board = self.game.board();
        let played = board.play(mv);
        debug_assert!(played.is_ok(), "the search answers with a legal move");
        ChosenMove {
            mv,
            score: report.score.into(),
            source: Source::of_report(report),
            line: report.pv.clone(),
            from_book: report.from_book,
            depth: report.depth,
            nodes: report.nodes,
            elapsed_ms: report.elapsed.as_millis() as u64,
            board: BoardInfo::new(board, Some(mv)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::GameClock;

    #[test]
    fn only_a_request_without_any_bound_is_given_a_time() {
        let bounds = |request: MoveRequest| {
            let task = MoveTask::new(&request).unwrap();
            (task.level, task.clock.move_limit, task.clock.remaining)
        };
        let request = MoveRequest::default();
        let (full, level) = (PlayLevel::Full, PlayLevel::Search(PASS_LEVEL));
        assert_eq!(bounds(request.clone()), (full, Some(DEFAULT_TIME), None));
        let of_level = MoveRequest {
            level: Some(level),
            ..request.clone()
        };
        assert_eq!(bounds(of_level), (level, None, None));
        let clock = MoveRequest {
            clock: Some(GameClock {
                remaining_ms: 60_000,
                increment_ms: 0,
            }),
            ..request
        };
        assert_eq!(bounds(clock), (full, None, Some(Duration::from_mins(1))));
    }
}
