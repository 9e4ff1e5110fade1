//! The first positions of the game, which games with random first moves do not sample.

use std::collections::HashSet;

use othello_core::{Board, Color, Move, Position, Problem};
use othello_search::{Limits, Searcher};

use crate::record::Sample;

/// Returns every position after at most `moves` moves, up to symmetry, the start first.
pub(crate) fn openings(moves: u32) -> Vec<Position> {
    let mut all = vec![Position::START.canonical().0];
    let mut last = all.clone();
    for _ in 0..moves {
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        for position in last {
            for square in position.legal_moves() {
                let child = position.play_unchecked(square);
                let child = if child.must_pass() {
                    child.passed()
                } else {
                    child
                };
                let (child, _) = child.canonical();
                if !child.is_over() && seen.insert(child) {
                    next.push(child);
                }
            }
        }
        all.extend(&next);
        last = next;
    }
    all
}

/// Labels a position by a search to a fixed depth: returns it with Black to move, the best move and
/// its value in whole discs.
pub(crate) fn label(searcher: &mut Searcher, position: Position, depth: u32) -> Problem {
    searcher.clear();
    let report = searcher.search(position, &Limits::depth(depth));
    let mv = report.best.map_or(Move::Pass, Move::Place);
    Problem {
        board: Board::new(position, Color::Black),
        moves: vec![(mv, report.score.to_score())],
    }
}

/// Samples of positions with their values. If there are fewer than `min` with some number of discs,
/// they are repeated to about that number.
pub(crate) fn samples(problems: &[Problem], min: usize) -> Vec<Sample> {
    let of = |problem: &Problem| {
        let position = problem.board.position();
        let score = problem.best()?.discs() as f32;
        (!position.is_over()).then_some(Sample { position, score })
    };
    let samples: Vec<Sample> = problems.iter().filter_map(of).collect();
    let mut counts = [0_usize; 64];
    for sample in &samples {
        counts[sample.head() as usize] += 1;
    }
    let repeated = samples.into_iter().flat_map(|sample| {
        let count = counts[sample.head() as usize];
        std::iter::repeat_n(sample, min.div_ceil(count))
    });
    repeated.collect()
}

#[cfg(test)]
mod tests {
    use othello_search::Options;

    use super::*;

    #[test]
    fn openings_have_the_known_counts() {
        // The known numbers of openings of othello_match.
        let all = openings(8);
        let of = |discs: u32| {
            let discs = |position: &&Position| 64 - position.empties().count() == discs;
            all.iter().filter(discs).count()
        };
        assert_eq!(of(12), 67_245);
        assert_eq!(all.len(), 80_068);
        assert_eq!([4, 5, 6, 7].map(of), [1, 1, 3, 14]);
    }

    #[test]
    fn few_positions_are_repeated() {
        let mut searcher = Searcher::new(Options::default());
        let problems: Vec<Problem> = openings(3)
            .into_iter()
            .map(|position| label(&mut searcher, position, 2))
            .collect();
        assert_eq!(problems.len(), 19);
        let samples = samples(&problems, 10);
        let of = |head: u32| {
            samples
                .iter()
                .filter(|sample| sample.head() == head)
                .count()
        };
        assert_eq!([0, 1, 2, 3].map(of), [10, 10, 12, 14]);
        let first = samples.first().unwrap();
        assert_eq!(first.position, Position::START.canonical().0);
        let best = problems[0].best().unwrap();
        let expected = Sample {
            score: best.discs() as f32,
            ..*first
        };
        assert_eq!(*first, expected);
    }
}
