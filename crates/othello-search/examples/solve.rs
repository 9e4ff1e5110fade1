//! Solves the problems of an OBF file exactly and says how long each took.
//!
//! `cargo run --release -p othello-search --example solve -- FILE.obf [FIRST-LAST] [HASH-MIB] [THREADS]`
#![allow(clippy::print_stdout)] // It is a program.

use std::{error::Error, num::NonZeroUsize, time::Duration};

use othello_core::Board;
use othello_search::{Limits, Options, Searcher};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().ok_or("expected an OBF file")?)?;
    let range = arguments.next().unwrap_or_else(|| "1-9999".to_owned());
    let (first, last) = range.split_once('-').ok_or("expected FIRST-LAST")?;
    let (first, last): (usize, usize) = (first.parse()?, last.parse()?);
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
    for line in text.lines().skip(first - 1).take(last + 1 - first) {
        let (board, answers) = line.split_once(';').ok_or("expected BOARD; MOVE:SCORE")?;
        let position = board.parse::<Board>()?.position();
        let empties = position.empties().count();
        searcher.clear();
        let report = searcher.search(position, &Limits::depth(empties), &mut |_| {});
        let best = report.best.ok_or("expected a position with a move")?;
        let answer = format!("{best:#}:{}", report.score.to_score());
        let right = answers.contains(&answer);
        println!(
            "{empties} empties  {answer:7} {}  {:>12} nodes  {:8.3} s",
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
