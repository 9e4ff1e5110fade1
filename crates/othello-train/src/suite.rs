//! Test positions from games held out, with their exact scores and all best moves.

use std::collections::HashSet;

use othello_core::{Board, Color, Move, Position, Problem};
use othello_search::{Exactness, Limits, Searcher};

use crate::corpus::{Corpus, CorpusError, Split};

/// Which positions make a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The empty squares of each.
    pub empties: u32,
    /// Of the games held out that have one, every so manyth gives one.
    pub every: u64,
    /// How many there are to be.
    pub count: usize,
    /// Which games are held out.
    pub split: Split,
}

impl Suite {
    /// The positions of the suite, from the side to move: those with a choice of moves, no two
    /// alike up to symmetry, in the order of the games.
    ///
    /// # Errors
    ///
    /// When the games cannot be read.
    pub fn positions(&self, corpus: &Corpus) -> Result<Vec<Position>, CorpusError> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let (mut samples, mut passed_over) = (Vec::new(), 0);
        let mut games = corpus.games()?;
        while let Some(game) = games.replay_held_out(self.split, &mut samples) {
            game?;
            let mut positions = samples.iter().map(|sample| sample.position);
            let Some(position) = positions.find(|position| self.fits(*position)) else {
                continue;
            };
            passed_over += 1;
            if passed_over < self.every || !seen.insert(position.canonical().0) {
                continue;
            }
            passed_over = 0;
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

/// A position with Black to move, its exact score and every move that reaches it.
///
/// After the best move all others together are searched for one as good, until there is none. The
/// searcher's table is emptied first.
///
/// # Panics
///
/// When a search to the end is not exact, which only a stop from outside could bring about.
pub fn solved(searcher: &mut Searcher, position: Position) -> Problem {
    searcher.clear();
    let mut left = position.legal_moves();
    let mut moves = Vec::new();
    while !left.is_empty() {
        let limits = Limits {
            moves: Some(left),
            ..Limits::depth(position.empties().count())
        };
        let report = searcher.search(position, &limits, &mut |_| {});
        assert_eq!(report.exactness, Exactness::Exact, "labels are exact");
        let score = report.score.to_score();
        let Some(square) = report.best else { break };
        if moves.first().is_some_and(|&(_, best)| score < best) {
            break;
        }
        moves.push((Move::Place(square), score));
        left = left.without(square);
    }
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
        generate::{Generation, generate},
        player::{Player, Recipe},
        shard::Part,
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
    fn every_best_move_is_there_with_the_exact_score() {
        let folder = tempfile::tempdir().unwrap();
        let generation = Generation {
            games: 300,
            part: Part::WHOLE,
        };
        let recipe = Recipe {
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        let mut player = Player::new(&recipe);
        generate(folder.path(), &generation, &mut player, &mut |_| true).unwrap();
        let corpus = Corpus::open(&[folder.path().into()]).unwrap();
        let suite = Suite {
            empties: 7,
            every: 3,
            count: 20,
            split: Split { one_in: 3 },
        };
        let positions = suite.positions(&corpus).unwrap();
        assert_eq!(positions.len(), 20);
        let mut searcher = Searcher::new(Options::default());
        let mut several = 0;
        for position in positions {
            assert_eq!(position.empties().count(), 7);
            let problem = solved(&mut searcher, position);
            assert_eq!(problem.board.position(), position);
            let best = value(position);
            let is_best = |square: &Square| -value(position.play_unchecked(*square)) == best;
            let mut expected: Vec<(Move, Score)> = position
                .legal_moves()
                .into_iter()
                .filter(is_best)
                .map(|square| (square.into(), best))
                .collect();
            let mut told = problem.moves;
            expected.sort();
            told.sort();
            several += u32::from(told.len() > 1);
            assert_eq!(told, expected, "{position:?}");
        }
        assert!(several > 2, "{several}");
        let sparse = Suite { every: 6, ..suite };
        let half = sparse.positions(&corpus).unwrap();
        let all = Suite {
            every: 1,
            count: 1000,
            ..suite
        }
        .positions(&corpus)
        .unwrap();
        assert!(half.iter().all(|position| all.contains(position)) && half.len() < all.len() / 4);
    }
}
