//! The time manager: a pure function from a clock to a budget.

use std::time::Duration;

/// How long one search may think, counted from [`Limits::start`](crate::Limits::start).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// After this no new iteration is begun.
    pub soft: Duration,
    /// After this the iteration in progress is abandoned.
    pub hard: Duration,
}

impl TimeBudget {
    /// No bound at all.
    pub const UNLIMITED: Self = Self {
        soft: Duration::MAX,
        hard: Duration::MAX,
    };

    /// Thinks for exactly this long, unless the position is solved before.
    pub const fn fixed(time: Duration) -> Self {
        Self {
            soft: time,
            hard: time,
        }
    }
}

/// A player's clock when its turn begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left for the whole game, or `None` without such a limit.
    pub remaining: Option<Duration>,
    /// The limit for this move alone, or `None` without one.
    pub move_limit: Option<Duration>,
    /// What each move adds to the game's clock.
    pub increment: Duration,
    /// What is kept back from every limit for what happens outside the search: start-up, pipes,
    /// other processes on the machine.
    pub reserve: Duration,
}

/// Below so many empties a solved game costs next to nothing.
const SOLVED_EMPTIES: u32 = 14;

/// The budget of a move under `clock`, with `empties` empty squares on the board.
///
/// The hard limit never exceeds what any of the clock's limits leaves after the reserve. From a
/// game clock it takes the share of one of the moves that still need thought: those until the
/// solver sees the end. A move may overdraw its share threefold, but never takes more than half of
/// what is left while other such moves follow.
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
    let of_move = clock
        .move_limit
        .map(|limit| limit.saturating_sub(clock.reserve));
    let of_game = clock
        .remaining
        .map(|left| share(left.saturating_sub(clock.reserve), clock, empties));
    match (of_game, of_move) {
        (None, None) => TimeBudget::UNLIMITED,
        (None, Some(limit)) => TimeBudget::fixed(limit),
        (Some(budget), limit) => {
            let limit = limit.unwrap_or(Duration::MAX);
            TimeBudget {
                soft: budget.soft.min(limit),
                hard: budget.hard.min(limit),
            }
        }
    }
}

/// One move's budget from a game clock with `usable` time.
fn share(usable: Duration, clock: &Clock, empties: u32) -> TimeBudget {
    let thoughtful_moves = empties.saturating_sub(SOLVED_EMPTIES).div_ceil(2) + 1;
    let fair = (usable / thoughtful_moves).saturating_add(clock.increment / 2);
    let most = if thoughtful_moves > 1 {
        usable / 2
    } else {
        usable * 9 / 10
    };
    TimeBudget {
        soft: (fair / 5).saturating_mul(3).min(most),
        hard: fair.saturating_mul(3).min(most),
    }
}
