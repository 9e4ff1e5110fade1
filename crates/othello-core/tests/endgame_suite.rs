//! The FFO endgame suite as OBF problems: all 59 round-trip and list all legal moves, best first.

use othello_core::{Bitboard, Problem};

const FILES: [(&str, usize); 3] = [
    (include_str!("data/endgame/fforum-1-19.obf"), 19),
    (include_str!("data/endgame/fforum-20-39.obf"), 20),
    (include_str!("data/endgame/fforum-40-59.obf"), 20),
];

#[test]
fn every_problem_round_trips() {
    for (text, count) in FILES {
        let problems = Problem::read_all(text).unwrap();
        assert_eq!(problems.len(), count);
        for (problem, line) in problems.iter().zip(text.lines()) {
            assert_eq!(problem.to_string(), line.trim_end());
        }
    }
}

#[test]
fn every_problem_lists_the_legal_moves_best_first() {
    for problem in FILES
        .iter()
        .flat_map(|(text, _)| Problem::read_all(text).unwrap())
    {
        let listed: Bitboard = problem
            .moves
            .iter()
            .filter_map(|(mv, _)| mv.square())
            .collect();
        assert_eq!(listed, problem.board.legal_moves(), "{problem}");
        assert!(
            problem.moves.is_sorted_by_key(|&(_, score)| -score),
            "{problem}"
        );
        assert_eq!(
            problem.best(),
            problem.moves.first().map(|&(_, score)| score)
        );
    }
}
