//! When to deepen, when to turn to the exact solution, and when to stop.

use std::time::{Duration, Instant};

use crate::{
    Limits,
    course::Course,
    selectivity::{Effort, Selectivity},
};

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// Of the last iteration completed, if any.
    pub(crate) effort: Option<Effort>,
    /// The nodes so far.
    pub(crate) nodes: u64,
    /// The time so far.
    pub(crate) elapsed: Duration,
    /// What the iterations so far reveal.
    pub(crate) course: Course,
}

/// The limits of a search, applied to one position.
pub(crate) struct Plan<'a> {
    limits: &'a Limits,
    empties: u32,
    /// Whether there is only one move to choose from.
    forced: bool,
}

/// Nodes a second assumed of the solver until the search has shown its own rate.
const SOLVER_RATE: u64 = 10_000_000;
/// How much faster the solver counts nodes than the midgame search.
const SOLVER_GAIN: u64 = 4;
/// From so many plies before the end on, the boldest search to the end is next if it fits.
const NEAR: u32 = 10;
/// What it takes from there, in terms of the time so far (medians of 20 to 26 empties: 1.1 to 2.5),
const LEAP: f64 = 2.5;
/// and how much of that with each ply nearer to the end.
const LEAP_BY_PLY: f64 = 0.75;
/// What each more careful search to the end takes in terms of all before (medians: 0.2 to 1.0).
const STEP: f64 = 0.8;
/// And how much less of the soft limit may have passed for each: the second finds the best move
/// nearly always.
const STEP_WORTH: f64 = 0.6;
/// Before this, a rate cannot be told.
const MEASURABLE: Duration = Duration::from_millis(5);

impl<'a> Plan<'a> {
    pub(crate) fn new(limits: &'a Limits, empties: u32, forced: bool) -> Self {
        Self {
            limits,
            empties,
            forced,
        }
    }

    /// The effort of the next iteration, or `None` when the search is done.
    pub(crate) fn next(&self, progress: &Progress) -> Option<Effort> {
        let last = progress.effort.unwrap_or(Effort::full(0));
        let exact = Effort::full(self.empties);
        if last == exact {
            return None;
        }
        let time = self.limits.time.filter(|_| last.depth > 0);
        if self.forced && time.is_some() {
            return None;
        }
        let prepared = preparation(self.empties);
        let wipe_out = progress.course.sees_wipe_out() && last.depth >= prepared / 2;
        if (last.depth >= prepared || wipe_out) && self.solution_fits(progress) {
            return Some(exact);
        }
        if last.depth >= self.empties {
            let bolder = Effort::new(self.empties, last.selectivity.next());
            return self
                .next_to_the_end_fits(bolder, progress)
                .then_some(bolder);
        }
        let deepest = self.limits.depth.unwrap_or(u32::MAX).max(1);
        if time.is_some_and(|budget| !progress.course.allows_another(budget, progress.elapsed)) {
            return None;
        }
        if self.first_to_the_end_fits(last.depth, progress) {
            return Some(Effort::new(self.empties, Selectivity::FIRST));
        }
        (last.depth < deepest || self.solves_by_rule()).then(|| self.deeper(last.depth))
    }

    /// The next depth after this one.
    fn deeper(&self, depth: u32) -> Effort {
        Effort::new(depth + 1, self.selective(MIDGAME))
    }

    fn selective(&self, selectivity: Selectivity) -> Selectivity {
        if self.limits.selective {
            selectivity
        } else {
            Selectivity::NONE
        }
    }

    /// Under a depth limit, whether the position is to be solved at all.
    fn solves_by_rule(&self) -> bool {
        let limits = self.limits;
        limits
            .depth
            .is_some_and(|depth| self.empties <= depth.max(limits.solve_from))
    }

    /// Whether the exact search is wanted, and predicted to fit into what is left.
    fn solution_fits(&self, progress: &Progress) -> bool {
        let limits = self.limits;
        let cost = predicted_nodes(self.empties);
        let by_depth = limits.depth.is_none() || self.solves_by_rule();
        let by_nodes = limits
            .nodes
            .is_none_or(|most| cost <= most.saturating_sub(progress.nodes));
        let by_time = limits.time.is_none_or(|budget| {
            predicted_time(cost, progress) <= budget.soft.saturating_sub(progress.elapsed)
        });
        let unlimited = limits.depth.is_none() && limits.nodes.is_none() && limits.time.is_none();
        let worth_it = !unlimited
            || cost <= progress.nodes.saturating_mul(8)
            || progress
                .effort
                .is_some_and(|effort| effort.depth + 8 >= self.empties);
        by_depth && by_nodes && by_time && worth_it
    }

    /// Whether the boldest search to the end is near, and expected to take no more than half of what
    /// is left.
    fn first_to_the_end_fits(&self, depth: u32, progress: &Progress) -> bool {
        let limits = self.limits;
        let bounded = limits.nodes.is_some() || limits.time.is_some();
        let wanted = bounded && limits.depth.is_none() && limits.selective;
        if !wanted || depth + NEAR < self.empties {
            return false;
        }
        let plies = depth + NEAR - self.empties;
        let growth = LEAP * LEAP_BY_PLY.powi(plies as i32);
        let nodes = progress.nodes as f64 * growth * SOLVER_GAIN as f64;
        let by_nodes = limits
            .nodes
            .is_none_or(|most| nodes <= most.saturating_sub(progress.nodes) as f64 / 2.0);
        let by_time = limits.time.is_none_or(|budget| {
            let left = budget.hard.saturating_sub(progress.elapsed);
            progress.elapsed.mul_f64(growth) <= left / 2
        });
        by_nodes && by_time
    }

    /// Whether a search to the end that is more careful than the last one is worth its time and
    /// expected to fit into what is left.
    fn next_to_the_end_fits(&self, next: Effort, progress: &Progress) -> bool {
        let Limits { nodes, time, .. } = self.limits;
        let by_nodes = nodes.is_none_or(|most| progress.nodes as f64 * (1.0 + STEP) <= most as f64);
        let by_time = time.is_none_or(|budget| {
            let worth = STEP_WORTH.powi(i32::from(next.selectivity.index()) - 1);
            let soft = progress.course.soft_limit(budget);
            let ends = progress.elapsed.mul_f64(1.0 + STEP);
            budget.is_fixed() || (progress.elapsed < soft.mul_f64(worth) && ends <= budget.hard)
        });
        by_nodes && by_time
    }
}

/// What the midgame search leaves out.
const MIDGAME: Selectivity = Selectivity::FIRST;

/// The depth of midgame search that makes the table ready for a search to the end, and finds the
/// move and the value that it begins with; none where the exact search takes but moments.
pub(crate) fn preparation(empties: u32) -> u32 {
    let least = u32::from(empties > 10);
    (empties.saturating_sub(12) * 3 / 2).clamp(least, 22)
}

/// About how many nodes the exact solution takes: the trend of the FFO suite, with a margin of two.
fn predicted_nodes(empties: u32) -> u64 {
    let growth: f64 = 2.1;
    (growth.powi(empties as i32 - 10) * 6_000.0) as u64
}

fn predicted_time(nodes: u64, progress: &Progress) -> Duration {
    let seen = progress.elapsed;
    let rate = if seen < MEASURABLE {
        SOLVER_RATE
    } else {
        (progress.nodes as f64 / seen.as_secs_f64()) as u64 * SOLVER_GAIN
    };
    Duration::from_secs_f64(nodes as f64 / rate.max(1) as f64)
}

/// The time since the search began.
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

    /// When it began.
    pub(crate) fn start(&self) -> Instant {
        self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TimeBudget, score::DISC};

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
    fn a_depth_limit_is_kept_or_the_position_is_solved() {
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
    fn where_a_wipe_out_shows_it_is_proven_without_more_preparation() {
        let after = |depth, scores: [i32; 2]| {
            let mut course = Course::default();
            for score in scores {
                course.record(othello_core::Square::A1, score * DISC, Duration::ZERO);
            }
            let progress = Progress {
                effort: Some(Effort::full(depth)),
                course,
                ..Progress::default()
            };
            Plan::new(&Limits::depth(26), 26, false).next(&progress)
        };
        let next = |depth| Some(Effort::new(depth, MIDGAME));
        assert_eq!(after(10, [64, 64]), Some(Effort::full(26)));
        assert_eq!(after(10, [64, 40]), next(11));
        assert_eq!(after(4, [64, 64]), next(5));
    }

    #[test]
    fn after_the_soft_limit_nothing_is_begun() {
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
        // What can be solved is solved at once.
        assert_eq!(depths(&limits, 8, false, second), [8]);
    }

    #[test]
    fn towards_a_solution_that_does_not_fit_it_goes_step_by_step() {
        let ms = Duration::from_millis;
        let limits = |budget| Limits {
            time: Some(budget),
            ..Limits::default()
        };
        // The steps to the end, and the last ply before them, if each iteration takes so long.
        let steps = |budget, pace: u64| {
            let limits = limits(budget);
            let plan = Plan::new(&limits, 26, false);
            let mut progress = Progress::default();
            let (mut midgame, mut levels) = (0, Vec::new());
            while let Some(effort) = plan.next(&progress) {
                if effort.depth < 26 {
                    midgame = effort.depth;
                } else {
                    levels.push(effort.selectivity.index());
                }
                progress.effort = Some(effort);
                progress.elapsed += ms(pace);
                progress.nodes += 5_000 * pace;
            }
            (midgame, levels)
        };
        let game = |soft| TimeBudget {
            soft: ms(soft),
            hard: ms(5 * soft),
            ..TimeBudget::UNLIMITED
        };
        // After the sixteenth ply; each step must be worth more than the one before.
        assert_eq!(steps(game(400), 10), (16, vec![0, 1, 2]));
        assert_eq!(steps(game(800), 10), (16, vec![0, 1, 2, 3]));
        // What does not fit is not begun: each ply makes it shorter.
        let hasty = TimeBudget {
            hard: ms(600),
            ..game(400)
        };
        assert_eq!(steps(hasty, 10), (19, vec![0, 1]));
        // A fixed time is used up.
        assert_eq!(
            steps(TimeBudget::fixed(ms(1_000)), 10).1,
            [0, 1, 2, 3, 4, 5]
        );
    }

    #[test]
    fn without_limits_the_search_ends_with_the_solution() {
        for empties in 1..60 {
            let depths = depths(&Limits::default(), empties, false, Duration::ZERO);
            assert_eq!(depths.last(), Some(&empties));
            assert!(depths.is_sorted(), "{depths:?}");
        }
    }

    #[test]
    fn a_node_limit_keeps_the_solver_from_what_it_cannot_finish() {
        let solved = |nodes| depths(&Limits::nodes(nodes), 24, false, Duration::ZERO).contains(&24);
        assert!(
            Plan::new(&Limits::nodes(1_000_000), 24, false)
                .next(&Progress {
                    effort: Some(Effort::full(18)),
                    nodes: 900_000,
                    elapsed: Duration::ZERO,
                    course: Course::default(),
                })
                .is_some_and(|effort| effort.depth == 19)
        );
        assert!(solved(10_000_000_000));
    }
}
