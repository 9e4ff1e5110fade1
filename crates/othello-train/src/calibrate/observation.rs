//! Which positions are searched, how deep, and what is kept of it.

use std::collections::HashSet;

use othello_core::{Position, Score};
use othello_search::{Evaluation, Exactness, Limits, Searcher, selectivity::shallow_depth};

use crate::{
    corpus::{Corpus, CorpusError, Split},
    random::Dice,
};

/// What a position was worth at each depth, searched from an empty table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The position.
    pub position: Position,
    /// Its value at depth 0 (the evaluation), 1, 2 and so on, each of a search without selectivity.
    pub values: Vec<Evaluation>,
    /// The exact score, where the position was searched to the end.
    pub exact: Option<Score>,
}

/// Which positions are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observations {
    /// How many searches.
    pub count: usize,
    /// Which games are held out; the positions are theirs.
    pub split: Split,
}

/// The empty squares of the positions.
const EMPTIES: std::ops::RangeInclusive<u32> = 12..=52;
/// A game gives positions so many empty squares apart.
const APART: u32 = 7;
/// How deep positions are searched, each as likely as the others: few as deep as would be good to have, as each ply
/// takes about two and a half times as long.
const DEPTHS: [u32; 16] = [8, 9, 8, 10, 8, 9, 8, 11, 8, 9, 8, 10, 8, 9, 8, 12];
/// With how many empty squares at most positions are searched to the end, each as likely.
const ENDS: [u32; 8] = [16, 16, 18, 18, 20, 20, 22, 22];
/// Of the draws.
const SEED: u64 = 1;
/// The least depth of searches before the end.
const BEFORE_THE_END: u32 = 8;

impl Observations {
    /// The positions, in the order of the games and, within one, of its moves; no two are alike
    /// up to symmetry, and all have a move.
    ///
    /// # Errors
    ///
    /// When the games cannot be read.
    pub fn positions(&self, corpus: &Corpus) -> Result<Vec<Position>, CorpusError> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let (mut samples, mut phase) = (Vec::new(), 0);
        let mut games = corpus.games()?;
        while let Some(game) = games.replay_held_out(self.split, &mut samples) {
            game?;
            phase += 1;
            for position in samples.iter().map(|sample| sample.position) {
                let empties = position.empties().count();
                let wanted = EMPTIES.contains(&empties)
                    && empties % APART == phase % APART
                    && !position.must_pass();
                if wanted && seen.insert(position.canonical().0) {
                    found.push(position);
                }
                if found.len() == self.count {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }
}

impl Observation {
    /// Searches the position of a number, which says how deep, with the searcher's table emptied first.
    ///
    /// # Panics
    ///
    /// When the search leaves out a depth or the end is not solved, which only a stop from outside
    /// could bring about.
    pub fn make(searcher: &mut Searcher, number: u64, position: Position) -> Self {
        let empties = position.empties().count();
        let dice = &mut Dice::new(SEED, number);
        let ends = empties <= ENDS[dice.below(ENDS.len() as u32) as usize];
        let depth = if ends {
            BEFORE_THE_END.max(shallow_depth(empties))
        } else {
            DEPTHS[dice.below(DEPTHS.len() as u32) as usize]
        };
        Self::to_depth(searcher, position, depth.min(empties - 1), ends)
    }

    /// Searches a position to each depth up to `depth`, and to the end if so asked.
    ///
    /// One search makes all of it: the table knows no value of another depth, since a position of
    /// so many discs comes up at one depth alone.
    fn to_depth(searcher: &mut Searcher, position: Position, depth: u32, ends: bool) -> Self {
        searcher.clear();
        let mut values = vec![searcher.evaluate(position)];
        let limits = Limits {
            selective: false,
            ..Limits::depth(depth)
        };
        searcher.search(position, &limits, &mut |iteration| {
            assert_eq!(iteration.depth as usize, values.len(), "each depth in turn");
            values.push(iteration.score);
        });
        let exact = ends.then(|| {
            let limits = Limits::depth(position.empties().count());
            let report = searcher.search(position, &limits, &mut |_| {});
            assert_eq!(report.exactness, Exactness::Exact, "labels are exact");
            report.score.to_score()
        });
        Self {
            position,
            values,
            exact,
        }
    }
}

#[cfg(test)]
mod tests {
    use othello_search::Options;

    use super::*;
    use crate::{
        generate::{Generation, generate},
        player::{Player, Recipe},
        shard::Part,
    };

    fn corpus(folder: &std::path::Path) -> Corpus {
        let recipe = Recipe {
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        let generation = Generation {
            games: 60,
            part: Part::WHOLE,
        };
        generate(folder, &generation, &mut Player::new(&recipe), &mut |_| {
            true
        })
        .unwrap();
        Corpus::open(&[folder.into()]).unwrap()
    }

    fn some(count: usize) -> Vec<Position> {
        let folder = tempfile::tempdir().unwrap();
        let observations = Observations {
            count,
            split: Split { one_in: 3 },
        };
        observations.positions(&corpus(folder.path())).unwrap()
    }

    #[test]
    fn positions_are_those_of_a_longer_list_and_of_all_phases() {
        let all = some(usize::MAX);
        assert_eq!(some(20), all[..20]);
        assert!(
            all.iter()
                .all(|position| !position.legal_moves().is_empty())
        );
        for from in [12, 20, 30, 40] {
            let phase =
                |position: &&Position| (from..from + 8).contains(&position.empties().count());
            assert!(all.iter().filter(phase).count() > 5, "{from}");
        }
    }

    #[test]
    fn each_value_is_that_of_a_search_of_its_own() {
        let mut searcher = Searcher::new(Options::default());
        let mut other = Searcher::new(Options::default());
        for position in some(8) {
            let depth = 5;
            let observation = Observation::to_depth(&mut searcher, position, depth, false);
            assert_eq!(observation.values.len(), 6);
            assert_eq!(observation.exact, None);
            for depth in 1..=depth {
                other.clear();
                let limits = Limits {
                    selective: false,
                    ..Limits::depth(depth)
                };
                let report = other.search(position, &limits, &mut |_| {});
                assert_eq!(report.score, observation.values[depth as usize]);
            }
        }
    }

    #[test]
    fn the_end_is_exact() {
        let mut searcher = Searcher::new(Options::default());
        let low = |position: &Position| position.empties().count() <= 14;
        let near_end: Vec<Position> = some(usize::MAX).into_iter().filter(low).take(4).collect();
        assert_eq!(near_end.len(), 4);
        for (number, position) in (0..).zip(near_end) {
            let observation = Observation::make(&mut searcher, number, position);
            let limits = Limits::depth(position.empties().count());
            let report = searcher.search(position, &limits, &mut |_| {});
            assert_eq!(observation.exact, Some(report.score.to_score()));
            assert_eq!(observation.values.len(), 9);
        }
    }
}
