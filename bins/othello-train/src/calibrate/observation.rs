//! Observations: values of positions of held-out games at several depths.

use std::collections::HashSet;

use othello_core::{Position, Score};
use othello_search::{Evaluation, Exactness, Limits, Searcher, selectivity::shallow_depth};

use crate::{
    corpus::{Corpus, Split},
    random::Dice,
};

/// The values of a position at each depth, searched from an empty table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Observation {
    /// The position.
    pub(crate) position: Position,
    /// The values at depth 0 (the static evaluation), 1, 2 and so on, without selectivity.
    pub(crate) values: Vec<Evaluation>,
    /// The exact score, if the position was searched to the end.
    pub(crate) exact: Option<Score>,
}

/// The selection of positions to observe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Observations {
    /// The number of positions.
    pub(crate) count: usize,
    /// The split that holds out the games of the positions.
    pub(crate) split: Split,
}

/// The range of the number of empty squares of the positions.
const EMPTIES: std::ops::RangeInclusive<u32> = 12..=52;
/// The number of empty squares between two positions of a game.
const SPACING: u32 = 7;
/// The depths of searches, each with the same probability. The deepest are rare, since each ply takes
/// about two and a half times as long.
const DEPTHS: [u32; 16] = [8, 9, 8, 10, 8, 9, 8, 11, 8, 9, 8, 10, 8, 9, 8, 12];
/// The maximum numbers of empty squares of searches to the end, each with the same probability.
const MAX_EXACT_EMPTIES: [u32; 8] = [16, 16, 18, 18, 20, 20, 22, 22];
/// The seed of the random choices.
const SEED: u64 = 1;
/// The minimum depth of the shallow searches of positions that are searched to the end.
const MIN_DEPTH: u32 = 8;

impl Observations {
    /// Returns the positions in the order of the games and their moves: distinct up to symmetry, each
    /// with a legal move. They are fewer than [`count`](Self::count) if the games do not have as many.
    pub(crate) fn positions(&self, corpus: &Corpus) -> anyhow::Result<Vec<Position>> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let (mut samples, mut phase) = (Vec::new(), 0);
        let mut games = corpus.games()?;
        while let Some(game) = games.replay_held_out(self.split, &mut samples) {
            game?;
            phase += 1;
            for position in samples.iter().map(|sample| sample.position) {
                let empties = position.empties().count();
                let wanted = EMPTIES.contains(&empties)
                    && empties % SPACING == phase % SPACING
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
    /// Searches a position to a depth that depends on its number. The searcher's table is cleared
    /// first.
    pub(crate) fn make(searcher: &mut Searcher, number: u64, position: Position) -> Self {
        let empties = position.empties().count();
        let dice = &mut Dice::new(SEED, number);
        let to_end =
            empties <= MAX_EXACT_EMPTIES[dice.below(MAX_EXACT_EMPTIES.len() as u32) as usize];
        let depth = if to_end {
            MIN_DEPTH.max(shallow_depth(empties))
        } else {
            DEPTHS[dice.below(DEPTHS.len() as u32) as usize]
        };
        Self::to_depth(searcher, position, depth.min(empties - 1), to_end)
    }

    /// Searches a position to each depth up to `depth`, and if `to_end`, also to the end.
    ///
    /// One search gives the values of all depths: table entries of one iteration cannot change the
    /// values of the next, since within an iteration a position's number of discs determines its
    /// remaining depth.
    fn to_depth(searcher: &mut Searcher, position: Position, depth: u32, to_end: bool) -> Self {
        searcher.clear();
        let mut values = vec![searcher.evaluate(position)];
        let limits = Limits {
            selective: false,
            ..Limits::depth(depth)
        };
        searcher.search_observed(position, &limits, &mut |iteration| {
            assert_eq!(iteration.depth as usize, values.len(), "each depth in turn");
            values.push(iteration.score);
        });
        let exact = to_end.then(|| {
            let limits = Limits::depth(position.empties().count());
            let report = searcher.search(position, &limits);
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
    use crate::{generate::play_shard, player::Recipe};

    fn corpus(folder: &std::path::Path) -> Corpus {
        let recipe = Recipe {
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        play_shard(folder, recipe, 60, "0/1");
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
    fn positions_are_a_prefix_of_a_longer_list_and_from_all_phases() {
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
    fn each_value_is_that_of_a_separate_search() {
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
                let report = other.search(position, &limits);
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
            let report = searcher.search(position, &limits);
            assert_eq!(observation.exact, Some(report.score.to_score()));
            assert_eq!(observation.values.len(), 9);
        }
    }
}
