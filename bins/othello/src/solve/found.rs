//! What was found out about one problem.

use std::fmt;

use othello_core::{Move, Problem, Score};
use othello_search::{Exactness, Report};
use serde::Serialize;

use crate::engine::variation;

/// A problem's answer beside what the problem tells of it.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    /// The problem's number, from 1.
    number: u32,
    empties: u32,
    /// The best score that the problem tells, in discs.
    expected: Option<i32>,
    /// The moves that have that score.
    expected_moves: Vec<String>,
    /// The score found, in discs; a fraction unless it is exact.
    pub(super) score: f32,
    /// The move found. Without looking ahead there is none.
    best: Option<String>,
    /// The plies searched.
    depth: u32,
    pub(super) exact: bool,
    /// Whether an exact answer is not the problem's.
    pub(super) wrong: bool,
    pub(super) nodes: u64,
    /// Seconds of wall-clock time.
    pub(super) seconds: f64,
    variation: String,
}

impl Found {
    pub(super) fn new(number: u32, problem: &Problem, report: &Report) -> Self {
        let best = chosen(problem, report);
        let exact = report.exactness == Exactness::Exact;
        let mut found = Self {
            number,
            empties: problem.board.empties().count(),
            expected: problem.best().map(Score::discs),
            expected_moves: best_moves(problem),
            score: report.score.discs(),
            best: best.map(|mv| mv.to_string()),
            depth: report.depth,
            exact,
            wrong: false,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            variation: variation(&report.pv),
        };
        let missed = found.error().is_some_and(|error| error != 0.0);
        found.wrong = exact && (missed || found.is_best() == Some(false));
        found
    }

    /// By how many discs the score is off, if the problem tells one.
    pub(super) fn error(&self) -> Option<f32> {
        self.expected
            .map(|expected| (self.score - expected as f32).abs())
    }

    /// Whether the move found is a best one, if there is a move and the problem tells which are.
    pub(super) fn is_best(&self) -> Option<bool> {
        let best = self.best.as_ref()?;
        let told = !self.expected_moves.is_empty();
        told.then(|| self.expected_moves.contains(best))
    }
}

/// The move of a report: a pass where there is nothing else.
fn chosen(problem: &Problem, report: &Report) -> Option<Move> {
    match report.best {
        Some(square) => Some(Move::Place(square)),
        None if problem.board.must_pass() => Some(Move::Pass),
        None => None,
    }
}

fn best_moves(problem: &Problem) -> Vec<String> {
    let best = problem.best();
    let moves = problem.moves.iter();
    let best = moves.filter(|&&(_, score)| Some(score) == best);
    best.map(|(mv, _)| mv.to_string()).collect()
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:3}  {:2} empties  ", self.number, self.empties)?;
        if let Some(expected) = self.expected {
            let moves = self.expected_moves.join("/");
            write!(f, "expected {expected:+3} {moves:<2}  ")?;
        }
        let score = if self.exact {
            format!("{:+3}", self.score)
        } else {
            format!("{:+6.2} at depth {}", self.score, self.depth)
        };
        let best = self.best.as_deref().unwrap_or("-");
        write!(
            f,
            "found {score} {best:<2}  {:8.3} s  {:11} nodes  {}{}",
            self.seconds,
            self.nodes,
            self.variation,
            if self.wrong { "  WRONG" } else { "" },
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use othello_core::Square;
    use othello_search::Evaluation;

    use super::*;

    fn found(score: i32, best: Square, exactness: Exactness) -> Found {
        let board = format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27));
        let problem: Problem = format!("{board}; F5:+2; C4:+2; D3:-8;").parse().unwrap();
        let report = Report {
            best: Some(best),
            score: Evaluation::from_units(score),
            depth: 60,
            exactness,
            pv: vec![best.into()],
            others: Vec::new(),
            nodes: 9,
            elapsed: Duration::from_millis(3),
        };
        Found::new(1, &problem, &report)
    }

    #[test]
    fn an_exact_answer_is_wrong_by_its_score_or_by_its_move() {
        let two = 2 * Evaluation::DISC;
        assert!(!found(two, Square::C4, Exactness::Exact).wrong);
        assert!(found(two, Square::D3, Exactness::Exact).wrong);
        assert!(found(two + 2 * Evaluation::DISC, Square::C4, Exactness::Exact).wrong);
        let guess = found(two / 2, Square::D3, Exactness::Midgame);
        assert!(!guess.wrong);
        assert_eq!((guess.error(), guess.is_best()), (Some(1.0), Some(false)));
    }

    #[test]
    fn a_line_tells_what_was_expected_and_what_was_found() {
        let exact = found(2 * Evaluation::DISC, Square::C4, Exactness::Exact).to_string();
        assert!(
            exact.contains("expected  +2 f5/c4  found  +2 c4"),
            "{exact}"
        );
        let guess = found(64, Square::D3, Exactness::Midgame).to_string();
        assert!(guess.contains("found  +0.50 at depth 60 d3"), "{guess}");
    }
}
