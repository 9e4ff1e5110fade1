//! A bound on the cost of standings.

use std::{mem, time::Instant};

/// The pause before standings are computed again, as a multiple of the time that computing them took, so that they cost
/// a few percent of many short games.
const SHARE: u32 = 50;

/// A limit on how often standings are computed: whether they lack games, and when they may be computed again.
#[derive(Debug, Default)]
pub(crate) struct Throttle {
    is_stale: bool,
    due: Option<Instant>,
}

impl Throttle {
    /// Marks the standings as lacking a game.
    pub(crate) const fn mark_stale(&mut self) {
        self.is_stale = true;
    }

    /// Computes the standings if they lack games and were not computed too recently.
    pub(crate) fn update(&mut self, compute: impl FnOnce()) {
        if self.due.is_none_or(|due| Instant::now() >= due) {
            self.flush(compute);
        }
    }

    /// Computes the standings if they lack games.
    pub(crate) fn flush(&mut self, compute: impl FnOnce()) {
        if mem::take(&mut self.is_stale) {
            let begun = Instant::now();
            compute();
            self.due = Some(Instant::now() + begun.elapsed() * SHARE);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use super::*;

    #[test]
    fn what_took_long_is_not_computed_again_at_once() {
        let mut throttle = Throttle::default();
        throttle.update(|| unreachable!("nothing is new"));
        throttle.mark_stale();
        throttle.update(|| thread::sleep(Duration::from_secs(1)));
        throttle.mark_stale();
        throttle.update(|| unreachable!("it is not due for 50 seconds"));
        let mut is_computed = false;
        throttle.flush(|| is_computed = true);
        assert!(is_computed);
        throttle.flush(|| unreachable!("nothing is new"));
    }
}
