//! The completed iterations of a search, and their effect on its time.

use std::time::Duration;

use othello_core::Square;

use crate::{TimeBudget, score::Units};

/// The facts about completed iterations that matter for time management.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IterationHistory {
    best: Option<Square>,
    /// The scores of the last two iterations, the later one first.
    scores: [Option<Units>; 2],
    /// The drop of the score, halved with each iteration.
    score_drop: Units,
    /// A count of recent changes of the best move, halved with each iteration.
    best_move_instability: f64,
    /// The durations of the last three iterations, latest first.
    took: [Duration; 3],
    /// The end of the last iteration, from the start of the search.
    ended: Duration,
}

/// The share of the soft limit while best move and score are stable.
const STABLE_SHARE: f64 = 0.8;
/// The share of the soft limit added by a change of the best move.
const BEST_MOVE_CHANGE: f64 = 0.5;
/// The share of the soft limit added by each disc of a score drop.
const SCORE_DROP_PER_DISC: f64 = 0.2;
/// The maximum share added by a score drop.
const MAX_SCORE_DROP: f64 = 1.5;

/// The assumed ratio of consecutive iterations' durations, until three are measured.
const GROWTH: f64 = 2.5;
/// The minimum duration for measuring the growth.
const MIN_TIME_FOR_GROWTH: Duration = Duration::from_micros(500);

/// The score above which a position counts as nearly a wipe-out.
const WIPE_OUT: Units = Units::new(63 * Units::DISC.get());

impl IterationHistory {
    /// Records an iteration that ended at `ended`, counted from the start of the search.
    pub(crate) fn record(&mut self, best: Square, score: Units, ended: Duration) {
        let changed = self.best.is_some_and(|before| before != best);
        self.best_move_instability =
            self.best_move_instability / 2.0 + f64::from(u8::from(changed));
        // Scores of even and odd depths differ, so only a fall below both counts as a drop.
        let before = self.scores.into_iter().flatten().min();
        let drop = before.map_or(Units::ZERO, |before| before - score);
        self.score_drop = drop
            .max(Units::new(self.score_drop.get() / 2))
            .max(Units::ZERO);
        self.best = Some(best);
        self.scores = [Some(score), self.scores[0]];
        let took = ended.saturating_sub(self.ended);
        self.took = [took, self.took[0], self.took[1]];
        self.ended = ended;
    }

    /// Returns whether the last two iterations had nearly wipe-out scores. Proving a wipe-out takes few nodes, since a
    /// single stable disc refutes it, while iterations become slow because ProbCut rarely cuts.
    pub(crate) fn sees_wipe_out(&self) -> bool {
        let scores = self.scores.map(Option::unwrap_or_default);
        scores.iter().all(|score| *score >= WIPE_OUT)
            || scores.iter().all(|score| *score <= -WIPE_OUT)
    }

    /// The soft limit adapted to the iterations: shorter while best move and score are stable, longer after a change or
    /// a drop, at most the hard limit.
    ///
    /// A fixed time (equal limits) is used up, since saved time would be lost.
    pub(crate) fn soft_limit(&self, budget: TimeBudget) -> Duration {
        if budget.is_fixed() {
            return budget.hard;
        }
        let drop_in_discs = f64::from(self.score_drop.get()) / f64::from(Units::DISC.get());
        let factor = STABLE_SHARE
            + BEST_MOVE_CHANGE * self.best_move_instability
            + (SCORE_DROP_PER_DISC * drop_in_discs).min(MAX_SCORE_DROP);
        let limit = Duration::try_from_secs_f64(budget.soft.as_secs_f64() * factor);
        limit.map_or(budget.hard, |limit| limit.min(budget.hard))
    }

    /// The expected duration of the next iteration, one ply deeper.
    pub(crate) fn next_iteration(&self) -> Duration {
        let [last, _, third] = self.took;
        let growth = if third < MIN_TIME_FOR_GROWTH {
            GROWTH
        } else {
            // Measured over two plies, because even and odd depths differ.
            (last.as_secs_f64() / third.as_secs_f64()).sqrt()
        };
        last.mul_f64(growth.clamp(1.0, 8.0))
    }

    /// Returns whether there is time for another ply: the soft limit is not reached, and the ply is expected to finish
    /// before the hard limit.
    pub(crate) fn allows_another(&self, budget: TimeBudget, elapsed: Duration) -> bool {
        let ends = elapsed.saturating_add(self.next_iteration());
        elapsed < self.soft_limit(budget) && (ends <= budget.hard || budget.is_fixed())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    const BUDGET: TimeBudget = TimeBudget {
        soft: ms(600),
        hard: ms(3_000),
        limit: Duration::MAX,
    };

    /// The history of iterations with these best moves, scores in discs and times in milliseconds.
    fn history(iterations: &[(Square, i32, u64)]) -> IterationHistory {
        let mut history = IterationHistory::default();
        for &(best, score, ended) in iterations {
            history.record(best, Units::DISC * score, ms(ended));
        }
        history
    }

    #[test]
    fn a_stable_search_takes_less_time_than_one_whose_best_move_changes() {
        use Square::{C4, D3};
        let stable = history(&[(C4, 2, 1), (C4, 2, 2), (C4, 2, 4)]);
        assert_eq!(stable.soft_limit(BUDGET), ms(480));
        let changed = history(&[(C4, 2, 1), (C4, 2, 2), (D3, 2, 4)]);
        assert_eq!(changed.soft_limit(BUDGET), ms(780));
        let settled = history(&[(C4, 2, 1), (C4, 2, 2), (D3, 2, 4), (D3, 2, 8)]);
        assert_eq!(settled.soft_limit(BUDGET), ms(630));
    }

    #[test]
    fn a_score_drop_extends_the_soft_limit() {
        use Square::C4;
        let rising = history(&[(C4, 2, 1), (C4, 4, 2), (C4, 6, 4)]);
        assert_eq!(rising.soft_limit(BUDGET), ms(480));
        let falling = history(&[(C4, 2, 1), (C4, 2, 2), (C4, -3, 4)]);
        assert_eq!(falling.soft_limit(BUDGET), ms(1_080));
        let collapse = history(&[(C4, 2, 1), (C4, 2, 2), (C4, -40, 4)]);
        assert_eq!(collapse.soft_limit(BUDGET), ms(1_380));
        // A difference between odd and even depths is not a drop.
        let alternating = history(&[(C4, 2, 1), (C4, 5, 2), (C4, 2, 4), (C4, 5, 8)]);
        assert_eq!(alternating.soft_limit(BUDGET), ms(480));
    }

    #[test]
    fn no_ply_begins_that_is_expected_not_to_finish() {
        use Square::C4;
        let history = history(&[(C4, 0, 10), (C4, 0, 40), (C4, 0, 130), (C4, 0, 400)]);
        // 30, 90 and 270 ms: the next one would take 810 ms.
        assert_eq!(history.next_iteration(), ms(810));
        let hard = |hard| TimeBudget {
            hard: ms(hard),
            ..BUDGET
        };
        assert!(history.allows_another(hard(1_300), ms(400)));
        assert!(!history.allows_another(hard(1_200), ms(400)));
        assert!(history.allows_another(TimeBudget::fixed(ms(1_200)), ms(400)));
    }

    #[test]
    fn a_wipe_out_is_seen_when_two_iterations_agree_on_it() {
        use Square::C4;
        assert!(history(&[(C4, 64, 1), (C4, 63, 2)]).sees_wipe_out());
        assert!(history(&[(C4, 5, 1), (C4, -64, 2), (C4, -64, 3)]).sees_wipe_out());
        assert!(!history(&[(C4, 64, 1), (C4, 62, 2)]).sees_wipe_out());
        assert!(!history(&[(C4, 64, 1), (C4, -64, 2)]).sees_wipe_out());
        assert!(!history(&[(C4, 64, 1)]).sees_wipe_out());
    }

    #[test]
    fn the_history_is_empty_before_the_first_iteration() {
        let history = IterationHistory::default();
        assert!(history.allows_another(BUDGET, Duration::ZERO));
        assert!(history.allows_another(TimeBudget::UNLIMITED, ms(1 << 40)));
        assert!(!history.allows_another(TimeBudget::fixed(Duration::ZERO), Duration::ZERO));
    }

    fn duration() -> impl Strategy<Value = Duration> {
        prop_oneof![
            Just(Duration::ZERO),
            Just(Duration::MAX),
            (0..7_200_000_u64).prop_map(ms),
        ]
    }

    proptest! {
        #[test]
        fn the_soft_limit_lies_between_its_stable_share_and_the_hard_one(
            soft in duration(),
            hard in duration(),
            iterations in prop::collection::vec((0..3_usize, -64..=64_i32, 0..100_u64), 0..20),
        ) {
            let budget = TimeBudget { soft: soft.min(hard), hard, limit: hard };
            let mut history = IterationHistory::default();
            let mut ended = Duration::ZERO;
            for (best, score, took) in iterations {
                ended += ms(took);
                history.record(Square::ALL[best], Units::DISC * score, ended);
            }
            let limit = history.soft_limit(budget);
            prop_assert!(limit <= budget.hard);
            prop_assert!(limit >= budget.soft.mul_f64(0.79).min(budget.hard));
            prop_assert!(!history.allows_another(budget, budget.hard));
        }

        #[test]
        fn another_fall_never_shortens_the_search(
            scores in prop::collection::vec(-30..=30_i32, 2..12),
            fall in 0..40_i32,
        ) {
            let history = |last: i32| {
                let mut history = IterationHistory::default();
                for (at, &score) in (1..).zip(scores.iter().chain([&last])) {
                    history.record(Square::A1, Units::DISC * score, ms(at));
                }
                history.soft_limit(BUDGET)
            };
            let last = scores[scores.len() - 1];
            prop_assert!(history(last - fall) >= history(last));
        }
    }
}
