//! The pace: the time for a move, from the other side's clock and the limit of the settings.

use std::time::Duration;

use boardgame_core::{game_reserve, min_share, move_reserve};
use go_core::Position;
use go_search::TimeBudget;

/// The time that the engine has. Without any limit, all are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time left for the whole game, without overtime.
    pub remaining: Option<Duration>,
    /// The limit for this move.
    pub move_limit: Option<Duration>,
    /// The time of each move once `remaining` is used up, and of a move that uses it up: altogether, not beside what
    /// was left. `None` if the game is lost then.
    pub overtime: Option<Duration>,
}

/// The limit of the settings on the time of a move, and the account of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// The longest time for a move.
    move_time: Option<Duration>,
    account: Account,
}

/// The account of the game in progress.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// The stones played by the last move: a position with fewer is of a new game.
    stones: u32,
    /// The largest game clock seen: the limit for the whole game.
    whole: Duration,
}

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stage {
    /// The points of the board.
    points: u32,
    /// The stones that both sides have played.
    stones: u32,
}

impl Stage {
    fn of(position: &Position) -> Self {
        let played = position.stones_played();
        Self {
            points: position.board().size().point_count() as u32,
            stones: played.black + played.white,
        }
    }

    /// Returns the number of equal shares that the rest of the main time has, of which the next move gets one.
    ///
    /// All moves up to a ninth of the points (the 40th of each side on 19x19) have the same share; later ones have a
    /// constant part of what is left, so that there is always something. Where overtime follows, less is left for
    /// these: they have time of their own. The formula is that of Huang, Coulom and Lin, "Time Management for
    /// Monte-Carlo Tree Search Applied to the Game of Go" (2010).
    fn shares(self, has_overtime: bool) -> u32 {
        let equal = (self.points / 9).saturating_sub(self.stones / 2);
        let later = self.points / if has_overtime { 14 } else { 6 };
        equal + later.max(6)
    }
}

impl Pace {
    /// A pace within the longest time for a move.
    pub(crate) fn new(move_time: Option<Duration>) -> Self {
        Self {
            move_time,
            account: Account::default(),
        }
    }

    /// Returns the budget of a move in a position under `clock`, or `None` without any limit.
    ///
    /// [`move_reserve`] and [`game_reserve`] are kept back. Without overtime [`min_share`] of the time left may be used
    /// all the same.
    ///
    /// With overtime a move never takes less than that allows it, and more only within the main time: overtime begins
    /// with a move that it is long enough for.
    pub(crate) fn budget(&mut self, clock: &Clock, position: &Position) -> Option<TimeBudget> {
        self.budget_at(clock, Stage::of(position))
    }

    fn budget_at(&mut self, clock: &Clock, stage: Stage) -> Option<TimeBudget> {
        let of_move = [clock.move_limit, self.move_time]
            .into_iter()
            .flatten()
            .min();
        let of_move = of_move.map(|limit| TimeBudget::fixed(within(limit)));
        let of_game = (clock.remaining).map(|left| self.game_budget(left, clock.overtime, stage));
        match (of_game, of_move) {
            (Some(one), Some(other)) => Some(TimeBudget {
                soft: one.soft.min(other.soft),
                hard: one.hard.min(other.hard),
            }),
            (one, other) => one.or(other),
        }
    }

    fn game_budget(
        &mut self,
        left: Duration,
        overtime: Option<Duration>,
        stage: Stage,
    ) -> TimeBudget {
        let usable = left.saturating_sub(self.reserve(left, stage));
        let share = usable / stage.shares(overtime.is_some());
        let least = overtime.map_or(min_share(left), within);
        TimeBudget {
            soft: share.max(least),
            hard: (share * 2).max(least),
        }
    }

    /// Returns the time that is kept back of the time for a game.
    fn reserve(&mut self, left: Duration, stage: Stage) -> Duration {
        if stage.stones < self.account.stones {
            self.account = Account::default();
        }
        let whole = self.account.whole.max(left);
        self.account = Account {
            stones: stage.stones,
            whole,
        };
        game_reserve(whole, stage.points / 2)
    }
}

/// Returns the limit of a move without what is kept back of it.
fn within(limit: Duration) -> Duration {
    limit.saturating_sub(move_reserve(limit))
}

#[cfg(test)]
mod tests;
