//! Time controls and clocks.

use core::time::Duration;

/// The time that each side has; by default there is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The main time for the whole game, or `None` without limit.
    pub main: Option<Duration>,
    /// The time that each move adds to the main time once it is made (Fischer).
    pub increment: Duration,
    /// The limit of each move, whatever is left of the main time.
    pub per_move: Option<Duration>,
    /// The time for a move once the main time is used up; without it that loses the game.
    pub byo_yomi: Option<ByoYomi>,
    /// The kind of time that is counted.
    pub measure: TimeMeasure,
}

/// Overtime: the time for each move after the main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByoYomi {
    /// The time for a move.
    pub period: Duration,
    /// The periods that may be used up: a move that takes longer than one ends it and begins the next.
    pub periods: u32,
}

/// A kind of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeMeasure {
    /// The time of a clock on the wall.
    #[default]
    Wall,
    /// The user CPU time of the player's process.
    UserCpu,
}

/// The clock of one side in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    control: TimeControl,
    main: Option<Duration>,
    periods: u32,
}

impl ClockState {
    /// Returns the clock before the first move.
    pub fn new(control: TimeControl) -> Self {
        Self {
            main: control.main,
            periods: control.byo_yomi.map_or(0, |byo_yomi| byo_yomi.periods),
            control,
        }
    }

    /// Returns the time control.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Returns what is left of the main time, or `None` without limit.
    pub const fn main(&self) -> Option<Duration> {
        self.main
    }

    /// Returns the overtime periods that are left.
    pub const fn periods(&self) -> u32 {
        self.periods
    }

    /// Returns whether the main time is used up and overtime runs.
    pub fn is_in_byo_yomi(&self) -> bool {
        self.periods > 0 && self.main == Some(Duration::ZERO)
    }

    /// Returns the longest time that the next move may take, or `None` without limit.
    pub fn allowed(&self) -> Option<Duration> {
        let overtime = (self.control.byo_yomi).map_or(Duration::ZERO, |byo_yomi| {
            byo_yomi.period.saturating_mul(self.periods)
        });
        let game = self.main.map(|main| main.saturating_add(overtime));
        [game, self.control.per_move].into_iter().flatten().min()
    }

    /// Returns the clock after a move: without its time and with the increment. `None` if the move took
    /// longer than [`allowed`](Self::allowed).
    #[must_use]
    pub fn after(self, took: Duration) -> Option<Self> {
        if self.allowed().is_some_and(|allowed| took > allowed) {
            return None;
        }
        let Some(main) = self.main else {
            return Some(self);
        };
        let left = main.saturating_sub(took);
        let beyond = took.saturating_sub(main);
        Some(Self {
            main: Some(left.saturating_add(self.control.increment)),
            periods: self.periods - self.used_up(beyond),
            ..self
        })
    }

    /// Returns the overtime periods that a time beyond the main time uses up: the last one begun stays.
    fn used_up(&self, beyond: Duration) -> u32 {
        let Some(ByoYomi { period, .. }) = self.control.byo_yomi else {
            return 0;
        };
        if beyond.is_zero() || period.is_zero() {
            return 0;
        }
        let begun = beyond.as_nanos().div_ceil(period.as_nanos());
        u32::try_from(begun - 1)
            .unwrap_or(u32::MAX)
            .min(self.periods)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEC: fn(u64) -> Duration = Duration::from_secs;

    #[test]
    fn the_main_time_runs_down_and_gains_its_increment() {
        let control = TimeControl {
            main: Some(SEC(10)),
            increment: SEC(2),
            per_move: Some(SEC(6)),
            ..TimeControl::default()
        };
        let clock = ClockState::new(control);
        assert_eq!(clock.allowed(), Some(SEC(6)));
        assert_eq!(clock.after(SEC(7)), None);
        let clock = clock.after(SEC(6)).unwrap();
        assert_eq!(clock.main(), Some(SEC(6)));
        let clock = clock.after(SEC(6)).unwrap();
        assert_eq!(
            (clock.main(), clock.allowed()),
            (Some(SEC(2)), Some(SEC(2)))
        );
        assert_eq!(clock.after(SEC(3)), None);
    }

    #[test]
    fn byo_yomi_follows_the_main_time() {
        let byo_yomi = ByoYomi {
            period: SEC(10),
            periods: 2,
        };
        let control = TimeControl {
            main: Some(SEC(60)),
            byo_yomi: Some(byo_yomi),
            ..TimeControl::default()
        };
        let clock = ClockState::new(control);
        assert_eq!(clock.allowed(), Some(SEC(80)));
        let clock = clock.after(SEC(65)).unwrap();
        assert!(clock.is_in_byo_yomi());
        assert_eq!((clock.periods(), clock.allowed()), (2, Some(SEC(20))));
        assert_eq!(clock.after(SEC(10)), Some(clock));
        let clock = clock.after(SEC(11)).unwrap();
        assert_eq!((clock.periods(), clock.allowed()), (1, Some(SEC(10))));
        assert_eq!(clock.after(SEC(11)), None);
    }

    #[test]
    fn without_a_limit_no_move_is_late() {
        let clock = ClockState::new(TimeControl::default());
        assert_eq!(
            (clock.allowed(), clock.after(Duration::MAX)),
            (None, Some(clock))
        );
        assert!(!clock.is_in_byo_yomi());
    }
}
