//! Measures simulations per second from the empty board: `cargo run --release -p go-search --example speed -- 19 5000`.
//! The search ends before 5,000 simulations once no other move can overtake the most visited one.

use std::env;

use go_core::{Position, Setup};
use go_search::{Limits, Options, Searcher};

fn main() {
    let numbers: Vec<u32> = env::args()
        .skip(1)
        .filter_map(|it| it.parse().ok())
        .collect();
    let (lines, playouts) = match *numbers {
        [lines, playouts] => (lines, playouts),
        _ => (19, 5000),
    };
    let setup: Setup = format!("{lines}x{lines} komi 7.5")
        .parse()
        .expect("1 to 25 lines");
    let mut searcher = Searcher::new(Options::default());
    let report = searcher.search(&Position::new(&setup), &Limits::playouts(playouts));
    let speed = f64::from(report.playouts) / report.elapsed.as_secs_f64();
    let top: Vec<_> = report
        .candidates
        .iter()
        .take(5)
        .map(|it| (it.mv, it.visits))
        .collect();
    #[allow(clippy::print_stdout)]
    {
        println!(
            "{} simulations, {speed:.0}/s, {} nodes, {:.3}, {top:?}",
            report.playouts, report.nodes, report.win_rate
        );
    }
}
