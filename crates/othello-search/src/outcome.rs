//! The root search for win, draw or loss.

use othello_core::Backend;

use crate::{
    Report,
    node_type::NodeType,
    root::Root,
    score::{Discs, Units},
};

impl<B: Backend> Root<'_, '_, B> {
    /// Finds the best of the moves from index `rank` on with regard to the outcome and moves it
    /// there, with a bound on its value on the same side of zero; zero is exact.
    ///
    /// Takes at most two null-window searches; the one expected to suffice comes first.
    pub(crate) fn find_outcome(&mut self, rank: usize, observer: &mut dyn FnMut(&Report)) {
        let expects_win = self.moves[rank].value > Units::ZERO;
        let (bounds, expected) = if expects_win {
            ([Discs::new(1), Discs::new(-1)], NodeType::Cut)
        } else {
            ([Discs::new(-1), Discs::new(1)], NodeType::All)
        };
        let (mut lower, mut upper) = (Discs::MIN, Discs::MAX);
        for bound in bounds {
            if lower > bound || upper < bound {
                continue;
            }
            let value = self.best_above(rank, bound, expected);
            if self.worker.stopped {
                return;
            }
            if value > bound {
                lower = value;
            } else {
                upper = value;
            }
            if rank == 0 {
                self.prove(Units::from_discs(lower), Units::from_discs(upper), observer);
            }
        }
        let best = &mut self.moves[rank];
        best.value = Units::from_discs(if upper < Discs::ZERO { upper } else { lower });
        best.pv.truncate(1);
    }

    /// The value in discs of the first move from index `rank` on that is above `bound`, an odd
    /// number, or otherwise of the best move; a bound in either case.
    fn best_above(&mut self, rank: usize, bound: Discs, expected: NodeType) -> Discs {
        let mut best = Discs::MIN;
        for at in rank..self.moves.len() {
            let child = self.moves[at].child;
            best = best.max(-self.worker.high(&child, -bound, expected.of_child()));
            if self.worker.stopped {
                break;
            }
            if best > bound {
                self.moves[rank..=at].rotate_right(1);
                // The second search may be stopped before it has a result.
                let found = &mut self.moves[rank];
                found.value = Units::from_discs(best);
                found.pv.truncate(1);
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Exactness, Goal, Limits, Options, Searcher,
        score::{Discs, Units},
        testing::{brute_force, random_play, scattered, searched, solved},
    };

    #[test]
    fn the_outcome_agrees_with_the_exact_score() {
        let mut searcher = Searcher::new(Options::default());
        let mut outcomes = [0; 3];
        for seed in 0..300 {
            let empties = seed as u32 % 8;
            let position = if seed % 2 == 0 {
                random_play(seed, empties)
            } else {
                scattered(seed, empties as usize)
            };
            let limits = Limits {
                goal: Goal::WinDrawLoss,
                ..Limits::depth(8)
            };
            let report = searcher.search(position, &limits);
            let (found, exact) = (report.score.to_score().discs(), brute_force(position).get());
            assert_eq!(found.signum(), exact.signum(), "{position:?}");
            assert!(found.abs() <= exact.abs(), "{found} {exact} {position:?}");
            outcomes[(exact.signum() + 1) as usize] += 1;
            if let Some(best) = report.best {
                assert_eq!(report.exactness, Exactness::WinDrawLoss);
                let kept = -brute_force(position.play_unchecked(best)).get();
                assert_eq!(kept.signum(), exact.signum(), "{best}, {position:?}");
            }
        }
        assert!(outcomes.iter().all(|&times| times > 5), "{outcomes:?}");
    }

    #[test]
    fn full_and_null_windows_find_the_same_value() {
        for seed in 0..40 {
            let position = random_play(seed, 12 + seed as u32 % 5);
            let empties = position.empties().count();
            let (full, _) = searched(position, empties, -Units::INFINITY, Units::INFINITY);
            let (mut lower, mut upper) = (Discs::MIN, Discs::MAX);
            while lower < upper {
                let bound = Discs::odd_midpoint(lower, upper);
                let value = solved(position, bound);
                if value > bound {
                    lower = value;
                } else {
                    upper = value;
                }
            }
            assert_eq!(
                (lower, upper),
                (full.to_discs_floor(), full.to_discs_ceil()),
                "{position:?}"
            );
        }
    }
}
