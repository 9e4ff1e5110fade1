//! Analyzes games of a WTHOR file: prints the time of each, the contradictions between values, and the positions of
//! the last 20 plies whose value is not that of a solver that knows nothing of the analysis.
//!
//! `cargo run --release -p othello-analysis --example games -- FILE [FIRST [COUNT [DEPTH [EXACT_FROM [THREADS]]]]]`

#![allow(clippy::print_stdout)]

use std::{
    env,
    error::Error,
    fs::File,
    io::BufReader,
    num::NonZeroUsize,
    time::{Duration, Instant},
};

use othello_analysis::{Analysis, Discs, Search, Settings, contradictions};
use othello_records::Format;
use othello_search::{Limits, Options, Searcher};

/// The number of plies before the end of a game that are solved anew.
const SOLVED_PLIES: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().ok_or("expected a WTHOR file")?;
    let mut number = |default: usize| {
        let text = arguments.next();
        text.map_or(Ok(default), |text| text.parse::<usize>())
    };
    let (first, count) = (number(1)?, number(20)?);
    let defaults = Settings::default();
    let settings = Settings {
        depth: number(defaults.depth as usize)? as u32,
        exact_from: number(defaults.exact_from as usize)? as u32,
    };
    let threads = NonZeroUsize::new(number(1)?).ok_or("expected at least one thread")?;
    let mut searcher = Searcher::new(Options {
        hash_mib: 64,
        threads,
        ..Options::default()
    });
    let mut solver = Searcher::new(Options::default());
    let (mut times, mut broken, mut wrong, mut solved) = (Vec::new(), 0, 0, 0);
    let records = Format::Wthor.read(BufReader::new(File::open(path)?));
    for (record, number) in records.zip(1..).skip(first - 1).take(count) {
        searcher.clear();
        let mut analysis = Analysis::new(&record?.game);
        let begun = Instant::now();
        analysis.deepen(
            &settings,
            &mut Search::new(&mut searcher),
            None,
            &mut |_| {},
        );
        times.push(begun.elapsed());
        let found = contradictions(&analysis);
        let checked = solve_again(&mut solver, &analysis);
        let unequal = checked.iter().filter(|equal| !**equal).count();
        println!(
            "{number}: {:.1?}, contradictions {found:?}, {unequal} of {} solved anew differ",
            begun.elapsed(),
            checked.len()
        );
        broken += found.len();
        wrong += unequal;
        solved += checked.len();
    }
    times.sort_unstable();
    println!(
        "{} games: {broken} contradictions, {wrong} of {solved} positions solved anew differ; a game took {:.1?} by \
         the mean, {:.1?} at most",
        times.len(),
        times.iter().sum::<Duration>() / times.len().max(1) as u32,
        times.last().copied().unwrap_or_default()
    );
    Ok(())
}

/// Solves the last positions of a game, each with nothing known before, and returns for each whether its value is the
/// same.
fn solve_again(solver: &mut Searcher, analysis: &Analysis) -> Vec<bool> {
    let positions = analysis.positions();
    let last = &positions[positions.len().saturating_sub(SOLVED_PLIES + 1)..];
    last.iter()
        .map(|position| {
            let board = position.board().position();
            solver.clear();
            let exact = Limits::depth(board.empties().count());
            let score = Discs::from(solver.search(board, &exact).score);
            position.value().map(|value| value.score) == Some(score)
        })
        .collect()
}
