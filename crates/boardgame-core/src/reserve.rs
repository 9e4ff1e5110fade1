//! Reserves: the time that an engine keeps back from its limits for delays outside the search.

use core::time::Duration;

/// The time that a move costs on the other side's clock beyond what the engine's own clock sees: two ways through a
/// pipe, and two waits for a processor where others are busy.
const LAG: Duration = Duration::from_millis(15);

/// The part of the time left that a move may take even within the reserve: the end of a game takes milliseconds to
/// solve, and must not be played without a search.
const MIN_SHARE: u32 = 256;

/// Returns the reserve of a limit for one move: a tenth of it, but between 20 and 200 ms and at most half of it.
pub fn move_reserve(limit: Duration) -> Duration {
    clamp(limit / 10, 20, 200).min(limit / 2)
}

/// Returns the reserve of a limit for a game of `moves` moves of one side: an eighth of it, but between 50 ms and 3 s,
/// and 15 ms for each move, altogether at most half of it.
pub fn game_reserve(limit: Duration, moves: u32) -> Duration {
    (clamp(limit / 8, 50, 3_000) + LAG * moves).min(limit / 2)
}

/// Returns the time that a move may take with this time left for the game, even if all of it is reserved: a 256th.
pub fn min_share(left: Duration) -> Duration {
    left / MIN_SHARE
}

/// Returns `time`, raised to `min` or lowered to `max` milliseconds.
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
