//! Positions from games outside the training data, made by `othello-train suite`: the score and every best move of
//! each, exact or, for 30 empty squares, nearly so.

use othello_core::{Color, Move, Problem};
use othello_search::{Exactness, Limits, Options, Searcher};

/// Checks the format of a suite's problems, and solves those with these indices.
fn check(suite: &str, empties: u32, solved: impl IntoIterator<Item = usize>) {
    let problems = Problem::read_all(suite).expect("problems");
    let mut several = 0;
    for problem in &problems {
        let legal = problem.board.position().legal_moves();
        assert_eq!(problem.board.empties().count(), empties);
        assert_eq!(problem.board.side_to_move(), Color::Black);
        assert!(legal.count() > 1, "{problem}");
        let best = problem.best().expect("a score");
        for &(mv, score) in &problem.moves {
            let square = mv.square().expect("no pass");
            assert!(legal.contains(square) && score == best, "{problem}");
        }
        several += usize::from(problem.moves.len() > 1);
    }
    assert!(several > problems.len() / 50, "{several}");
    let mut searcher = Searcher::new(Options::default());
    for problem in solved.into_iter().map(|line| &problems[line]) {
        let limits = Limits::depth(empties);
        let report = searcher.search(problem.board.position(), &limits);
        assert_eq!(report.exactness, Exactness::Exact);
        let best = Move::Place(report.best.expect("a move"));
        let answer = (best, report.score.to_score());
        assert!(problem.moves.contains(&answer), "{answer:?}: {problem}");
    }
}

#[test]
fn sixteen_empty_squares() {
    check(include_str!("data/exact-16.obf"), 16, (0..500).step_by(25));
}

#[test]
fn twenty_empty_squares() {
    check(include_str!("data/exact-20.obf"), 20, [0, 250]);
}

#[test]
fn twenty_four_empty_squares() {
    // Most take seconds to solve; these two are nearly decided.
    check(include_str!("data/exact-24.obf"), 24, [157, 185]);
}

#[test]
fn thirty_empty_squares() {
    // Two wipe-outs, which are solved at once.
    check(include_str!("data/probable-30.obf"), 30, [54, 93]);
}
