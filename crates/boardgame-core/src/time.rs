//! Time controls and clocks.

use core::time::Duration;

/// The time allowed to each side; unlimited by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The main time for the whole game, or `None` for no limit.
    pub main: Option<Duration>,
    /// The time added to the main time after each move (Fischer).
    pub increment: Duration,
    /// The limit for each move, regardless of the main time.
    pub per_move: Option<Duration>,
    /// The overtime after the main time is used up; without it, the game is then lost.
    pub byo_yomi: Option<ByoYomi>,
    /// The kind of time measured.
    pub measure: TimeMeasure,
}

/// Overtime: a limited number of periods after the main time. A period restarts once its moves are made in it; a longer
/// time uses up the period and starts the next.
///
/// Japanese byo-yomi is several periods of one move, Canadian byo-yomi one period of several moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByoYomi {
    /// The length of a period.
    pub period: Duration,
    /// The number of moves to make in a period, at least 1.
    pub moves: u32,
    /// The number of periods. The game is lost when the last one is used up.
    pub periods: u32,
}

impl ByoYomi {
    /// Creates Japanese byo-yomi: periods of one move.
    pub const fn japanese(period: Duration, periods: u32) -> Self {
        Self {
            period,
            moves: 1,
            periods,
        }
    }

    /// Creates Canadian byo-yomi: one period, which restarts each time the number of moves is made in it.
    pub const fn canadian(period: Duration, moves: u32) -> Self {
        Self {
            period,
            moves,
            periods: 1,
        }
    }

    /// Returns the equal share of a period for each of its moves.
    pub fn share(&self) -> Duration {
        self.period / self.moves.max(1)
    }
}

/// A kind of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeMeasure {
    /// Wall-clock time.
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
    overtime: Overtime,
}

/// The remaining overtime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Overtime {
    /// The number of periods, including the current one.
    periods: u32,
    /// The time left of the current period.
    time: Duration,
    /// The number of moves to make in the current period.
    moves: u32,
}

impl ClockState {
    /// Returns the clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        let overtime = control.byo_yomi.map(|byo_yomi| Overtime {
            periods: byo_yomi.periods,
            time: byo_yomi.period,
            moves: byo_yomi.moves.max(1),
        });
        Self {
            main: control.main,
            overtime: overtime.unwrap_or_default(),
            control,
        }
    }

    /// Returns the clock with this much main time left and the overtime untouched.
    #[must_use]
    pub fn with_main(self, left: Duration) -> Self {
        Self {
            main: Some(left),
            ..Self::new(self.control)
        }
    }

    /// Returns the clock in overtime, with the time and the moves left of the current period, and the number of periods
    /// including it. If the time control has no byo-yomi, the time is main time.
    #[must_use]
    pub fn with_overtime(self, time: Duration, moves: u32, periods: u32) -> Self {
        if self.control.byo_yomi.is_none() {
            return self.with_main(time);
        }
        Self {
            main: Some(Duration::ZERO),
            overtime: Overtime {
                periods,
                time,
                moves: moves.max(1),
            },
            ..self
        }
    }

    /// Returns the time control.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Returns the main time left, or `None` for no limit.
    pub const fn main(&self) -> Option<Duration> {
        self.main
    }

    /// Returns the number of overtime periods left.
    pub const fn periods(&self) -> u32 {
        self.overtime.periods
    }

    /// Returns the time left of the current overtime period, or of the first one before overtime.
    pub const fn period_left(&self) -> Duration {
        self.overtime.time
    }

    /// Returns the number of moves to make in that period.
    pub const fn period_moves(&self) -> u32 {
        self.overtime.moves
    }

    /// Returns whether the main time is used up and the clock is in overtime.
    pub fn is_in_byo_yomi(&self) -> bool {
        self.overtime.periods > 0 && self.main == Some(Duration::ZERO)
    }

    /// Returns the maximum time for the next move, or `None` for no limit.
    pub fn allowed(&self) -> Option<Duration> {
        let game = (self.main).map(|main| main.saturating_add(self.overtime_left()));
        [game, self.control.per_move].into_iter().flatten().min()
    }

    /// Returns the total time of the overtime periods left.
    fn overtime_left(&self) -> Duration {
        let (Some(byo_yomi), Some(later)) =
            (self.control.byo_yomi, self.overtime.periods.checked_sub(1))
        else {
            return Duration::ZERO;
        };
        let later = byo_yomi.period.saturating_mul(later);
        self.overtime.time.saturating_add(later)
    }

    /// Returns the clock after a move: minus the time it took, plus the increment. `None` if the move took longer than
    /// [`allowed`](Self::allowed).
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
        let overtime = match self.control.byo_yomi {
            Some(byo_yomi) if self.is_in_byo_yomi() || !beyond.is_zero() => {
                self.overtime.after(beyond, &byo_yomi)
            }
            _ => self.overtime,
        };
        Some(Self {
            main: Some(left.saturating_add(self.control.increment)),
            overtime,
            ..self
        })
    }
}

impl Overtime {
    /// Returns the overtime after a move that took this much of it, at most all of it.
    fn after(self, took: Duration, byo_yomi: &ByoYomi) -> Self {
        let mut left = match took.checked_sub(self.time) {
            Some(beyond) if !beyond.is_zero() => self.in_later_period(beyond, byo_yomi),
            _ => Self {
                time: self.time.saturating_sub(took),
                ..self
            },
        };
        left.moves = left.moves.saturating_sub(1);
        if left.moves == 0 {
            left.time = byo_yomi.period;
            left.moves = byo_yomi.moves.max(1);
        }
        left
    }

    /// Returns the overtime at a time `beyond` the end of the current period.
    fn in_later_period(self, beyond: Duration, byo_yomi: &ByoYomi) -> Self {
        let period = byo_yomi.period.as_nanos().max(1);
        let begun = beyond.as_nanos().div_ceil(period);
        let last = beyond.as_nanos() - (begun - 1) * period;
        let spent = Duration::new((last / 1_000_000_000) as u64, (last % 1_000_000_000) as u32);
        Self {
            periods: (self.periods).saturating_sub(u32::try_from(begun).unwrap_or(u32::MAX)),
            time: byo_yomi.period.saturating_sub(spent),
            moves: byo_yomi.moves.max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEC: fn(u64) -> Duration = Duration::from_secs;

    #[test]
    fn the_main_time_decreases_and_gains_its_increment() {
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
        let byo_yomi = ByoYomi::japanese(SEC(10), 2);
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
    fn a_canadian_period_is_shared_by_its_moves_and_restarts_after_them() {
        let control = TimeControl {
            main: Some(SEC(20)),
            byo_yomi: Some(ByoYomi::canadian(SEC(30), 3)),
            ..TimeControl::default()
        };
        assert_eq!(
            control.byo_yomi.map(|byo_yomi| byo_yomi.share()),
            Some(SEC(10))
        );
        let left = |clock: &ClockState| (clock.period_left(), clock.period_moves());
        let mut clock = ClockState::new(control);
        // The move that uses up the main time is the first of the period.
        for (took, expected) in [
            (18, (SEC(30), 3)),
            (4, (SEC(28), 2)),
            (0, (SEC(28), 1)),
            (28, (SEC(30), 3)),
            (29, (SEC(1), 2)),
        ] {
            clock = clock.after(SEC(took)).unwrap();
            assert_eq!(left(&clock), expected, "after {took} s");
        }
        assert_eq!(clock.allowed(), Some(SEC(1)));
        assert_eq!(clock.after(SEC(2)), None);
    }

    #[test]
    fn a_period_that_is_used_up_is_followed_by_a_whole_one() {
        let control = TimeControl {
            main: Some(SEC(0)),
            byo_yomi: Some(ByoYomi {
                period: SEC(10),
                moves: 2,
                periods: 4,
            }),
            ..TimeControl::default()
        };
        let clock = ClockState::new(control).after(SEC(33)).unwrap();
        assert_eq!(
            (clock.periods(), clock.period_left(), clock.period_moves()),
            (1, SEC(7), 1)
        );
        assert_eq!(ClockState::new(control).after(SEC(41)), None);
    }

    #[test]
    fn a_clock_can_be_set_to_another_clocks_reading() {
        let control = TimeControl {
            main: Some(SEC(60)),
            byo_yomi: Some(ByoYomi::japanese(SEC(10), 3)),
            ..TimeControl::default()
        };
        let clock = ClockState::new(control).with_overtime(SEC(4), 1, 2);
        assert!(clock.is_in_byo_yomi());
        assert_eq!(clock.allowed(), Some(SEC(14)));
        let clock = clock.with_main(SEC(5));
        assert_eq!((clock.periods(), clock.allowed()), (3, Some(SEC(35))));
        let sudden_death = ClockState::new(TimeControl {
            main: Some(SEC(60)),
            ..TimeControl::default()
        });
        let clock = sudden_death.with_overtime(SEC(20), 5, 1);
        assert_eq!(clock, sudden_death.with_main(SEC(20)));
        assert!(clock.after(SEC(1)).is_some());
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
