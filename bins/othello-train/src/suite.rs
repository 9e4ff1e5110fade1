//! Test positions of games, with their scores and all best moves.

use std::collections::HashSet;

use othello_core::{Board, Color, Move, Position, Problem, Score};
use othello_search::{Evaluation, Exactness, Limits, Searcher};

/// The selection of positions for a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Suite {
    /// The number of empty squares of each position.
    pub(crate) empties: u32,
    /// The sampling interval: one of `every` games that have such a position gives one.
    pub(crate) every: u64,
    /// The number of positions.
    pub(crate) count: usize,
}

impl Suite {
    /// Returns the positions of the suite in the order of the games. An item of `games` is the positions of one game.
    /// The positions have at least two legal moves, are distinct up to symmetry, and satisfy `admits`. There are
    /// fewer than [`count`](Self::count) if the games do not have enough.
    pub(crate) fn positions<E>(
        &self,
        games: impl IntoIterator<Item = Result<Vec<Position>, E>>,
        admits: &mut dyn FnMut(Position) -> bool,
    ) -> Result<Vec<Position>, E> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let mut skipped = 0;
        for game in games {
            let mut positions = game?.into_iter();
            let Some(position) = positions.find(|position| self.fits(*position)) else {
                continue;
            };
            skipped += 1;
            if skipped < self.every || !seen.insert(position.canonical().0) || !admits(position) {
                continue;
            }
            skipped = 0;
            found.push(position);
            if found.len() == self.count {
                break;
            }
        }
        Ok(found)
    }

    fn fits(&self, position: Position) -> bool {
        position.empties().count() == self.empties && position.legal_moves().count() > 1
    }
}

/// Returns true if a search to a depth puts the two best moves of a position at most `discs` apart. The searcher's
/// table is cleared first.
pub(crate) fn is_close(
    searcher: &mut Searcher,
    position: Position,
    depth: u32,
    discs: f32,
) -> bool {
    searcher.clear();
    let mut left = position.legal_moves();
    let mut scores = [0.0; 2];
    for score in &mut scores {
        if left.is_empty() {
            return false;
        }
        let limits = Limits {
            moves: Some(left),
            ..Limits::depth(depth)
        };
        let report = searcher.search(position, &limits);
        let Some(square) = report.best else {
            return false;
        };
        *score = report.score.discs();
        left = left.without(square);
    }
    // Searches of two sets of moves may be inconsistent, in either direction.
    (scores[0] - scores[1]).abs() <= discs
}

/// Solves a position: returns it with Black to move, its score and every move that reaches it, with a
/// [confidence](Limits::confidence) in percent; with 100 they are exact.
///
/// After the best move, the other moves are searched together for one that is as good, until there
/// is none. The searcher's table is cleared first.
pub(crate) fn solve(searcher: &mut Searcher, position: Position, confidence: u8) -> Problem {
    searcher.clear();
    let mut left = position.legal_moves();
    let mut moves: Vec<(Move, Score)> = Vec::new();
    while !left.is_empty() {
        // None at the lowest score, since no evaluation is below it.
        let best = moves.first().map(|&(_, best)| Evaluation::from(best));
        let best = best.filter(|best| *best > Evaluation::MIN);
        let limits = Limits {
            moves: Some(left),
            above: best.map(|best| Evaluation::from_units(best.units() - Evaluation::DISC)),
            confidence,
            ..Limits::depth(position.empties().count())
        };
        let report = searcher.search(position, &limits);
        let enough = match report.exactness {
            Exactness::Probable { percent } => percent >= confidence,
            exactness => exactness == Exactness::Exact,
        };
        assert!(enough, "{:?}", report.exactness);
        let Some(square) = report.best else { break };
        if limits.above.is_some_and(|above| report.score <= above) {
            break;
        }
        moves.push((Move::Place(square), report.score.to_score()));
        left = left.without(square);
    }
    // Below full confidence a later search may find a better move than the first one did.
    let best = moves.iter().map(|&(_, score)| score).max();
    moves.retain(|&(_, score)| Some(score) == best);
    Problem {
        board: Board::new(position, Color::Black),
        moves,
    }
}

#[cfg(test)]
mod tests {
    use othello_core::{Empties, Score, Square};
    use othello_search::Options;

    use super::*;
    use crate::{
        corpus::{Corpus, Split},
        generate::play_shard,
        player::Recipe,
    };

    fn value(position: Position) -> Score {
        if position.is_over() {
            position.score(Empties::ToWinner)
        } else if position.must_pass() {
            -value(position.passed())
        } else {
            let moves = position.legal_moves().into_iter();
            moves
                .map(|square| -value(position.play_unchecked(square)))
                .max()
                .unwrap()
        }
    }

    #[test]
    fn every_best_move_is_listed_with_the_exact_score() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe {
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        play_shard(folder.path(), recipe, 300, "0/1");
        let corpus = Corpus::open(&[folder.path().into()]).unwrap();
        let suite = Suite {
            empties: 7,
            every: 3,
            count: 20,
        };
        let held_out = || corpus.held_out(Split { one_in: 3 }).unwrap();
        let positions = suite.positions(held_out(), &mut |_| true).unwrap();
        assert_eq!(positions.len(), 20);
        let mut searcher = Searcher::new(Options::default());
        let mut several = 0;
        for position in positions {
            assert_eq!(position.empties().count(), 7);
            let problem = solve(&mut searcher, position, 100);
            assert_eq!(problem.board.position(), position);
            let best = value(position);
            let is_best = |square: &Square| -value(position.play_unchecked(*square)) == best;
            let mut expected: Vec<(Move, Score)> = position
                .legal_moves()
                .into_iter()
                .filter(is_best)
                .map(|square| (square.into(), best))
                .collect();
            let mut found = problem.moves;
            expected.sort();
            found.sort();
            several += u32::from(found.len() > 1);
            assert_eq!(found, expected, "{position:?}");
        }
        assert!(several > 2, "{several}");
        let sparse = Suite { every: 6, ..suite };
        let half = sparse.positions(held_out(), &mut |_| true).unwrap();
        let all = Suite {
            every: 1,
            count: 1000,
            ..suite
        }
        .positions(held_out(), &mut |_| true)
        .unwrap();
        assert!(half.iter().all(|position| all.contains(position)) && half.len() < all.len() / 4);
    }

    #[test]
    fn positions_are_close_by_their_two_best_moves() {
        let mut searcher = Searcher::new(Options::default());
        // All four first moves are alike.
        assert!(is_close(&mut searcher, Position::START, 4, 0.0));
        let mut close = [0; 3];
        for seed in 0..60 {
            let mut dice = crate::random::Dice::new(seed, 0);
            let mut position = Position::START;
            for _ in 0..50 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    position = position.passed();
                } else {
                    let choice = dice.below(moves.count());
                    position = position.play_unchecked(moves.nth(choice).unwrap());
                }
            }
            let mut scores: Vec<_> = (position.legal_moves().into_iter())
                .map(|square| -value(position.play_unchecked(square)).discs())
                .collect();
            scores.sort_unstable();
            for (count, discs) in close.iter_mut().zip([0_i8, 4, 127]) {
                let expected = match *scores {
                    [.., second, best] => best - second <= i32::from(discs),
                    _ => false,
                };
                assert_eq!(
                    is_close(&mut searcher, position, 14, f32::from(discs)),
                    expected
                );
                *count += u32::from(expected);
            }
        }
        assert!(
            close[0] > 0 && close[0] < close[1] && close[1] < close[2],
            "{close:?}"
        );
    }
}
