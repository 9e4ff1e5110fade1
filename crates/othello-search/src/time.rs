//! The time manager: a pure function from a clock to a budget.

use std::time::Duration;

/// The time budget of one search, counted from [`Limits::start`](crate::Limits::start).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new iteration begins after this time.
    pub soft: Duration,
    /// The iteration in progress is abandoned at this time, or earlier, by up to half, if threads stall so long that
    /// the answer might come after the [`limit`](Self::limit).
    pub hard: Duration,
    /// The time at which the answer is late on the other side's clock; [`Duration::MAX`] if there is no such time.
    pub limit: Duration,
}

impl TimeBudget {
    /// An unlimited budget.
    pub const UNLIMITED: Self = Self {
        soft: Duration::MAX,
        hard: Duration::MAX,
        limit: Duration::MAX,
    };

    /// Thinks for exactly this long, unless the position is solved earlier.
    pub const fn fixed(time: Duration) -> Self {
        Self {
            soft: time,
            hard: time,
            limit: Duration::MAX,
        }
    }

    /// Returns whether the time is to be used up.
    pub(crate) fn is_fixed(self) -> bool {
        self.soft >= self.hard
    }

    /// The element-wise minimum of two budgets.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self {
            soft: self.soft.min(other.soft),
            hard: self.hard.min(other.hard),
            limit: self.limit.min(other.limit),
        }
    }

    /// The time at which a search with this longest stall must end.
    ///
    /// The answer may wait [`WAITS`] times for a processor between the end of the search and the other side's clock,
    /// each time as long as the longest stall. These waits must fit after the end, unless that would cost more than
    /// half of the time.
    pub(crate) fn end(self, max_stall: Duration) -> Duration {
        let waits = max_stall.saturating_mul(WAITS);
        let last = self.limit.saturating_sub(waits);
        last.max(self.hard / 2).min(self.hard)
    }
}

/// The number of times an answer may wait for a processor: the thread that reads the question, the search at its end,
/// the thread that writes the answer, and the other side.
const WAITS: u32 = 4;

/// A player's clock at the start of its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time left for the whole game, or `None` for no limit.
    pub remaining: Option<Duration>,
    /// The limit for this move alone, or `None` for no limit.
    pub move_limit: Option<Duration>,
    /// The time added to the game clock by each move.
    pub increment: Duration,
    /// The time kept back from every limit for delays outside the search: start-up, pipes, other processes on the
    /// machine.
    pub reserve: Duration,
}

/// The maximum number of empty squares at which a solution takes nearly no time.
const SOLVED_EMPTIES: u32 = 14;
/// The maximum number of empty squares at which the allocation expects a solution.
const HARD_EMPTIES: u32 = 28;

/// Allocates the time budget of a move under `clock`, with `empties` empty squares on the board.
///
/// The hard limit never exceeds the time left after the reserve under any of the clock's limits. From a game clock the
/// move takes an equal share of the moves that still need thought: those before the solver is expected to solve the
/// position in a thirtieth of the time. A move may take up to three times its share, but never more than half of the
/// remaining time while more than 14 squares are empty.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use othello_search::{Clock, allocate};
///
/// let clock = Clock { remaining: Some(Duration::from_secs(60)), ..Clock::default() };
/// let budget = allocate(&clock, 50);
/// assert!(budget.soft <= budget.hard && budget.hard < Duration::from_secs(30));
/// ```
pub fn allocate(clock: &Clock, empties: u32) -> TimeBudget {
    let of_move = clock.move_limit.map(|limit| TimeBudget {
        limit: late(limit, clock),
        ..TimeBudget::fixed(limit.saturating_sub(clock.reserve))
    });
    let of_game = clock.remaining.map(|left| TimeBudget {
        limit: late(left, clock),
        ..share(left.saturating_sub(clock.reserve), clock, empties)
    });
    let budgets = [of_game, of_move].into_iter().flatten();
    budgets.fold(TimeBudget::UNLIMITED, TimeBudget::min)
}

/// The time at which an answer is late; never without a reserve.
fn late(limit: Duration, clock: &Clock) -> Duration {
    if clock.reserve.is_zero() {
        Duration::MAX
    } else {
        limit
    }
}

/// The budget of one move from a game clock with `usable` time.
fn share(usable: Duration, clock: &Clock, empties: u32) -> TimeBudget {
    let moves_to_search = empties.saturating_sub(solved_empties(usable)).div_ceil(2) + 1;
    let share = (usable / moves_to_search).saturating_add(clock.increment / 4 * 3);
    let max = if empties > SOLVED_EMPTIES {
        usable / 2
    } else {
        usable / 10 * 9
    };
    TimeBudget {
        // Always below the hard limit, since equal limits would mean a fixed time.
        soft: share.min(max) / 5 * 3,
        hard: share.saturating_mul(3).min(max),
        ..TimeBudget::UNLIMITED
    }
}

/// The maximum number of empties whose solution is expected to take at most a thirtieth of `usable`.
fn solved_empties(usable: Duration) -> u32 {
    let fits = |empties: &u32| solution_time(*empties) <= usable / 30;
    (SOLVED_EMPTIES + 1..=HARD_EMPTIES)
        .take_while(fits)
        .last()
        .unwrap_or(SOLVED_EMPTIES)
}

/// The approximate time to solve `empties` empty squares: 0.1 ms for ten, and 2.1 times as long for each further one,
/// as measured in positions of games.
pub(crate) fn solution_time(empties: u32) -> Duration {
    let growth: f64 = 2.1;
    Duration::from_secs_f64(0.0001 * growth.powi(empties as i32 - 10))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Mostly times typical of a game, and the extremes.
    fn duration() -> impl Strategy<Value = Duration> {
        prop_oneof![
            Just(Duration::ZERO),
            Just(Duration::MAX),
            (0..2_000_000_u64).prop_map(Duration::from_micros),
            (0..7_200_000_u64).prop_map(Duration::from_millis),
        ]
    }

    prop_compose! {
        fn clock()(
            remaining in prop::option::of(duration()),
            move_limit in prop::option::of(duration()),
            increment in duration(),
            reserve in duration(),
        ) -> Clock {
            Clock { remaining, move_limit, increment, reserve }
        }
    }

    proptest! {
        #[test]
        fn no_limit_is_ever_exceeded(clock in clock(), empties in 0..=64_u32) {
            let budget = allocate(&clock, empties);
            prop_assert!(budget.soft <= budget.hard && budget.hard <= budget.limit);
            for limit in [clock.remaining, clock.move_limit].into_iter().flatten() {
                prop_assert!(budget.hard <= limit.saturating_sub(clock.reserve));
            }
        }

        #[test]
        fn a_game_fits_its_clock_while_there_is_time_to_think(
            game in 0..1_800_000_u64,
            reserve in 0..50_u64,
            overhead in 0..20_u64,
        ) {
            // Every move takes its full budget and some time outside the search. While there is time to think there is
            // time for both; after that the reserve pays as long as it lasts.
            let overhead = Duration::from_millis(overhead.min(reserve));
            let mut left = Duration::from_millis(game);
            let reserve = Duration::from_millis(reserve);
            for empties in (1..=60).rev().step_by(2) {
                let clock = Clock { remaining: Some(left), reserve, ..Clock::default() };
                let budget = allocate(&clock, empties);
                prop_assert!(empties <= SOLVED_EMPTIES || budget.hard <= left / 2);
                if budget.hard.is_zero() {
                    left = left.saturating_sub(overhead);
                } else {
                    left = left.checked_sub(budget.hard + overhead).expect("in time");
                }
            }
        }

        #[test]
        fn more_time_on_the_clock_is_never_less_for_the_move(
            less in duration(), more in duration(), empties in 0..=64_u32,
        ) {
            let budget = |remaining| {
                allocate(&Clock { remaining: Some(remaining), ..Clock::default() }, empties)
            };
            let (less, more) = (less.min(more), less.max(more));
            prop_assert!(budget(less).hard <= budget(more).hard);
            prop_assert!(budget(less).soft <= budget(more).soft);
        }
    }

    #[test]
    fn more_time_means_an_earlier_solution() {
        let seen = |millis| solved_empties(Duration::from_millis(millis));
        assert_eq!(
            [0, 100, 1_000, 10_000, 60_000].map(seen),
            [14, 14, 17, 20, 23]
        );
        assert_eq!(solved_empties(Duration::MAX), HARD_EMPTIES);
    }

    #[test]
    fn a_move_limit_alone_is_used_up_to_the_reserve() {
        let clock = Clock {
            move_limit: Some(Duration::from_secs(2)),
            reserve: Duration::from_millis(100),
            ..Clock::default()
        };
        let budget = TimeBudget {
            limit: Duration::from_secs(2),
            ..TimeBudget::fixed(Duration::from_millis(1900))
        };
        assert_eq!(allocate(&clock, 30), budget);
    }

    #[test]
    fn a_busy_machine_ends_a_search_earlier() {
        let ms = Duration::from_millis;
        let budget = TimeBudget {
            limit: ms(100),
            ..TimeBudget::fixed(ms(80))
        };
        // Four waits of 5 ms fit into the reserve of 20 ms.
        let ends = |max_stall| budget.end(ms(max_stall));
        assert_eq!([0, 5, 6, 10].map(ends), [80, 80, 76, 60].map(ms));
        // At most half of the time is given up.
        assert_eq!([15, 16, 1 << 50].map(ends), [40; 3].map(ms));
        let alone = TimeBudget::fixed(ms(80));
        assert_eq!(alone.end(ms(1 << 50)), ms(80));
    }

    #[test]
    fn without_a_reserve_stalls_do_not_shorten_the_search() {
        let second = Duration::from_secs(1);
        let limit = |reserve| {
            let clock = Clock {
                remaining: Some(second),
                move_limit: Some(second / 2),
                reserve,
                ..Clock::default()
            };
            allocate(&clock, 30).limit
        };
        assert_eq!(limit(Duration::ZERO), Duration::MAX);
        assert_eq!(limit(second / 10), second / 2);
    }

    #[test]
    fn without_a_clock_nothing_bounds_the_search() {
        assert_eq!(allocate(&Clock::default(), 30), TimeBudget::UNLIMITED);
    }

    #[test]
    fn an_opening_move_gets_its_fair_share_of_the_game() {
        let clock = Clock {
            remaining: Some(Duration::from_mins(4)),
            ..Clock::default()
        };
        let budget = allocate(&clock, 60);
        // Up to 25 empties are solved in less than 8 seconds.
        let share = Duration::from_mins(4) / 19;
        assert!(budget.soft > share / 2 && budget.soft < share, "{budget:?}");
        assert_eq!(budget.hard, 3 * share);
    }
}
