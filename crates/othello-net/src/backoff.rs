//! The repetition of failed attempts.

use std::time::Duration;

/// The repetition of a failed attempt: pauses that double, up to a maximum and a total.
///
/// The pauses have no jitter: a single player needs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// The first pause, at least a millisecond.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// The time after which no attempt is started; zero means a single one. The last attempt may run past it.
    pub total: Duration,
    /// The time that one attempt at one address may take.
    pub attempt: Duration,
}

impl Backoff {
    /// Returns a single attempt.
    pub fn never() -> Self {
        Self {
            total: Duration::ZERO,
            ..Self::default()
        }
    }

    /// Returns the pauses between attempts, in order, if attempts take no time.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let backoff = othello_net::Backoff {
    ///     first: Duration::from_secs(1),
    ///     longest: Duration::from_secs(3),
    ///     total: Duration::from_secs(8),
    ///     ..Default::default()
    /// };
    /// let seconds: Vec<_> = backoff.pauses().map(|pause| pause.as_secs()).collect();
    /// assert_eq!(seconds, [1, 2, 3, 2]);
    /// ```
    pub fn pauses(&self) -> impl Iterator<Item = Duration> + use<> {
        let longest = self.longest.max(SHORTEST);
        let mut next = self.first.clamp(SHORTEST, longest);
        let mut left = self.total;
        std::iter::from_fn(move || {
            let pause = next.min(left);
            left -= pause;
            next = next.saturating_mul(2).min(longest);
            (!pause.is_zero()).then_some(pause)
        })
    }
}

/// The shortest first pause, so that a total is reached in a bounded number of attempts.
const SHORTEST: Duration = Duration::from_millis(1);

impl Default for Backoff {
    /// From 100 ms to 2 s, 10 s in all; 5 s for an attempt.
    fn default() -> Self {
        Self {
            first: Duration::from_millis(100),
            longest: Duration::from_secs(2),
            total: Duration::from_secs(10),
            attempt: Duration::from_secs(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_pauses_double_up_to_the_cap_and_add_up_to_the_total() {
        let pauses: Vec<_> = Backoff::default().pauses().collect();
        let millis: Vec<_> = pauses.iter().map(Duration::as_millis).collect();
        assert_eq!(millis, [100, 200, 400, 800, 1600, 2000, 2000, 2000, 900]);
        assert_eq!(pauses.iter().sum::<Duration>(), Duration::from_secs(10));
    }

    #[test]
    fn a_total_of_zero_means_no_second_attempt() {
        assert_eq!(Backoff::never().pauses().count(), 0);
    }

    #[test]
    fn pauses_of_zero_still_come_to_an_end() {
        let backoff = Backoff {
            first: Duration::ZERO,
            longest: Duration::ZERO,
            total: Duration::from_millis(5),
            attempt: Duration::ZERO,
        };
        assert_eq!(backoff.pauses().count(), 5);
    }
}
