//! Measures the latency between a stop request, by a handle or a deadline, and the end of a search.
//!
//! `cargo run --release -p othello-search --example stop_latency -- [SEARCHES] [THREADS] [SECONDS]`
//!
//! Each search is stopped at a random moment within the first part of a second (or SECONDS). The latency counts from
//! the request or the deadline to the return of the search.
#![allow(clippy::print_stdout)] // It is a program.

use std::{
    error::Error,
    num::NonZeroUsize,
    thread,
    time::{Duration, Instant},
};

use othello_core::{Board, Position, Problem, Square};
use othello_search::{Limits, Options, Searcher, StopHandle, TimeBudget};

const EASY: &str = include_str!("../tests/data/fforum-1-19.obf");
const HARD: &str = include_str!("../tests/data/fforum-40-59.obf");

/// A kind of search, and the measured latencies.
struct Case {
    name: &'static str,
    positions: Vec<Position>,
    /// True to solve the position after short iterations.
    solve: bool,
    /// True to stop by a deadline instead of a handle.
    deadline: bool,
    latencies: Vec<Duration>,
}

impl Case {
    fn new(name: &'static str, positions: &[Position], solve: bool, deadline: bool) -> Self {
        Self {
            name,
            positions: positions.to_vec(),
            solve,
            deadline,
            latencies: Vec::new(),
        }
    }

    /// Searches the position of this turn for `time`, unless the search ends earlier.
    fn measure(&mut self, searcher: &mut Searcher, turn: usize, time: Duration) {
        let position = self.positions[turn % self.positions.len()];
        searcher.clear();
        let stop = StopHandle::new();
        let start = Instant::now();
        let limits = Limits {
            depth: self.solve.then(|| position.empties().count()),
            time: self.deadline.then_some(TimeBudget::fixed(time)),
            start: Some(start),
            stop: Some(stop.clone()),
            ..Limits::default()
        };
        let (requested, returned) = thread::scope(|scope| {
            let request = scope.spawn(|| {
                if self.deadline {
                    return start + time;
                }
                thread::sleep(time.saturating_sub(start.elapsed()));
                let now = Instant::now();
                stop.stop();
                now
            });
            searcher.search(position, &limits);
            let returned = Instant::now();
            (request.join().expect("it only sleeps"), returned)
        });
        if returned >= requested {
            self.latencies.push(returned - requested);
        }
    }

    fn tell(&mut self) {
        self.latencies.sort_unstable();
        let share = |part: f64| {
            let last = self.latencies.len().saturating_sub(1);
            let at = (part * self.latencies.len() as f64) as usize;
            let time = self.latencies.get(at.min(last)).copied();
            time.unwrap_or_default().as_secs_f64() * 1e3
        };
        println!(
            "{:24} {:5} searches  median {:6.3} ms  90 % {:6.3}  99 % {:6.3}  most {:6.3}",
            self.name,
            self.latencies.len(),
            share(0.5),
            share(0.9),
            share(0.99),
            share(1.0),
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let searches: usize = arguments.next().map_or(Ok(400), |text| text.parse())?;
    let threads: NonZeroUsize = arguments
        .next()
        .map_or(Ok(NonZeroUsize::MIN), |text| text.parse())?;
    let seconds: f64 = arguments.next().map_or(Ok(0.2), |text| text.parse())?;
    let mut searcher = Searcher::new(Options {
        threads,
        ..Options::default()
    });
    let (early, late, hard) = (opening()?, positions(EASY), positions(HARD));
    let mut cases = [
        Case::new("midgame, handle", &early, false, false),
        Case::new("midgame, deadline", &early, false, true),
        Case::new("hard endgame, handle", &hard, true, false),
        Case::new("hard endgame, deadline", &hard, true, true),
        Case::new("late endgame, handle", &late, true, false),
        Case::new("late endgame, deadline", &late, true, true),
    ];
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for turn in 0..searches {
        for case in &mut cases {
            // Marsaglia's xorshift.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let part = (random >> 11) as f64 / (1_u64 << 53) as f64;
            // The late positions are solved within milliseconds.
            let scale = if case.name.starts_with("late") {
                0.05
            } else {
                1.0
            };
            let time = Duration::from_secs_f64(seconds * scale * part);
            case.measure(&mut searcher, turn, time);
        }
    }
    let mut all = Case::new("all", &[], false, false);
    for case in &mut cases {
        case.tell();
        all.latencies.append(&mut case.latencies);
    }
    all.tell();
    Ok(())
}

/// The positions along an opening.
fn opening() -> Result<Vec<Position>, Box<dyn Error>> {
    let mut board = Board::START;
    let mut positions = vec![board.position()];
    for square in [
        "f5", "d6", "c3", "d3", "c4", "f4", "f6", "f3", "e6", "e7", "d7", "c7",
    ] {
        board.play(square.parse::<Square>()?)?;
        positions.push(board.position());
    }
    Ok(positions)
}

/// The positions of a suite.
fn positions(suite: &str) -> Vec<Position> {
    let problems = Problem::read_all(suite).expect("the suites are problems");
    let positions = problems.iter().map(|problem| problem.board.position());
    positions.collect()
}
