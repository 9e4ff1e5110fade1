//! `othello solve`: exact scores of endgame problems.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use othello_core::{Move, Problem};
use othello_search::{Limits, Report, Searcher};

use crate::engine::{EngineOptions, variation};

/// Solves endgame problems exactly, and checks the scores that come with them.
///
/// Scores are disc differences from the side to move, empties to the winner.
#[derive(clap::Args)]
#[command(after_help = "Example: othello solve fforum-40-59.obf --first 10")]
pub(crate) struct Args {
    /// A file of OBF problems, one a line; - is standard input
    #[arg(value_name = "FILE")]
    problems: PathBuf,
    /// Solve only so many, from the first
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    #[command(flatten)]
    engine: EngineOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let problems = read(&args.problems)?;
    let mut searcher = args.engine.searcher();
    let mut out = io::stdout().lock();
    let (mut nodes, mut elapsed, mut wrong) = (0, Duration::ZERO, 0);
    for (index, problem) in problems
        .iter()
        .take(args.first.unwrap_or(usize::MAX))
        .enumerate()
    {
        let report = solve(&mut searcher, problem);
        let agrees = agrees(problem, &report);
        wrong += u32::from(!agrees);
        nodes += report.nodes;
        elapsed += report.elapsed;
        writeln!(
            out,
            "{:3}  {:2} empties  {:>+3}  {:8.3} s  {:11} nodes  {}{}",
            index + 1,
            problem.board.empties().count(),
            report.score.to_score().discs(),
            report.elapsed.as_secs_f64(),
            report.nodes,
            variation(&report.pv),
            if agrees { "" } else { "  WRONG" },
        )?;
    }
    let seconds = elapsed.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(
        out,
        "{nodes} nodes in {seconds:.3} s, {speed:.1} M nodes/s, {wrong} wrong"
    )?;
    Ok(if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn read(path: &Path) -> anyhow::Result<Vec<Problem>> {
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin()
            .read_to_string(&mut text)
            .context("standard input")?;
    } else {
        text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    }
    Problem::read_all(&text)
        .map_err(|(line, error)| anyhow::anyhow!("{}, line {line}: {error}", path.display()))
}

fn solve(searcher: &mut Searcher, problem: &Problem) -> Report {
    searcher.clear();
    let limits = Limits::depth(problem.board.empties().count());
    searcher.search(problem.board.position(), &limits, &mut |_| {})
}

/// Whether the score and the move agree with those that the problem tells, if it tells any.
fn agrees(problem: &Problem, report: &Report) -> bool {
    let Some(best) = problem.best() else {
        return true;
    };
    let chosen = report.best.map_or(Move::Pass, Move::Place);
    report.score.to_score() == best && problem.score_of(chosen).is_none_or(|score| score == best)
}
