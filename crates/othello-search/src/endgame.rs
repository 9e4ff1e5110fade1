//! The exact endgame solver.
//!
//! Scores are whole discs with empties to the winner, and therefore even. Every search asks whether the value is above
//! an odd bound, and answers with a bound on the value.
//!
//! | empties | where | method |
//! |---|---|---|
//! | 1 to 4 | `last` | straight-line, squares in parity order |
//! | 5 and 6 | `shallow` | parity order; with 6 the private table |
//! | 7 to 13 (`SOLVER_EMPTIES`) | `deep` | fastest first, private table, from 12 also the shared one |
//! | more | `high` | sorted by value and replies, the best by shallow searches, shared table |
//!
//! With 4 or more empties, a stability cutoff is tried first.
//!
//! Nodes on the principal variation are searched by `midgame`.

mod children;
mod deep;
mod high;
mod last;
mod shallow;

use othello_core::{Backend, Position};

use crate::{
    private::SOLVER_EMPTIES,
    score::{Discs, Units, final_discs},
    worker::Worker,
};

impl<B: Backend> Worker<'_, B> {
    /// The value in units if it lies between `alpha` and `beta`, otherwise a bound at or beyond one of them.
    pub(crate) fn solve(&mut self, position: Position, alpha: Units, beta: Units) -> Units {
        let (alpha, beta) = (alpha.to_discs_floor(), beta.to_discs_ceil());
        let (mut lower, mut upper) = (Discs::MIN, Discs::MAX);
        while lower < upper && lower < beta && upper > alpha && !self.stopped {
            let (low, high) = (lower.max(alpha), upper.min(beta));
            let bound = Discs::odd_midpoint(low, high);
            let value = self.null_window(position, bound);
            if value > bound {
                lower = value;
            } else {
                upper = value;
            }
        }
        Units::from_discs(if upper <= alpha { upper } else { lower })
    }

    /// A bound on the value of a position with at most [`SOLVER_EMPTIES`] empty squares that shows on which side of
    /// `alpha`, an odd number, the value lies. [`high`](Self::high) takes any number of empties.
    pub(crate) fn null_window(&mut self, position: Position, alpha: Discs) -> Discs {
        debug_assert!(position.empties().count() <= SOLVER_EMPTIES, "{position:?}");
        match position.empties().count() {
            0 => final_discs(position),
            1 => self.last_1(position),
            2 => self.last_2(position, alpha),
            3 => self.last_3(position, alpha),
            4 => self.last_4(position, alpha),
            5 => self.five(position, alpha),
            6 => self.six(position, self.backend.legal_moves(position), alpha),
            _ => self.deep(position, alpha),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        score::{Discs, Units},
        testing::{brute_force, random_play, scattered, searched, solved},
    };

    #[test]
    fn the_solver_agrees_with_brute_force() {
        for seed in 0..3000 {
            // Few have ten empties, because brute force takes long.
            let empties = if seed % 100 == 0 { 10 } else { seed % 9 } as u32;
            let position = if seed % 2 == 0 {
                random_play(seed, empties)
            } else {
                scattered(seed, empties as usize)
            };
            let expected = brute_force(position);
            let one = Discs::new(1);
            let fixed = (-65..=65).step_by(26).map(Discs::new);
            for alpha in fixed.chain([expected - one, expected + one]) {
                let value = solved(position, alpha);
                assert_eq!(value > alpha, expected > alpha, "{position:?}, {alpha}");
                let is_bound = if value > alpha {
                    value <= expected
                } else {
                    value >= expected
                };
                assert!(
                    is_bound,
                    "{value}, not {expected}, of {position:?}, {alpha}"
                );
            }
        }
    }

    #[test]
    fn the_random_positions_include_passes_and_double_passes() {
        let tried = |seed: u64| random_play(seed, (seed % 9) as u32);
        assert!((0..400).any(|seed| tried(seed).must_pass()));
        assert!((0..400).any(|seed| tried(seed).is_over() && !tried(seed).empties().is_empty()));
    }

    #[test]
    fn a_wide_window_gives_the_exact_value() {
        for seed in 0..60 {
            let position = random_play(seed, 8);
            let empties = position.empties().count();
            let (value, _) = searched(position, empties, -Units::INFINITY, Units::INFINITY);
            assert_eq!(
                value,
                Units::from_discs(brute_force(position)),
                "{position:?}"
            );
        }
    }

    #[test]
    fn windows_may_lie_between_whole_discs() {
        for seed in 0..60 {
            let position = random_play(seed, 7);
            let empties = position.empties().count();
            let expected = Units::from_discs(brute_force(position));
            for alpha in [-1, 0, 1, 127].map(|more| expected + Units::new(more)) {
                let (value, _) = searched(position, empties, alpha, alpha + Units::ONE);
                assert_eq!(value > alpha, expected > alpha, "{position:?}, {alpha}");
            }
        }
    }
}
