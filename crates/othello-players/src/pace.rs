//! How long to think: the format's clock, the user's limits and a reserve joined.

use std::time::Duration;

use othello_proto::session::{Clock, Task};
use othello_search::{TimeBudget, allocate};

/// What a move costs on the other side's clock beyond what ours sees: twice a pipe, and twice the
/// wait for a processor where others are busy.
const LAG: Duration = Duration::from_millis(15);

/// The most moves that a player makes in a game, passes apart: as good as ever.
const MOVES: u32 = 30;

/// However much is kept back from a game, a move may take the time left divided by this: the end of
/// a game takes milliseconds to solve, and must not be played without a thought.
const LEAST_SHARE: u32 = 256;

/// The user's limits on the thinking time, and the account of a game.
///
/// The limits of the format hold beside them; of all that apply, the tightest counts.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// The most for a move.
    pub move_time: Option<Duration>,
    /// The most for a game, counted over all its moves.
    pub game_time: Option<Duration>,
    /// What to keep back from every limit; `None` is a share of it: see [`Pace::budget`].
    pub reserve: Option<Duration>,
    account: Account,
}

/// What is known of the game in progress.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// The empty squares at the last move: a game whose squares grow is a new one.
    empties: u32,
    /// The largest game clock seen: the format's limit for the whole game.
    whole: Duration,
    /// The time used so far.
    spent: Duration,
}

impl Pace {
    /// A pace within these limits.
    pub fn new(
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

    /// The budget of a task, counted from its clock's start.
    ///
    /// Without a reserve of the user's, a tenth of a move's limit is kept back, but between 20 and
    /// 200 ms and at most half of it; and an eighth of the limit for the game, but between 50 ms
    /// and 3 s, and besides 15 ms for each move of a game, altogether at most half of the limit:
    /// the other side's clock runs ahead of ours by a little at every move. A 256th of what is left of
    /// a game may be used all the same.
    pub fn budget(&mut self, task: &Task) -> TimeBudget {
        let empties = task.board.empties().count();
        if empties > self.account.empties {
            self.account = Account::default();
        }
        self.account.empties = empties;
        let of_game = self.game_budget(task.clock, empties);
        let of_move = self.move_budget(task.clock, empties);
        of_game.min(of_move)
    }

    /// Books the time that the last task took.
    pub fn spend(&mut self, time: Duration) {
        self.account.spent += time;
    }

    fn game_budget(&mut self, clock: Clock, empties: u32) -> TimeBudget {
        let own = self
            .game_time
            .map(|limit| limit.saturating_sub(self.account.spent));
        let Some(left) = tightest(clock.game, own) else {
            return TimeBudget::UNLIMITED;
        };
        self.account.whole = self.account.whole.max(left);
        let whole = self.account.whole;
        let share = (bounded(whole / 8, 50, 3_000) + LAG * MOVES).min(whole / 2);
        let clock = othello_search::Clock {
            remaining: Some(left),
            reserve: self.reserve.unwrap_or(share),
            ..othello_search::Clock::default()
        };
        let budget = allocate(&clock, empties);
        if self.reserve.is_some() {
            return budget;
        }
        let least = left / LEAST_SHARE;
        TimeBudget {
            soft: budget.soft.max(least),
            hard: budget.hard.max(least),
            ..budget
        }
    }

    fn move_budget(&self, clock: Clock, empties: u32) -> TimeBudget {
        let Some(limit) = tightest(clock.per_move, self.move_time) else {
            return TimeBudget::UNLIMITED;
        };
        let share = bounded(limit / 10, 20, 200).min(limit / 2);
        let clock = othello_search::Clock {
            move_limit: Some(limit),
            reserve: self.reserve.unwrap_or(share),
            ..othello_search::Clock::default()
        };
        allocate(&clock, empties)
    }
}

fn tightest(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    [one, other].into_iter().flatten().min()
}

/// `time`, but no less and no more than so many milliseconds.
fn bounded(time: Duration, least: u64, most: u64) -> Duration {
    time.clamp(Duration::from_millis(least), Duration::from_millis(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::{Board, Square};
    use othello_proto::session::{Effort, TaskId, Timestamp};

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn task(board: Board, game: Option<Duration>, per_move: Option<Duration>) -> Task {
        Task {
            id: TaskId(1),
            board,
            moves: board.legal_moves(),
            clock: Clock {
                per_move,
                ..game_clock(game)
            },
            effort: Effort::default(),
        }
    }

    fn game_clock(game: impl Into<Option<Duration>>) -> Clock {
        Clock {
            started: Timestamp::ORIGIN,
            game: game.into(),
            per_move: None,
        }
    }

    fn hard(pace: &mut Pace, game: Option<Duration>, per_move: Option<Duration>) -> Duration {
        pace.budget(&task(Board::START, game, per_move)).hard
    }

    #[test]
    fn without_any_limit_there_is_none() {
        let budget = Pace::default().budget(&task(Board::START, None, None));
        assert_eq!(budget, TimeBudget::UNLIMITED);
    }

    #[test]
    fn the_reserve_is_kept_back_from_a_move() {
        let of_move = |limit| hard(&mut Pace::default(), None, Some(MS(limit)));
        assert_eq!(of_move(2_000), MS(1_800));
        assert_eq!(of_move(10_000), MS(9_800));
        assert_eq!(of_move(100), MS(80));
        assert_eq!(of_move(20), MS(10));
        let mut pace = Pace::new(None, None, Some(MS(500)));
        assert_eq!(hard(&mut pace, None, Some(MS(2_000))), MS(1_500));
        assert_eq!(hard(&mut pace, None, Some(MS(300))), Duration::ZERO);
    }

    #[test]
    fn the_tightest_limit_counts() {
        let mut pace = Pace::new(Some(MS(100)), None, Some(Duration::ZERO));
        assert_eq!(hard(&mut pace, None, Some(MS(2_000))), MS(100));
        assert_eq!(hard(&mut pace, None, Some(MS(50))), MS(50));
        assert_eq!(hard(&mut pace, Some(MS(1_800_000)), None), MS(100));
        assert!(hard(&mut pace, Some(MS(60)), None) < MS(60));
    }

    #[test]
    fn a_game_of_the_users_clock_never_takes_more_than_its_time() {
        let mut pace = Pace::new(None, Some(MS(1_000)), None);
        let mut board = Board::START;
        let mut spent = Duration::ZERO;
        while let Some(square) = board.legal_moves().iter().next() {
            let budget = pace.budget(&task(board, None, None));
            pace.spend(budget.hard);
            spent += budget.hard;
            board.play(square).unwrap();
            if board.must_pass() {
                board = board.passed();
            }
        }
        assert!(spent < MS(1_000), "{spent:?}");
    }

    #[test]
    fn a_clock_within_the_reserve_still_allows_a_glance() {
        let left = Some(MS(640));
        let mut pace = Pace::default();
        hard(&mut pace, Some(MS(5_000)), None);
        assert_eq!(hard(&mut pace, left, None), MS(640) / 256);
        let mut pace = Pace::new(None, None, Some(MS(1_000)));
        assert_eq!(hard(&mut pace, left, None), Duration::ZERO);
    }

    #[test]
    fn a_short_game_survives_the_lag_that_our_clock_does_not_see() {
        let whole = MS(1_000);
        let (mut left, mut theirs) = (whole, Duration::ZERO);
        let mut pace = Pace::default();
        for empties in (1..=60_u32).rev().step_by(2) {
            let used = pace.game_budget(game_clock(left), empties).hard;
            left -= used;
            theirs += used + LAG;
        }
        assert!(theirs <= whole, "{theirs:?}");
    }

    #[test]
    fn a_new_game_has_a_new_account() {
        let mut pace = Pace::new(None, Some(MS(1_000)), None);
        let first = hard(&mut pace, None, None);
        pace.spend(MS(1_000));
        let mut later = Board::START;
        later.play(Square::F5).unwrap();
        assert_eq!(pace.budget(&task(later, None, None)).hard, Duration::ZERO);
        assert_eq!(hard(&mut pace, None, None), first);
    }
}
