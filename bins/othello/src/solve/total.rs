//! Totals of all problems.

use std::{fmt, process::ExitCode};

use serde::Serialize;

use super::found::Found;

/// The sums over the problems so far.
#[derive(Debug, Default, Serialize)]
pub(super) struct Total {
    problems: u32,
    nodes: u64,
    /// The number of positions generated but not searched, if printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    generated: Option<u64>,
    /// Seconds of wall-clock time, if all answers have theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Proven answers that contradict their problem.
    pub(super) wrong: u32,
    /// Answers that are only estimates.
    estimated: u32,
    /// Problems that state the best moves, where a move was found.
    with_best_moves: u32,
    /// Those whose move is a best one.
    best_moves: u32,
    /// Problems that state their score.
    with_scores: u32,
    /// The mean error of the score over these, in discs.
    mean_absolute_error: f32,
}

impl Total {
    pub(super) fn add(&mut self, found: &Found) {
        self.problems += 1;
        self.nodes += found.nodes;
        if let Some(generated) = found.generated {
            *self.generated.get_or_insert(0) += generated;
        }
        if let Some(seconds) = found.seconds {
            *self.seconds.get_or_insert(0.0) += seconds;
        }
        self.wrong += u32::from(found.wrong);
        self.estimated += u32::from(found.is_estimate());
        if let Some(best) = found.is_best() {
            self.with_best_moves += 1;
            self.best_moves += u32::from(best);
        }
        if let Some(error) = found.error() {
            self.with_scores += 1;
            self.mean_absolute_error +=
                (error - self.mean_absolute_error) / self.with_scores as f32;
        }
    }
}

impl Total {
    /// Returns the exit code: success if no answer is wrong.
    pub(super) fn exit_code(&self) -> ExitCode {
        match self.wrong {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        }
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes", self.nodes)?;
        if let Some(generated) = self.generated {
            write!(f, " and {generated} besides")?;
        }
        if let Some(seconds) = self.seconds {
            let speed = self.nodes as f64 / seconds.max(1e-9) / 1e6;
            write!(f, " in {seconds:.3} s, {speed:.1} M nodes/s")?;
        }
        write!(f, ", {} wrong", self.wrong)?;
        if self.estimated == 0 {
            return Ok(());
        }
        if self.with_best_moves > 0 {
            let share = 100.0 * f64::from(self.best_moves) / f64::from(self.with_best_moves);
            write!(
                f,
                ", {} of {} best moves ({share:.1} %)",
                self.best_moves, self.with_best_moves
            )?;
        }
        if self.with_scores > 0 {
            write!(
                f,
                ", mean absolute error {:.2} discs",
                self.mean_absolute_error
            )?;
        }
        Ok(())
    }
}
