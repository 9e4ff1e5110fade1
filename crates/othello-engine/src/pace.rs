//! Time management: the time budget of a move, from the other side's clock, the settings' limits and a reserve.

use std::time::Duration;

use boardgame_core::{game_reserve, min_share, move_reserve};
use othello_search::{Clock, TimeBudget, allocate};

/// The number of moves of one side in a game without passes.
const MOVES: u32 = 30;

/// The settings' limits on the thinking time, and the account of the game in progress.
///
/// The tightest of these limits and the clock's applies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// The maximum time for a move.
    move_time: Option<Duration>,
    /// The maximum time for a game, counted over all its moves.
    game_time: Option<Duration>,
    /// The time to keep back from every limit, or `None` for a share of it: see [`Pace::budget`].
    reserve: Option<Duration>,
    account: Account,
}

/// The time account of the game in progress.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// The number of empty squares at the last move; a position with more starts a new game.
    empties: u32,
    /// The largest game clock seen, which is the limit for the whole game.
    whole: Duration,
    /// The time used so far.
    spent: Duration,
}

impl Pace {
    /// Creates a pace with these limits.
    pub(crate) fn new(
        move_time: Option<Duration>,
        game_time: Option<Duration>,
        reserve: Option<Duration>,
    ) -> Self {
        Self {
            move_time,
            game_time,
            reserve,
            account: Account::default(),
        }
    }

    /// Starts the account of a new game.
    pub(crate) fn new_game(&mut self) {
        self.account = Account::default();
    }

    /// Returns the budget of a move under `clock`, counted from the start of the move's time.
    ///
    /// Without a reserve in the settings, keeps back [`move_reserve`] and [`game_reserve`], but always allows
    /// [`min_share`] of the time left for a game. A larger reserve of the clock takes precedence.
    pub(crate) fn budget(&mut self, clock: &Clock, empties: u32) -> TimeBudget {
        if empties > self.account.empties {
            self.new_game();
        }
        self.account.empties = empties;
        let of_game = self.game_budget(clock, empties);
        let of_move = self.move_budget(clock, empties);
        of_game.min(of_move)
    }

    /// Adds the time of the last move to the account.
    pub(crate) fn spend(&mut self, time: Duration) {
        self.account.spent += time;
    }

    fn game_budget(&mut self, clock: &Clock, empties: u32) -> TimeBudget {
        let own = self
            .game_time
            .map(|limit| limit.saturating_sub(self.account.spent));
        let Some(left) = tightest(clock.remaining, own) else {
            return TimeBudget::UNLIMITED;
        };
        self.account.whole = self.account.whole.max(left);
        let whole = self.account.whole;
        let of_game = Clock {
            remaining: Some(left),
            move_limit: None,
            increment: clock.increment,
            reserve: self
                .reserve
                .unwrap_or_else(|| game_reserve(whole, MOVES))
                .max(clock.reserve),
        };
        let budget = allocate(&of_game, empties);
        if self.reserve.is_some() {
            return budget;
        }
        let least = min_share(left);
        TimeBudget {
            soft: budget.soft.max(least),
            hard: budget.hard.max(least),
            ..budget
        }
    }

    fn move_budget(&self, clock: &Clock, empties: u32) -> TimeBudget {
        let Some(limit) = tightest(clock.move_limit, self.move_time) else {
            return TimeBudget::UNLIMITED;
        };
        let of_move = Clock {
            move_limit: Some(limit),
            reserve: self
                .reserve
                .unwrap_or_else(|| move_reserve(limit))
                .max(clock.reserve),
            ..Clock::default()
        };
        allocate(&of_move, empties)
    }
}

fn tightest(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    [one, other].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;
    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn clock(game: Option<Duration>, per_move: Option<Duration>) -> Clock {
        Clock {
            remaining: game,
            move_limit: per_move,
            ..Clock::default()
        }
    }

    fn hard(pace: &mut Pace, game: Option<Duration>, per_move: Option<Duration>) -> Duration {
        pace.budget(&clock(game, per_move), 60).hard
    }

    #[test]
    fn without_limits_the_budget_is_unlimited() {
        let budget = Pace::default().budget(&Clock::default(), 60);
        assert_eq!(budget, TimeBudget::UNLIMITED);
    }

    #[test]
    fn the_reserve_is_kept_back_from_a_move() {
        let limit = Some(MS(2_000));
        assert_eq!(hard(&mut Pace::default(), None, limit), MS(1_800));
        let mut pace = Pace::new(None, None, Some(MS(500)));
        assert_eq!(hard(&mut pace, None, Some(MS(2_000))), MS(1_500));
        assert_eq!(hard(&mut pace, None, Some(MS(300))), Duration::ZERO);
    }

    #[test]
    fn the_tightest_limit_applies() {
        let mut pace = Pace::new(Some(MS(100)), None, Some(Duration::ZERO));
        assert_eq!(hard(&mut pace, None, Some(MS(2_000))), MS(100));
        assert_eq!(hard(&mut pace, None, Some(MS(50))), MS(50));
        assert_eq!(hard(&mut pace, Some(MS(1_800_000)), None), MS(100));
        assert!(hard(&mut pace, Some(MS(60)), None) < MS(60));
    }

    #[test]
    fn a_game_never_exceeds_the_settings_game_time() {
        let mut pace = Pace::new(None, Some(MS(1_000)), None);
        let mut spent = Duration::ZERO;
        for empties in (1..=60).rev().step_by(2) {
            let budget = pace.budget(&Clock::default(), empties);
            pace.spend(budget.hard);
            spent += budget.hard;
        }
        assert!(spent < MS(1_000), "{spent:?}");
    }

    #[test]
    fn a_clock_within_the_reserve_still_allows_a_short_search() {
        let left = Some(MS(640));
        let mut pace = Pace::default();
        hard(&mut pace, Some(MS(5_000)), None);
        assert_eq!(hard(&mut pace, left, None), MS(640) / 256);
        let mut pace = Pace::new(None, None, Some(MS(1_000)));
        assert_eq!(hard(&mut pace, left, None), Duration::ZERO);
    }

    #[test]
    fn a_short_game_survives_lag_outside_the_engines_clock() {
        let whole = MS(1_000);
        let (mut left, mut theirs) = (whole, Duration::ZERO);
        let mut pace = Pace::default();
        for empties in (1..=60_u32).rev().step_by(2) {
            let used = pace.game_budget(&clock(Some(left), None), empties).hard;
            left -= used;
            theirs += used + MS(15);
        }
        assert!(theirs <= whole, "{theirs:?}");
    }

    #[test]
    fn a_new_game_starts_a_new_account() {
        let mut pace = Pace::new(None, Some(MS(1_000)), None);
        let first = hard(&mut pace, None, None);
        pace.spend(MS(1_000));
        let later = pace.budget(&Clock::default(), 59);
        assert_eq!(later.hard, Duration::ZERO);
        assert_eq!(hard(&mut pace, None, None), first);
        pace.spend(MS(1_000));
        assert_eq!(hard(&mut pace, None, None), Duration::ZERO);
        pace.new_game();
        assert_eq!(hard(&mut pace, None, None), first);
    }

    #[test]
    fn the_larger_of_two_reserves_is_kept_back() {
        let of_move = |own, reserve| {
            let clock = Clock {
                reserve: MS(reserve),
                ..clock(None, Some(MS(1_000)))
            };
            Pace::new(None, None, own).budget(&clock, 60).hard
        };
        assert_eq!(of_move(None, 10), MS(900));
        assert_eq!(of_move(None, 300), MS(700));
        assert_eq!(of_move(Some(MS(200)), 300), MS(700));
        assert_eq!(of_move(Some(MS(400)), 300), MS(600));
    }

    #[test]
    fn an_increment_lengthens_a_move() {
        let soft = |increment| {
            let clock = Clock {
                increment: MS(increment),
                ..clock(Some(MS(60_000)), None)
            };
            Pace::default().budget(&clock, 60).soft
        };
        assert!(soft(1_000) > soft(0) + MS(400));
    }
}
