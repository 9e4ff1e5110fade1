//! The sequence of iterations: depths, selective searches to the end, and the exact solution.

use std::time::Duration;

use crate::{
    Goal, Instant, Limits,
    iteration_history::IterationHistory,
    private::SOLVER_EMPTIES,
    selectivity::{Effort, Selectivity},
    time::solution_time,
};

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// The effort of the last completed iteration, if any.
    pub(crate) effort: Option<Effort>,
    /// The nodes so far.
    pub(crate) nodes: u64,
    /// The time so far.
    pub(crate) elapsed: Duration,
    /// The iterations so far.
    pub(crate) history: IterationHistory,
}

/// The limits of a search, applied to one position.
pub(crate) struct Plan<'a> {
    limits: &'a Limits,
    empties: u32,
    /// True if there is only one move to choose from.
    forced: bool,
}

/// The assumed nodes per second of the solver until the search has measured its own rate.
const SOLVER_RATE: u64 = 10_000_000;
/// The ratio of the node rates of the solver and the midgame search.
const SOLVER_SPEEDUP: u64 = 3;
/// The minimum time for measuring a rate.
const MIN_TIME_FOR_RATE: Duration = Duration::from_millis(5);

/// The minimum number of empty squares at which a selective search to the end precedes the exact one; together they
/// take less time than the exact one alone.
const STEP_EMPTIES: u32 = 18;
/// The minimum number of empty squares of a selective search to the end; with fewer, all children belong to the solver.
const MIN_STEP_EMPTIES: u32 = SOLVER_EMPTIES + 2;
/// The distance from the end at which the midgame search is deep enough to start the first selective search to the end.
const FIRST_STEP_PLIES: u32 = 8;
/// The cost of that search, as a multiple of the time so far.
const FIRST_STEP_COST: f64 = 2.5;
/// The factor of that cost for each further ply of the midgame search.
const FIRST_STEP_COST_PER_PLY: f64 = 0.75;
/// The ratio of the predicted costs of the exact search and the first selective one, for a fixed time: an incomplete
/// search is lost, and more plies are nearly as good.
const FIRST_STEP_COST_DIVISOR: u64 = 16;
/// The number of empty squares at which the exact search costs as much as everything before it.
const SOLUTION_EMPTIES: i32 = 17;
/// The factor of that cost for each further empty square.
const SOLUTION_GROWTH: f64 = 1.45;
/// The cost of each less selective search to the end, as a multiple of the time so far.
const STEP_COST: f64 = 0.8;
/// The factor, for each step after the second, of the share of the soft limit that may have passed: later steps rarely
/// change the move.
const STEP_SOFT_SHARE: f64 = 0.6;

impl<'a> Plan<'a> {
    pub(crate) fn new(limits: &'a Limits, empties: u32, forced: bool) -> Self {
        Self {
            limits,
            empties,
            forced,
        }
    }

    /// The effort of the next iteration, or `None` if the search is complete.
    pub(crate) fn next(&self, progress: &Progress) -> Option<Effort> {
        let last = progress.effort.unwrap_or(Effort::full(0));
        if last.covers(self.end()) {
            return None;
        }
        let time = self.limits.time.filter(|_| last.depth > 0);
        if self.forced && time.is_some() {
            return None;
        }
        let prepared = if self.starts_selectively() {
            self.empties - FIRST_STEP_PLIES
        } else {
            preparation(self.empties)
        };
        let wipe_out = progress.history.sees_wipe_out() && last.depth >= prepared / 2;
        if self.may_solve() && (last.depth >= prepared || wipe_out) {
            let next = self.to_the_end(last, progress);
            if next.is_some() || last.depth >= self.empties {
                return next;
            }
        }
        let deepest = self.limits.depth.unwrap_or(u32::MAX).max(1);
        if time.is_some_and(|budget| !progress.history.allows_another(budget, progress.elapsed)) {
            return None;
        }
        (last.depth < deepest || self.solves_by_rule()).then(|| self.deeper(last.depth))
    }

    /// The effort of the final search, which gives the required score.
    fn end(&self) -> Effort {
        let selectivity = match self.limits.goal {
            Goal::Score if self.may_leave_out() => {
                Selectivity::of_confidence(self.limits.confidence)
            }
            _ => Selectivity::NONE,
        };
        Effort::new(self.empties, selectivity)
    }

    /// The effort of the next deeper midgame iteration.
    fn deeper(&self, depth: u32) -> Effort {
        if self.limits.selective && (depth + 1 < self.empties || self.may_leave_out()) {
            Effort::new(depth + 1, MIDGAME)
        } else {
            Effort::full(depth + 1)
        }
    }

    /// Returns whether a selective search to the end may precede the exact one.
    fn may_leave_out(&self) -> bool {
        self.limits.selective && self.empties >= MIN_STEP_EMPTIES
    }

    /// Returns whether a selective search to the end comes first even if the exact one would fit.
    fn starts_selectively(&self) -> bool {
        let for_score = self.limits.goal == Goal::Score;
        for_score && self.may_leave_out() && self.empties >= STEP_EMPTIES
    }

    /// The next search to the end, if one fits into the limits.
    fn to_the_end(&self, last: Effort, progress: &Progress) -> Option<Effort> {
        if last.depth < self.empties {
            if !self.starts_selectively() && self.solution_fits(progress) {
                return Some(Effort::full(self.empties));
            }
            let selective = Effort::new(self.empties, Selectivity::FIRST);
            let begins = self.may_leave_out() && self.first_step_fits(last.depth, progress);
            return begins.then_some(selective);
        }
        if last.selectivity == Selectivity::FIRST && self.solution_may_follow(progress) {
            return Some(self.end());
        }
        let next = last.selectivity.next();
        let next_fits = self.step_fits(next, progress);
        next_fits.then_some(Effort::new(self.empties, next))
    }

    /// Returns whether the depth limit, if any, allows solving the position.
    fn may_solve(&self) -> bool {
        self.limits.depth.is_none() || self.solves_by_rule()
    }

    /// Returns whether a depth limit requires solving the position.
    fn solves_by_rule(&self) -> bool {
        let limits = self.limits;
        limits
            .depth
            .is_some_and(|depth| self.empties <= depth.max(limits.solve_from))
    }

    /// Returns whether only the solution ends the search.
    fn is_unlimited(&self) -> bool {
        let Limits {
            depth, nodes, time, ..
        } = self.limits;
        depth.is_none() && nodes.is_none() && time.is_none()
    }

    /// Returns whether the exact search is predicted to fit without a selective one before it.
    fn solution_fits(&self, progress: &Progress) -> bool {
        let Limits { nodes, time, .. } = self.limits;
        let cost = predicted_nodes(self.empties);
        let by_nodes = nodes.is_none_or(|most| cost <= most.saturating_sub(progress.nodes));
        let by_time = time.is_none_or(|budget| {
            let left = budget.hard.saturating_sub(progress.elapsed);
            predicted_time(cost, progress) <= left / 2
        });
        let worth_it = !self.is_unlimited()
            || cost <= progress.nodes.saturating_mul(8)
            || progress
                .effort
                .is_some_and(|effort| effort.depth + 8 >= self.empties);
        by_nodes && by_time && worth_it
    }

    /// Returns whether the midgame search was deep enough for the selective search to the end, and that search is
    /// expected to take at most half of the remaining time. A visible wipe-out needs no depth.
    fn first_step_fits(&self, depth: u32, progress: &Progress) -> bool {
        let Limits { nodes, time, .. } = self.limits;
        let farther = (depth + FIRST_STEP_PLIES) as i32 - self.empties as i32;
        let growth = FIRST_STEP_COST * FIRST_STEP_COST_PER_PLY.powi(farther);
        let by_nodes = nodes.is_none_or(|most| {
            let cost = progress.nodes as f64 * growth * SOLVER_SPEEDUP as f64;
            cost <= most.saturating_sub(progress.nodes) as f64 / 2.0
        });
        let by_time = time.is_none_or(|budget| {
            let left = budget.hard.saturating_sub(progress.elapsed);
            let cost = if budget.is_fixed() {
                predicted_time(
                    predicted_nodes(self.empties) / FIRST_STEP_COST_DIVISOR,
                    progress,
                )
            } else {
                progress.elapsed.mul_f64(growth)
            };
            progress.elapsed < progress.history.soft_limit(budget) && cost <= left / 2
        });
        let by_depth = farther >= 0 || (progress.history.sees_wipe_out() && !self.is_unlimited());
        by_nodes && by_time && by_depth
    }

    /// Returns whether the exact search is expected to fit after the selective one. The selective search's duration is
    /// too small a basis if the table has entries of the previous search, hence a minimum cost by the number of
    /// empties.
    fn solution_may_follow(&self, progress: &Progress) -> bool {
        let Limits { nodes, time, .. } = self.limits;
        let growth = SOLUTION_GROWTH.powi(self.empties as i32 - SOLUTION_EMPTIES);
        let by_nodes = nodes.is_none_or(|most| {
            let cost = (progress.nodes as f64 * growth) as u64;
            cost.max(predicted_nodes(self.empties) / 16) <= most.saturating_sub(progress.nodes)
        });
        let by_time = time.is_none_or(|budget| {
            let cost = progress.elapsed.mul_f64(growth);
            let soft = progress.history.soft_limit(budget);
            cost.max(solution_time(self.empties) / 4) <= soft.saturating_sub(progress.elapsed)
        });
        by_nodes && by_time
    }

    /// Returns whether a less selective search to the end is worth its time and expected to fit the clock. A fixed time
    /// or number of nodes cannot be saved, and is used up.
    fn step_fits(&self, next: Selectivity, progress: &Progress) -> bool {
        self.limits.time.is_none_or(|budget| {
            let worth = STEP_SOFT_SHARE.powi(i32::from(next.index()) - 1);
            let worth_it = progress.elapsed.div_f64(worth) < progress.history.soft_limit(budget);
            let ends = progress.elapsed.mul_f64(1.0 + STEP_COST);
            budget.is_fixed() || (worth_it && ends <= budget.hard)
        })
    }
}

/// The selectivity of the midgame search.
const MIDGAME: Selectivity = Selectivity::FIRST;

/// The depth of the midgame search that precedes an exact search without selective steps: it fills the table and finds
/// the first move and value. 0 if the exact search takes only moments.
pub(crate) fn preparation(empties: u32) -> u32 {
    let least = u32::from(empties > 10);
    (empties.saturating_sub(12) * 3 / 2).clamp(least, 22)
}

/// The predicted nodes of the exact solution: the trend of the FFO suite, with a safety factor of two.
fn predicted_nodes(empties: u32) -> u64 {
    let growth: f64 = 2.1;
    (growth.powi(empties as i32 - 10) * 6_000.0) as u64
}

fn predicted_time(nodes: u64, progress: &Progress) -> Duration {
    let seen = progress.elapsed;
    let rate = if seen < MIN_TIME_FOR_RATE {
        SOLVER_RATE
    } else {
        (progress.nodes as f64 / seen.as_secs_f64()) as u64 * SOLVER_SPEEDUP
    };
    Duration::try_from_secs_f64(nodes as f64 / rate.max(1) as f64).unwrap_or(Duration::MAX)
}

/// The time since the start of the search.
pub(crate) struct Timer {
    start: Instant,
}

impl Timer {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            start: limits.start.unwrap_or_else(Instant::now),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the start of the search.
    pub(crate) fn start(&self) -> Instant {
        self.start
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{TimeBudget, score::Units};

    prop_compose! {
        fn limits()(
            depth in prop::option::of(0..=60_u32),
            solve_from in 0..=60_u32,
            selective: bool,
            nodes in prop::option::of(0..2_000_000_u64),
            time in prop::option::of((0..3_000_u64, 0..3_000_u64)),
            outcome: bool,
            confidence in 0..=100_u8,
        ) -> Limits {
            let time = time.map(|(soft, more)| TimeBudget {
                soft: Duration::from_millis(soft),
                hard: Duration::from_millis(soft + more),
                ..TimeBudget::UNLIMITED
            });
            let goal = if outcome { Goal::WinDrawLoss } else { Goal::Score };
            Limits { depth, solve_from, selective, confidence, nodes, time, goal, ..Limits::default() }
        }
    }

    proptest! {
        #[test]
        fn iterations_increase_in_depth_or_confidence_within_the_depth_limit(
            limits in limits(),
            empties in 1..=60_u32,
            forced: bool,
            pace in 0..100_u64,
        ) {
            let plan = Plan::new(&limits, empties, forced);
            let mut progress = Progress::default();
            while let Some(effort) = plan.next(&progress) {
                let care = |effort: Effort| (effort.depth, effort.selectivity);
                prop_assert!(progress.effort.is_none_or(|last| care(effort) > care(last)));
                let deepest = limits.depth.map_or(60, |depth| depth.max(1));
                prop_assert!(effort.depth <= empties);
                prop_assert!(effort.depth <= deepest || plan.solves_by_rule());
                prop_assert!(limits.selective || effort.selectivity == Selectivity::NONE);
                progress.effort = Some(effort);
                progress.elapsed += Duration::from_millis(pace);
                progress.nodes += 1_000 * pace;
            }
            prop_assert!(progress.effort.is_some());
        }
    }

    fn depths(limits: &Limits, empties: u32, forced: bool, pace: Duration) -> Vec<u32> {
        let plan = Plan::new(limits, empties, forced);
        let mut progress = Progress::default();
        let mut depths = Vec::new();
        while let Some(effort) = plan.next(&progress) {
            depths.push(effort.depth);
            progress.effort = Some(effort);
            progress.nodes += 1000;
            progress.elapsed += pace;
        }
        depths
    }

    #[test]
    fn a_depth_limit_holds_unless_the_position_is_solved() {
        let free = Duration::ZERO;
        assert_eq!(depths(&Limits::depth(3), 40, false, free), [1, 2, 3]);
        assert_eq!(depths(&Limits::depth(0), 40, false, free), [1]);
        assert_eq!(depths(&Limits::depth(5), 5, false, free), [5]);
        assert_eq!(depths(&Limits::depth(30), 12, false, free), [1, 12]);
        let level = Limits {
            solve_from: 14,
            ..Limits::depth(2)
        };
        assert_eq!(depths(&level, 15, false, free), [1, 2]);
        assert_eq!(depths(&level, 14, false, free), [1, 2, 3, 14]);
    }

    #[test]
    fn a_visible_wipe_out_is_proven_without_more_preparation() {
        let after = |depth, scores: [i32; 2]| {
            let mut history = IterationHistory::default();
            for score in scores {
                history.record(
                    othello_core::Square::A1,
                    Units::DISC * score,
                    Duration::ZERO,
                );
            }
            let progress = Progress {
                effort: Some(Effort::full(depth)),
                history,
                ..Progress::default()
            };
            Plan::new(&Limits::depth(26), 26, false).next(&progress)
        };
        let next = |depth| Some(Effort::new(depth, MIDGAME));
        let end = Some(Effort::new(26, Selectivity::FIRST));
        assert_eq!(after(10, [64, 64]), end);
        assert_eq!(after(10, [64, 40]), next(11));
        assert_eq!(after(4, [64, 64]), next(5));
    }

    #[test]
    fn no_iteration_begins_after_the_soft_limit() {
        let second = Duration::from_secs(1);
        let limits = Limits {
            time: Some(TimeBudget {
                soft: 3 * second,
                hard: 9 * second,
                ..TimeBudget::UNLIMITED
            }),
            ..Limits::default()
        };
        assert_eq!(depths(&limits, 50, false, second), [1, 2, 3]);
        assert_eq!(depths(&limits, 50, true, second), [1]);
        // A solvable position is solved at once.
        assert_eq!(depths(&limits, 8, false, second), [8]);
    }

    /// The last depth before the searches to the end, and the selectivities of those searches.
    fn steps(limits: &Limits, empties: u32, pace: Duration) -> (u32, Vec<u8>) {
        let plan = Plan::new(limits, empties, false);
        let mut progress = Progress::default();
        let (mut midgame, mut levels) = (0, Vec::new());
        while let Some(effort) = plan.next(&progress) {
            if effort.depth < empties {
                midgame = effort.depth;
            } else {
                levels.push(effort.selectivity.index());
            }
            progress.effort = Some(effort);
            progress.elapsed += pace;
            progress.nodes += 1000;
        }
        (midgame, levels)
    }

    #[test]
    fn a_selective_search_to_the_end_precedes_the_solution_of_many_empties() {
        let solve = |empties| steps(&Limits::depth(60), empties, Duration::ZERO);
        assert_eq!(solve(17), (7, vec![5]));
        assert_eq!(solve(18), (10, vec![0, 5]));
        assert_eq!(solve(26), (18, vec![0, 5]));
        let outcome = Limits {
            goal: Goal::WinDrawLoss,
            ..Limits::depth(60)
        };
        assert_eq!(steps(&outcome, 26, Duration::ZERO), (21, vec![5]));
        assert_eq!(
            steps(&Limits::default(), 26, Duration::ZERO),
            (18, vec![0, 5])
        );
        let everything = Limits {
            selective: false,
            ..Limits::depth(60)
        };
        assert_eq!(steps(&everything, 26, Duration::ZERO), (21, vec![5]));
    }

    #[test]
    fn the_search_ends_with_the_required_confidence() {
        let solve = |confidence, empties| {
            let limits = Limits {
                confidence,
                ..Limits::depth(60)
            };
            steps(&limits, empties, Duration::ZERO).1
        };
        assert_eq!(solve(99, 26), [0, 4]);
        assert_eq!(solve(90, 26), [0, 2]);
        assert_eq!([0, 79].map(|confidence| solve(confidence, 26)), [[0], [0]]);
        assert_eq!(solve(79, 17), [5]);
        let limits = |limits| Limits {
            confidence: 95,
            ..limits
        };
        let few_nodes = limits(Limits::nodes(240_000));
        assert_eq!(steps(&few_nodes, 24, Duration::ZERO).1, [0, 1, 2]);
        let everything = limits(Limits {
            selective: false,
            ..Limits::depth(60)
        });
        assert_eq!(steps(&everything, 24, Duration::ZERO).1, [5]);
        let outcome = limits(Limits {
            goal: Goal::WinDrawLoss,
            ..Limits::depth(60)
        });
        assert_eq!(steps(&outcome, 24, Duration::ZERO).1, [5]);
    }

    #[test]
    fn a_solution_that_does_not_fit_the_clock_is_approached_in_steps() {
        let ms = Duration::from_millis;
        let game = |soft, hard, empties| {
            let budget = TimeBudget {
                soft: ms(soft),
                hard: ms(hard),
                ..TimeBudget::UNLIMITED
            };
            let limits = Limits {
                time: Some(budget),
                ..Limits::default()
            };
            steps(&limits, empties, ms(10))
        };
        // Each step may begin only in a smaller part of the soft limit.
        assert_eq!(game(400, 2_000, 26), (18, vec![0, 1]));
        assert_eq!(game(800, 4_000, 26), (18, vec![0, 1, 2, 3]));
        // A step that does not fit the hard limit is not begun; another ply reduces its cost.
        assert_eq!(game(400, 600, 26), (22, vec![0, 1]));
        assert_eq!(game(240, 300, 26), (20, vec![]));
        // The solution as soon as it fits; with fewer than 18 empties at once.
        assert_eq!(game(800, 4_000, 20), (12, vec![0, 5]));
        assert_eq!(game(800, 40_000, 17), (7, vec![5]));
        assert_eq!(game(240, 800, 17), (9, vec![0, 1, 2]));
        // A fixed time is used up.
        assert_eq!(game(1_000, 1_000, 26).1, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn without_limits_the_search_ends_with_the_solution() {
        for empties in 1..60 {
            let depths = depths(&Limits::default(), empties, false, Duration::ZERO);
            assert_eq!(depths.last(), Some(&empties));
            assert!(depths.is_sorted(), "{depths:?}");
            let (_, levels) = steps(&Limits::default(), empties, Duration::ZERO);
            assert_eq!(levels.last(), Some(&Selectivity::NONE.index()));
        }
    }

    #[test]
    fn a_node_limit_prevents_solutions_that_cannot_finish() {
        let levels = |nodes| steps(&Limits::nodes(nodes), 24, Duration::ZERO).1;
        // Each iteration takes 1,000 nodes here.
        assert_eq!(levels(100_000_000), [0, 5]);
        assert_eq!(levels(240_000), [0, 1, 2, 3, 4, 5]);
        assert!(
            Plan::new(&Limits::nodes(1_000_000), 24, false)
                .next(&Progress {
                    effort: Some(Effort::full(18)),
                    nodes: 900_000,
                    elapsed: Duration::ZERO,
                    history: IterationHistory::default(),
                })
                .is_some_and(|effort| effort.depth == 19)
        );
    }
}
