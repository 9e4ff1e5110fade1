//! The engine's search as an evaluator.

use othello_core::{Bitboard, Move, Position, Square};
use othello_search::{
    Evaluation, Exactness, Limits, Report, Searcher, StopHandle,
    selectivity::{LEVELS, MIN_DEPTH},
};

use crate::{
    Bound, Detail, Discs, Effort, Evaluator, MoveValue, Request, Settings, Source, Stored,
    images::{add_images, distinct_moves},
};

/// The engine's search, as an analysis uses it.
pub struct Search<'a> {
    searcher: &'a mut Searcher,
    stop: StopHandle,
}

impl<'a> Search<'a> {
    /// Creates an evaluator that nothing stops.
    pub fn new(searcher: &'a mut Searcher) -> Self {
        Self::with_stop(searcher, StopHandle::new())
    }

    /// Creates an evaluator that a handle stops.
    pub fn with_stop(searcher: &'a mut Searcher, stop: StopHandle) -> Self {
        Self { searcher, stop }
    }

    /// Searches some moves of a position; returns `None` if the search was stopped.
    fn search(&mut self, request: &Request, limits: &Limits) -> Option<Report> {
        let limits = Limits {
            moves: Some(request.moves),
            stop: Some(self.stop.clone()),
            ..limits.clone()
        };
        let report = self.searcher.search(request.position, &limits);
        (!self.stop.is_stopped()).then_some(report)
    }
}

impl Evaluator for Search<'_> {
    fn evaluate(&mut self, request: &Request) -> Option<Vec<MoveValue>> {
        let limits = match request.effort {
            Effort::Depth(depth) => Limits::depth(depth),
            Effort::Exact => Limits::depth(request.position.empties().count()),
        };
        match request.detail {
            Detail::EachMove => {
                let limits = Limits {
                    multi_pv: request.moves.count() as usize,
                    ..limits
                };
                Some(each_move(&self.search(request, &limits)?))
            }
            Detail::BestAbove(score) => {
                let limits = Limits {
                    above: Some(Evaluation::from(score)),
                    ..limits
                };
                let report = self.search(request, &limits)?;
                Some(best_above(&report, score, request.moves))
            }
        }
    }
}

impl Effort {
    /// Returns the thoroughness of a search.
    pub fn of_report(report: &Report) -> Self {
        match report.exactness {
            Exactness::Exact => Self::Exact,
            _ => Self::Depth(report.depth),
        }
    }
}

impl Stored {
    /// Returns the result of a search of a position, or `None` if it lacks values for some moves or ended at the wrong
    /// parity: its estimates are not comparable with those of analyses.
    ///
    /// Images of searched moves need not have been searched.
    pub fn of_report(report: &Report, position: Position) -> Option<Self> {
        let effort = Effort::of_report(report);
        let of_same_depth = Settings {
            depth: report.depth,
            exact_from: 0,
        };
        let is_comparable =
            report.exactness != Exactness::Midgame || of_same_depth.effort(position) == effort;
        let moves = values(report, position)?;
        let is_complete = moves.len() == position.legal_moves().count() as usize;
        (is_comparable && is_complete).then_some(Self { effort, moves })
    }
}

/// Returns the values of a position's moves from the report of a multi-line search, best first. `None` while they are
/// not all of one iteration: a search to the end of the game first proves bounds on the best move.
///
/// Images of searched moves need not have been searched.
pub fn values(report: &Report, position: Position) -> Option<Vec<MoveValue>> {
    let has_bounds = report.bounds != (Evaluation::MIN, Evaluation::MAX);
    if has_bounds && report.exactness != Exactness::Exact {
        return None;
    }
    let mut moves = each_move(report);
    // Images that were searched may have other values.
    let distinct = distinct_moves(position);
    let is_distinct = |square| distinct.contains(square);
    moves.retain(|value| value.mv.square().is_none_or(is_distinct));
    add_images(position, &mut moves);
    MoveValue::sort(&mut moves);
    Some(moves)
}

/// Returns the value of each move in a report.
fn each_move(report: &Report) -> Vec<MoveValue> {
    let source = Source::of_report(report);
    let best = (report.score, &report.pv);
    let others = report.others.iter().map(|line| (line.score, &line.pv));
    let value = |(score, line): (Evaluation, &Vec<Move>)| {
        Some(MoveValue {
            mv: *line.first()?,
            score: score.into(),
            bound: Bound::Exact,
            source,
            line: line.clone(),
        })
    };
    [best].into_iter().chain(others).filter_map(value).collect()
}

/// Returns the value of the best move if it is above a score, and the resulting bound on the other moves.
fn best_above(report: &Report, score: Discs, moves: Bitboard) -> Vec<MoveValue> {
    let source = Source::of_report(report);
    let found = Discs::from(report.score);
    let best = report.best.filter(|_| found > score);
    let bound = found.max(score);
    let value = |square: Square| {
        let is_best = Some(square) == best;
        MoveValue {
            mv: square.into(),
            score: bound,
            bound: if is_best { Bound::Exact } else { Bound::AtMost },
            source,
            line: if is_best {
                report.pv.clone()
            } else {
                vec![square.into()]
            },
        }
    };
    moves.into_iter().map(value).collect()
}

impl Source {
    /// Returns the evidence for the scores of a report.
    pub fn of_report(report: &Report) -> Self {
        let depth = report.depth;
        match report.exactness {
            Exactness::Exact => Self::Exact,
            Exactness::Probable { percent } => Self::Depth {
                depth,
                confidence: percent,
            },
            _ if depth < MIN_DEPTH => Self::Depth {
                depth,
                confidence: 100,
            },
            _ => Self::Depth {
                depth,
                confidence: LEVELS[0].1,
            },
        }
    }
}
