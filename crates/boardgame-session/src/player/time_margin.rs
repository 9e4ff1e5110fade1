//! The moment when a session stops waiting for a decision.

use core::time::Duration;

use super::TaskClock;
use crate::Timestamp;

/// The maximum part of a limit that a margin may take: 1/N. An engine that keeps back a tenth of a limit decides
/// earlier.
const MARGIN_SHARE: u32 = 16;

/// The time kept back from the limits of a task: that long before a limit the session stops waiting for the decision
/// and makes a legal move itself.
///
/// Each margin takes at most a sixteenth of its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeMargin {
    /// The time kept back from the limit for the move.
    pub per_move: Duration,
    /// The time kept back from the rest of the whole game's time. The other side's clock runs a little ahead of ours at
    /// every move.
    pub game: Duration,
}

impl Default for TimeMargin {
    /// 50 ms of a move and 500 ms of a game.
    fn default() -> Self {
        Self {
            per_move: Duration::from_millis(50),
            game: Duration::from_millis(500),
        }
    }
}

impl TimeMargin {
    /// Returns the margin with at most `time` kept back from each limit, for an engine that keeps back little more
    /// itself.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Self {
        Self {
            per_move: self.per_move.min(time),
            game: self.game.min(time),
        }
    }

    /// Returns when to stop waiting for a decision; `None` without a limit.
    ///
    /// A game clock that has run out is not a limit: any answer comes too late, and a good move is better than the
    /// fallback if the other side does not enforce the clock. Nor is one followed by overtime.
    pub fn last_moment(self, clock: TaskClock) -> Option<Timestamp> {
        let within = |limit: Duration, margin: Duration| {
            clock.started + limit.saturating_sub(margin.min(limit / MARGIN_SHARE))
        };
        let of_move = clock.per_move.map(|limit| within(limit, self.per_move));
        let left = (clock.game).filter(|left| clock.overtime.is_none() && !left.is_zero());
        let of_game = left.map(|left| within(left, self.game));
        [of_move, of_game].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// The last moment under these limits, all in milliseconds, of a clock that runs from 1000 on.
    fn last_moment(per_move: Option<u64>, game: Option<u64>) -> Option<u128> {
        let clock = TaskClock {
            started: Timestamp::from_origin(MS(1000)),
            game: game.map(MS),
            per_move: per_move.map(MS),
            overtime: None,
        };
        let moment = TimeMargin::default().last_moment(clock)?;
        Some(moment.since_origin().as_millis())
    }

    #[test]
    fn the_earlier_limit_less_its_margin_counts() {
        for (per_move, game, expected) in [
            (None, None, None),
            // 50 ms of a move, but at most a sixteenth.
            (Some(2000), None, Some(2950)),
            (Some(800), None, Some(1750)),
            (Some(160), None, Some(1150)),
            (Some(0), None, Some(1000)),
            // 500 ms of a game, but at most a sixteenth.
            (None, Some(60_000), Some(60_500)),
            (None, Some(1600), Some(2500)),
            (Some(2000), Some(60_000), Some(2950)),
            (Some(2000), Some(1600), Some(2500)),
            // A game clock that has run out is no limit.
            (None, Some(0), None),
            (Some(2000), Some(0), Some(2950)),
        ] {
            let last = last_moment(per_move, game);
            assert_eq!(last, expected, "{per_move:?}, {game:?}");
        }
    }

    #[test]
    fn a_game_clock_that_overtime_follows_is_no_limit() {
        let clock = TaskClock {
            started: Timestamp::ORIGIN,
            game: Some(MS(1000)),
            per_move: Some(MS(3000)),
            overtime: Some(MS(2000)),
        };
        let last = Timestamp::from_origin(MS(2950));
        assert_eq!(TimeMargin::default().last_moment(clock), Some(last));
    }

    #[test]
    fn each_margin_can_be_bounded() {
        let bounded = TimeMargin::default().at_most(MS(100));
        assert_eq!((bounded.per_move, bounded.game), (MS(50), MS(100)));
    }
}
