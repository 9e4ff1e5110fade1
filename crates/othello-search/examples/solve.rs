//! Solves the problems of an OBF file exactly and prints the time of each.
//!
//! `cargo run --release -p othello-search --example solve -- FILE.obf [FIRST-LAST] [HASH-MIB] [THREADS]`
//!
//! Problems are counted from 1. A solution counts as right if its score is the problem's best and is also the score
//! listed for its move.
#![allow(clippy::print_stdout)] // It is a program.

use std::{error::Error, num::NonZeroUsize, ops::RangeInclusive, time::Duration};

use othello_core::Problem;
use othello_search::{Limits, Options, Searcher};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected an OBF file")?;
    let problems = Problem::read_all(&std::fs::read_to_string(&file)?)
        .map_err(|error| format!("{file}, {error}"))?;
    let range = match arguments.next() {
        Some(range) => numbers(&range, problems.len())?,
        None => 1..=problems.len(),
    };
    let hash_mib = arguments.next().map_or(Ok(48), |mib| mib.parse())?;
    let threads = arguments
        .next()
        .map_or(Ok(NonZeroUsize::MIN), |threads| threads.parse())?;
    let mut searcher = Searcher::new(Options {
        hash_mib,
        threads,
        ..Options::default()
    });
    let (mut nodes, mut elapsed) = (0, Duration::ZERO);
    for number in range {
        let problem = &problems[number - 1];
        let listed = problem.best().ok_or("expected moves with scores")?;
        let position = problem.board.position();
        let empties = position.empties().count();
        searcher.clear();
        let report = searcher.search(position, &Limits::depth(empties));
        let best = report.best.ok_or("expected a position with a move")?;
        let score = report.score.to_score();
        let right = score == listed && problem.score_of(best.into()) == Some(listed);
        println!(
            "{empties} empties  {:7} {}  {:>12} nodes  {:8.3} s",
            format!("{best:#}:{score}"),
            if right { "right" } else { "WRONG" },
            report.nodes,
            report.elapsed.as_secs_f64(),
        );
        nodes += report.nodes;
        elapsed += report.elapsed;
    }
    let rate = nodes as f64 / elapsed.as_secs_f64() / 1e6;
    println!(
        "{nodes} nodes, {:.3} s, {rate:.1} Mn/s",
        elapsed.as_secs_f64()
    );
    Ok(())
}

/// Parses FIRST-LAST.
fn numbers(range: &str, problems: usize) -> Result<RangeInclusive<usize>, String> {
    let bounds = range.split_once('-');
    let bounds = bounds.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    match bounds {
        Some((first, last)) if 1 <= first && first <= last && last <= problems => Ok(first..=last),
        _ => Err(format!(
            "expected FIRST-LAST from 1 to {problems}, but found {range:?}"
        )),
    }
}
