//! Reserves: the time that an engine keeps back from its limits for delays outside the search.

use core::time::Duration;

/// The overhead of a move on the other side's clock, which the engine's own clock does not see: two trips through a
/// pipe, and two waits for a processor on a busy machine.
const LAG: Duration = Duration::from_millis(15);

/// The divisor of the time left that a move may use even within the reserve: an endgame takes milliseconds to solve,
/// and must not be played without a search.
const MIN_SHARE: u32 = 256;

/// Returns the reserve of a limit for one move: a tenth of it, at least 20 and at most 200 ms, but never more than half
/// of it.
pub fn move_reserve(limit: Duration) -> Duration {
    clamp(limit / 10, 20, 200).min(limit / 2)
}

/// Returns the reserve of a limit for `moves` moves of one side: an eighth of it, at least 50 ms and at most 3 s, plus
/// 15 ms per move, but never more than half of it.
pub fn game_reserve(limit: Duration, moves: u32) -> Duration {
    (clamp(limit / 8, 50, 3_000) + LAG * moves).min(limit / 2)
}

/// Returns the time that a move may use even if all of the time left is reserved: a 256th.
pub fn min_share(left: Duration) -> Duration {
    left / MIN_SHARE
}

/// Clamps `time` to the range from `min` to `max` milliseconds.
fn clamp(time: Duration, min: u64, max: u64) -> Duration {
    time.clamp(Duration::from_millis(min), Duration::from_millis(max))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn reserves_have_their_bounds() {
        for (limit, reserve) in [(10_000, 200), (1_000, 100), (100, 20), (20, 10)] {
            assert_eq!(move_reserve(MS(limit)), MS(reserve));
        }
        for (limit, moves, reserve) in [
            (60_000, 30, 3_450),
            (8_000, 30, 1_450),
            (200, 2, 80),
            (100, 30, 50),
        ] {
            assert_eq!(game_reserve(MS(limit), moves), MS(reserve));
        }
        assert_eq!(min_share(MS(2_560)), MS(10));
    }
}
