//! Solving boards and writing their proofs.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use boardgame_files::Replacement;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use othello_analysis::proof::{Progress, ProveError, prove};
use othello_core::Board;
use othello_search::{Goal, Limits, Searcher, StopHandle};

use super::{Args, Written};
use crate::interrupt::Interrupt;

/// The first bytes of a proof.
const KIND: &[u8] = b"othproof";

/// The number of positions of the prover between two reports of progress.
const REPORT_INTERVAL: u64 = 1024;

/// The time between two updates of the clock on the progress line.
const TICK: Duration = Duration::from_millis(200);

/// Writes the proofs that the options ask for, until a user stops it.
pub(super) struct Prover<'a> {
    args: &'a Args,
    searcher: Searcher,
    stop: StopHandle,
    interrupt: Interrupt,
    /// The number of problems.
    count: usize,
}

impl<'a> Prover<'a> {
    /// Returns a prover of up to `count` problems.
    pub(super) fn new(args: &'a Args, count: usize) -> anyhow::Result<Self> {
        let stop = StopHandle::new();
        Ok(Self {
            args,
            searcher: args.engine.settings().searcher()?,
            interrupt: Interrupt::watch(vec![stop.clone()]),
            stop,
            count,
        })
    }

    /// Writes the proof of a problem; the file appears once it is complete.
    ///
    /// # Errors
    ///
    /// Fails if the claim is false, the file cannot be written, or a user stops it.
    pub(super) fn prove(
        &mut self,
        number: u32,
        board: Board,
        path: &Path,
    ) -> anyhow::Result<Written> {
        // At the start, since a file of another kind should not cost the time of a proof. A pipe is opened once it has
        // a reader; until then a signal ends the process.
        let mut file = Replacement::begin(path, KIND)?;
        let _work = self.interrupt.work();
        let bar = progress();
        let name = format!("problem {number} of {}", self.count);
        self.searcher.clear();
        let began = Instant::now();
        let claim = self.args.claim.of(board, self.args.threshold, |goal| {
            self.solve(board, goal, &name, &bar)
        });
        let solved = Instant::now();
        let proof = claim.and_then(|claim| {
            let report = &mut |so_far: Progress| {
                if so_far.choices.is_multiple_of(REPORT_INTERVAL) {
                    let Progress { choices, bytes } = so_far;
                    bar.set_message(format!(
                        "{name}: {choices} positions of the prover, {bytes} bytes"
                    ));
                }
            };
            let proof = prove(&mut self.searcher, &claim, &self.stop, &mut file, report)?;
            Ok((claim, proof))
        });
        bar.finish_and_clear();
        let (claim, proof) = match proof {
            Err(ProveError::Stopped) => bail!("interrupted: {} is not written", path.display()),
            Err(error @ ProveError::Write(_)) => {
                Err(error).with_context(|| path.display().to_string())?
            }
            proof => proof.with_context(|| board.to_string())?,
        };
        file.finish()?;
        let times = [solved - began, solved.elapsed()];
        Ok(Written::new(number, &claim, &proof, times))
    }

    /// Returns the score of a board in discs, or one with the same outcome.
    fn solve(
        &mut self,
        board: Board,
        goal: Goal,
        name: &str,
        bar: &ProgressBar,
    ) -> Result<i32, ProveError> {
        let limits = Limits {
            goal,
            stop: Some(self.stop.clone()),
            ..Limits::default()
        };
        bar.set_message(format!("{name}: solving"));
        let report = self
            .searcher
            .search_observed(board.position(), &limits, &mut |report| {
                bar.set_message(format!("{name}: solving, depth {}", report.depth));
            });
        if self.stop.is_stopped() {
            return Err(ProveError::Stopped);
        }
        Ok(match goal {
            Goal::Score => report.score.to_score().discs(),
            Goal::WinDrawLoss => report.score.units().signum(),
        })
    }
}

/// Returns a line on standard error with the progress of a proof, hidden if that is no terminal.
fn progress() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    bar.enable_steady_tick(TICK);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
