//! Finds the best move of a position and its score, with only `othello-core` and `othello-search`.
//!
//! `cargo run --release --example best_move` thinks for five seconds, or until Enter is pressed.
#![allow(clippy::print_stdout)] // It is a program.

use std::{io, thread, time::Duration};

use othello_core::Position;
use othello_search::{Limits, Options, Searcher, TimeBudget};

fn main() {
    let mut searcher = Searcher::new(Options::default());
    stop_at_enter(&searcher);
    let limits = Limits::time(TimeBudget::fixed(Duration::from_secs(5)));
    let report = searcher.search(Position::START, &limits);
    println!("{} {}", report.best.expect("a move"), report.score);
}

/// Stops the search from another thread; the best move found so far is kept.
fn stop_at_enter(searcher: &Searcher) {
    let handle = searcher.stop_handle();
    thread::spawn(move || {
        if matches!(io::stdin().read_line(&mut String::new()), Ok(1..)) {
            handle.stop();
        }
    });
}
