//! The claims to prove about a board.

use std::ops::RangeInclusive;

use othello_analysis::proof::Claim;
use othello_core::{Board, Score};
use othello_search::Goal;
use serde::Serialize;

/// What to prove; by default, the exact score.
#[derive(Clone, Copy, Debug, Serialize, clap::Args)]
#[group(multiple = false)]
pub(crate) struct ClaimOptions {
    /// Prove that this is the score, without solving first
    #[arg(long, value_name = "DISCS", value_parser = discs(-64..=64), allow_negative_numbers = true)]
    score: Option<i32>,
    /// Prove only that the score is at least this
    #[arg(long, value_name = "DISCS", value_parser = discs(-63..=64), allow_negative_numbers = true)]
    at_least: Option<i32>,
    /// Prove only that the score is at most this
    #[arg(long, value_name = "DISCS", value_parser = discs(-64..=63), allow_negative_numbers = true)]
    at_most: Option<i32>,
    /// Prove only win, draw or loss
    #[arg(long)]
    wld: bool,
}

fn discs(range: RangeInclusive<i64>) -> clap::builder::RangedI64ValueParser<i32> {
    clap::value_parser!(i32).range(range)
}

impl ClaimOptions {
    /// Returns the claim about a board. If necessary, `solve` solves it: it returns the score in discs, or one with the
    /// same outcome.
    ///
    /// # Errors
    ///
    /// Fails if the board has to be solved and is not.
    pub(super) fn of<E>(
        &self,
        board: Board,
        threshold: u32,
        solve: impl FnOnce(Goal) -> Result<i32, E>,
    ) -> Result<Claim, E> {
        let (lower, upper) = if let Some(score) = self.score {
            (score, score)
        } else if let Some(lower) = self.at_least {
            (lower, 64)
        } else if let Some(upper) = self.at_most {
            (-64, upper)
        } else if self.wld {
            match solve(Goal::WinDrawLoss)?.signum() {
                1 => (1, 64),
                0 => (0, 0),
                _ => (-64, -1),
            }
        } else {
            let score = solve(Goal::Score)?;
            (score, score)
        };
        Ok(Claim {
            board,
            lower: score(lower),
            upper: score(upper),
            threshold,
        })
    }
}

fn score(discs: i32) -> Score {
    Score::new(discs).expect("the options and scores are from -64 to 64")
}
