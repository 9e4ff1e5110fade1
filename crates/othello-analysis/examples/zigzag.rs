//! Measures how much the value of games swings from move to move, by the depth of their searches, and the errors of
//! estimates by the parity of the empty squares at the leaves.
//!
//! `cargo run --release -p othello-analysis --example zigzag -- FILE [FIRST [COUNT [DEPTH]]]`

#![allow(clippy::print_stdout)]

use std::{env, error::Error, fs::File, io::BufReader};

use othello_analysis::{Analysis, Search, Settings};
use othello_core::{Board, Color, Game};
use othello_records::Format;
use othello_search::{Limits, Options, Searcher};

/// The number of empty squares from which curves are compared up to the start.
const LAST_EMPTIES: u32 = 26;
/// The numbers of empty squares with which estimates are compared to exact scores.
const SOLVED: [u32; 4] = [20, 21, 22, 23];

/// A sum of numbers and of their squares.
#[derive(Default)]
struct Errors {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Errors {
    fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.sum += error;
        self.squares += error * error;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let path = arguments.next().ok_or("expected a WTHOR file")?;
    let mut number = |default: usize| {
        let text = arguments.next();
        text.map_or(Ok(default), |text| text.parse::<usize>())
    };
    let (first, count, depth) = (number(1)?, number(20)?, number(12)? as u32);
    let mut searcher = Searcher::new(Options {
        hash_mib: 64,
        ..Options::default()
    });
    let mut swings = [0.0; 4];
    let mut errors: [Errors; 2] = Default::default();
    let records = Format::Wthor.read(BufReader::new(File::open(path)?));
    let mut games = 0.0;
    for record in records.skip(first - 1).take(count) {
        let game = record?.game;
        let boards: Vec<Board> = game
            .boards()
            .filter(|board| !board.must_pass() && board.empties().count() >= LAST_EMPTIES)
            .collect();
        // With the same depth everywhere, and with leaves of either parity.
        let mut estimate = |board: Board, depth| black(&mut searcher, board, depth);
        let even = |board: &Board| board.empties().count() % 2;
        let same = boards.iter().map(|&board| estimate(board, depth));
        swings[0] += swing(&same.collect::<Vec<_>>());
        let to_even = boards
            .iter()
            .map(|board| estimate(*board, depth - even(board)));
        swings[1] += swing(&to_even.collect::<Vec<_>>());
        let to_odd = boards
            .iter()
            .map(|board| estimate(*board, depth - 1 + even(board)));
        swings[2] += swing(&to_odd.collect::<Vec<_>>());
        swings[3] += swing(&analyzed(&mut searcher, &game, depth));
        compare(&mut searcher, &game, depth, &mut errors);
        games += 1.0;
    }
    println!("mean |second difference| of Black's value, {games} games, depth {depth}:");
    let names = [
        "one depth",
        "leaves with even empties",
        "leaves with odd empties",
        "analysis",
    ];
    for (name, swing) in names.iter().zip(swings) {
        println!("  {name}: {:.2} discs", swing / games);
    }
    for (name, errors) in ["even", "odd"].iter().zip(errors) {
        println!(
            "leaves with {name} empties: mean error {:+.2}, deviation {:.2}, {} positions",
            errors.sum / errors.count,
            (errors.squares / errors.count).sqrt(),
            errors.count
        );
    }
    Ok(())
}

/// Black's value of a position by a search to a depth.
fn black(searcher: &mut Searcher, board: Board, depth: u32) -> f64 {
    let report = searcher.search(board.position(), &Limits::depth(depth));
    let score = f64::from(report.score.discs());
    if board.side_to_move() == Color::Black {
        score
    } else {
        -score
    }
}

/// Black's values by an analysis.
fn analyzed(searcher: &mut Searcher, game: &Game, depth: u32) -> Vec<f64> {
    let settings = Settings {
        depth,
        exact_from: 22,
    };
    let mut analysis = Analysis::new(game);
    analysis.deepen(&settings, &mut Search::new(searcher), None, &mut |_| {});
    let positions = analysis.positions().iter();
    let compared = positions.filter(|position| {
        let board = position.board();
        !board.must_pass() && board.empties().count() >= LAST_EMPTIES
    });
    let value = |position: &othello_analysis::Position| {
        let score = position
            .value()
            .map_or(f64::NAN, |value| value.score.to_f64());
        if position.board().side_to_move() == Color::Black {
            score
        } else {
            -score
        }
    };
    compared.map(value).collect()
}

/// The mean absolute second difference.
fn swing(curve: &[f64]) -> f64 {
    let swings = curve
        .windows(3)
        .map(|values| (values[0] - 2.0 * values[1] + values[2]).abs());
    swings.sum::<f64>() / (curve.len() - 2) as f64
}

/// Adds the errors of estimates of positions that are solved, from the point of view of the side to move at the leaves.
fn compare(searcher: &mut Searcher, game: &Game, depth: u32, errors: &mut [Errors; 2]) {
    for board in game.boards() {
        let empties = board.empties().count();
        if !SOLVED.contains(&empties) || board.legal_moves().is_empty() {
            continue;
        }
        searcher.clear();
        let mut search = |limits| searcher.search(board.position(), &limits).score;
        let estimates = [depth - 1, depth].map(|depth| (depth, search(Limits::depth(depth))));
        let score = search(Limits::depth(empties));
        for (depth, estimate) in estimates {
            let error = f64::from(estimate.discs() - score.discs());
            let parity = ((empties - depth) % 2) as usize;
            errors[parity].add(if depth % 2 == 0 { error } else { -error });
        }
    }
}
