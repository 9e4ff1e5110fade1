//! A move of the engine.

use std::time::Duration;

use othello_analysis::Source;
use othello_core::{Game, Move};
use othello_search::{Clock, Level, Limits, Report, Searcher, StopHandle, TimeBudget, allocate};

use crate::{
    BoardInfo, ChosenMove, Event, MoveRequest, RequestError,
    source::{game, in_range},
};

/// The time for a move that nothing else bounds.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The depth of the search before a forced pass, whose only use is its score.
const PASS_DEPTH: u32 = 4;

/// The share of a game clock that is kept back for what happens outside the search.
const RESERVE: u32 = 16;

/// The search for a move.
#[derive(Clone, Debug)]
pub struct MoveTask {
    game: Game,
    level: Option<Level>,
    time: Option<Duration>,
    clock: Option<Clock>,
}

impl MoveTask {
    pub(crate) fn new(request: &MoveRequest) -> Result<Self, RequestError> {
        let game = game(&request.board, &request.moves)?;
        if game.is_over() {
            return Err(RequestError::GameOver);
        }
        let level = in_range("level", request.level, 1, Level::MAX.number().into())?;
        let clock = request.clock.map(|clock| {
            let remaining = Duration::from_millis(clock.remaining_ms);
            Clock {
                remaining: Some(remaining),
                increment: Duration::from_millis(clock.increment_ms),
                reserve: remaining / RESERVE,
                ..Clock::default()
            }
        });
        Ok(Self {
            game,
            level: level.and_then(Level::new),
            time: request.time_ms.map(Duration::from_millis),
            clock,
        })
    }

    /// Chooses the move.
    pub(crate) fn run(
        &self,
        searcher: &mut Searcher,
        stop: &StopHandle,
        emit: &mut dyn FnMut(&Event),
    ) {
        let limits = Limits {
            stop: Some(stop.clone()),
            ..self.limits()
        };
        let position = self.game.board().position();
        let report = searcher.search(position, &limits);
        emit(&Event::Move(self.chosen(&report)));
    }

    fn limits(&self) -> Limits {
        if self.game.board().must_pass() {
            return Limits::depth(PASS_DEPTH);
        }
        let strength = self.level.map_or_else(Limits::default, Limits::level);
        Limits {
            time: self.budget(),
            ..strength
        }
    }

    /// The time for the move, `None` if the level alone bounds it.
    fn budget(&self) -> Option<TimeBudget> {
        let empties = self.game.board().empties().count();
        let of_clock = self.clock.map(|clock| allocate(&clock, empties));
        let of_move = self.time.map(TimeBudget::fixed);
        let tightest = of_clock.into_iter().chain(of_move).reduce(TimeBudget::min);
        let default = || TimeBudget::fixed(DEFAULT_TIME);
        tightest.or_else(|| self.level.is_none().then(default))
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
    use crate::GameClock;

    fn budget(request: &MoveRequest) -> Option<TimeBudget> {
        MoveTask::new(request).unwrap().budget()
    }

    #[test]
    fn the_tightest_bound_counts_and_without_one_there_is_a_default() {
        let request = MoveRequest::default();
        assert_eq!(budget(&request), Some(TimeBudget::fixed(DEFAULT_TIME)));
        let level = MoveRequest {
            level: Some(3),
            ..request.clone()
        };
        assert_eq!(budget(&level), None);
        let clock = GameClock {
            remaining_ms: 60_000,
            increment_ms: 0,
        };
        let both = MoveRequest {
            time_ms: Some(50),
            clock: Some(clock),
            ..request.clone()
        };
        assert_eq!(budget(&both).unwrap().hard, Duration::from_millis(50));
        let clock = MoveRequest {
            clock: Some(clock),
            ..request
        };
        assert!(budget(&clock).unwrap().hard < Duration::from_secs(15));
    }
}
