//! The best move of the start position after half a second of thought.
#![allow(clippy::print_stdout)] // It is a program.

use std::time::Duration;

use othello_core::Position;
use othello_search::{Limits, Options, Searcher, TimeBudget};

fn main() {
    let mut searcher = Searcher::new(Options::default());
    let limits = Limits::time(TimeBudget::fixed(Duration::from_millis(500)));
    let report = searcher.search(Position::START, &limits, &mut |iteration| {
        println!("depth {:2}  {}", iteration.depth, iteration.score);
    });
    let best = report.best.expect("the start has four moves");
    println!(
        "{best} is worth {} after {} positions",
        report.score, report.nodes
    );
}
