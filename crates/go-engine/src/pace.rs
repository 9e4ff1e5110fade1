//! Time management: the time budget of a move, from the other side's clock and the settings' limit.

use std::time::Duration;

use boardgame_core::{game_reserve, min_share, move_reserve};
use go_core::Position;
use go_search::TimeBudget;

/// The time available to the engine; `None` fields are unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time left for the whole game, without overtime.
    pub remaining: Option<Duration>,
    /// The limit for this move.
    pub move_limit: Option<Duration>,
    /// The total time of each move after `remaining` is used up, and of the move that uses it up. `None` if the game is
    /// then lost.
    pub overtime: Option<Duration>,
}

/// The settings' limit on the time of a move, and the account of the game in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    /// The maximum time for a move.
    move_time: Option<Duration>,
    account: Account,
}

/// The time account of the game in progress.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// The number of stones played by the last move; a position with fewer starts a new game.
    stones: u32,
    /// The largest game clock seen, which is the limit for the whole game.
    whole: Duration,
}

/// The stage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stage {
    /// The points of the board.
    points: u32,
    /// The number of stones played by both sides.
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

    /// Returns the number of equal shares of the remaining main time, of which the next move gets one.
    ///
    /// Every move up to a ninth of the points (the 40th of each side on 19x19) has the same share; later moves get a
    /// constant fraction of the time left, so it never runs out. If overtime follows, less main time is reserved for
    /// later moves, which have time of their own. The formula is from Huang, Coulom and Lin, "Time Management for
    /// Monte-Carlo Tree Search Applied to the Game of Go" (2010).
    fn shares(self, has_overtime: bool) -> u32 {
        let equal = (self.points / 9).saturating_sub(self.stones / 2);
        let later = self.points / if has_overtime { 14 } else { 6 };
        equal + later.max(6)
    }
}

impl Pace {
    /// Creates a pace with a maximum time for a move.
    pub(crate) fn new(move_time: Option<Duration>) -> Self {
        Self {
            move_time,
            account: Account::default(),
        }
    }

    /// Returns the budget of a move under `clock`, or `None` for no limit.
    ///
    /// Keeps back [`move_reserve`] and [`game_reserve`]. Without overtime, always allows [`min_share`] of the time
    /// left.
    ///
    /// With overtime, a move always gets at least its overtime, and more only within the main time: a move that is long
    /// enough for overtime starts it.
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

    /// Returns the reserve of the time for a game.
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

/// Returns the limit of a move minus its reserve.
fn within(limit: Duration) -> Duration {
    limit.saturating_sub(move_reserve(limit))
}

#[cfg(test)]
mod tests;
