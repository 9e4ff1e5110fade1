//! Answers to problems.

use std::fmt;

use othello_analysis::line_in_words;
use othello_core::{Move, Problem, Score};
use othello_search::{Exactness, Report};
use serde::{Deserialize, Serialize};

/// The answer to a problem.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Answer {
    Score {
        /// In discs; fractional unless exact.
        score: f32,
        exact: bool,
    },
    /// Only the winner.
    Outcome { outcome: WinDrawLoss },
}

impl Answer {
    fn of(report: &Report) -> Self {
        match report.exactness {
            Exactness::WinDrawLoss => Self::Outcome {
                outcome: WinDrawLoss::of(report.score.units()),
            },
            exactness => Self::Score {
                score: report.score.discs(),
                exact: exactness == Exactness::Exact,
            },
        }
    }
}

/// The outcome for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WinDrawLoss {
    Win,
    Draw,
    Loss,
}

impl WinDrawLoss {
    /// Returns the outcome of a score, in any unit.
    fn of(score: i32) -> Self {
        match score.signum() {
            1 => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }
}

impl fmt::Display for WinDrawLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        })
    }
}

/// A problem's answer, together with the expected one.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Found {
    /// The problem's number, from 1.
    number: u32,
    empties: u32,
    /// The best score stated by the problem, in discs.
    expected: Option<i32>,
    /// The moves that have that score.
    expected_moves: Vec<String>,
    #[serde(flatten)]
    answer: Answer,
    /// The move found; none without a search.
    best: Option<String>,
    /// The plies searched.
    depth: u32,
    /// True if a proven answer contradicts the problem.
    pub(super) wrong: bool,
    pub(super) nodes: u64,
    /// The number of positions generated but not searched, if printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generated: Option<u64>,
    /// Seconds of wall-clock time, if printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
    variation: String,
}

impl Found {
    pub(super) fn new(number: u32, problem: &Problem, report: &Report, stats: bool) -> Self {
        let best = chosen(problem, report);
        let mut found = Self {
            number,
            empties: problem.board.empties().count(),
            expected: problem.best().map(Score::discs),
            expected_moves: best_moves(problem),
            answer: Answer::of(report),
            best: best.map(|mv| mv.to_string()),
            depth: report.depth,
            wrong: false,
            nodes: report.nodes,
            generated: stats.then_some(report.generated),
            seconds: Some(report.elapsed.as_secs_f64()),
            variation: line_in_words(&report.pv),
        };
        found.wrong = match found.answer {
            Answer::Outcome { outcome } => !keeps(problem, best, outcome),
            Answer::Score { exact, .. } => exact && found.misses(),
        };
        found
    }

    /// Returns the answer without its time, which varies.
    pub(super) fn without_time(self) -> Self {
        Self {
            seconds: None,
            ..self
        }
    }

    /// Returns whether the score or the move is not the best one stated by the problem.
    fn misses(&self) -> bool {
        self.error().is_some_and(|error| error != 0.0) || self.is_best() == Some(false)
    }

    /// Returns whether the answer is only an estimate.
    pub(super) fn is_estimate(&self) -> bool {
        matches!(self.answer, Answer::Score { exact: false, .. })
    }

    /// Returns the error of the score in discs, if there is one and the problem states one.
    pub(super) fn error(&self) -> Option<f32> {
        match self.answer {
            Answer::Score { score, .. } => self
                .expected
                .map(|expected| (score - expected as f32).abs()),
            Answer::Outcome { .. } => None,
        }
    }

    /// Returns whether the move found is a best one, if there is a move, the best was searched for, and the problem
    /// states the best ones.
    pub(super) fn is_best(&self) -> Option<bool> {
        let best = self.best.as_ref()?;
        let is_known =
            !self.expected_moves.is_empty() && matches!(self.answer, Answer::Score { .. });
        is_known.then(|| self.expected_moves.contains(best))
    }
}

/// Returns the move of a report: a pass if there is no other.
fn chosen(problem: &Problem, report: &Report) -> Option<Move> {
    match report.best {
        Some(square) => Some(Move::Place(square)),
        None if problem.board.must_pass() => Some(Move::Pass),
        None => None,
    }
}

/// Returns whether `outcome` is the problem's and the move found leads to it, as far as the problem states them.
fn keeps(problem: &Problem, best: Option<Move>, outcome: WinDrawLoss) -> bool {
    let expected = problem.moves.iter().find(|&&(mv, _)| Some(mv) == best);
    let expected = expected.map(|&(_, score)| score);
    [problem.best(), expected]
        .into_iter()
        .flatten()
        .all(|score| WinDrawLoss::of(score.discs()) == outcome)
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
        let score = match self.answer {
            Answer::Outcome { outcome } => format!("{outcome:<4}"),
            Answer::Score { score, exact: true } => format!("{score:+3}"),
            Answer::Score { score, .. } => format!("{score:+6.2} at depth {}", self.depth),
        };
        let best = self.best.as_deref().unwrap_or("-");
        write!(f, "found {score} {best:<2}  ")?;
        if let Some(seconds) = self.seconds {
            write!(f, "{seconds:8.3} s  ")?;
        }
        write!(f, "{:11} nodes  ", self.nodes)?;
        if let Some(generated) = self.generated {
            write!(f, "{generated:11} besides  ")?;
        }
        let remark = if self.wrong { "  WRONG" } else { "" };
        write!(f, "{}{remark}", self.variation)
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Square;
    use othello_search::Evaluation;

    use super::*;

    fn found(score: i32, best: Square, exactness: Exactness) -> Found {
        let board = format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27));
        let problem: Problem = format!("{board}; F5:+2; C4:+2; D3:-8;").parse().unwrap();
        let mut report = Report::evaluated(Evaluation::from_units(score));
        report.best = Some(best);
        report.depth = 60;
        report.exactness = exactness;
        report.pv = vec![best.into()];
        Found::new(1, &problem, &report, false)
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
    fn an_outcome_is_wrong_by_its_sign_or_by_that_of_its_move() {
        let found = |discs: i32, best| {
            let score = discs * Evaluation::DISC;
            found(score, best, Exactness::WinDrawLoss)
        };
        let win = found(30, Square::C4);
        assert!(!win.wrong && !win.is_estimate());
        assert_eq!((win.error(), win.is_best()), (None, None));
        assert!(found(0, Square::C4).wrong);
        assert!(found(-2, Square::C4).wrong);
        assert!(found(2, Square::D3).wrong);
        let line = win.to_string();
        assert!(line.contains("found win  c4"), "{line}");
        let json = serde_json::to_value(&win).unwrap();
        assert_eq!(json["outcome"], "win");
        assert!(json.get("score").is_none());
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
