//! The clocks of a game by `time_settings` and `time_left` (section 4.2 of the specification):
//! main time, then byo-yomi periods with a number of moves each.

use core::time::Duration;

use othello_core::{ByColor, Color};

use crate::session::{TaskClock, Timestamp};

/// The settings of `time_settings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// The main time of a game.
    pub(super) main: Duration,
    /// The length of a byo-yomi period.
    pub(super) period: Duration,
    /// The moves to make within a period; none with a period's length means no limit at all.
    pub(super) moves: u32,
}

/// Both colours' clocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timer {
    /// The byo-yomi after the main time; `None` is no limit.
    settings: Option<Settings>,
    left: ByColor<Left>,
}

/// The time and the moves that a colour has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Left {
    time: Duration,
    /// The moves to make in it; 0 while the main time runs.
    moves: u32,
}

impl Settings {
    const fn is_unlimited(&self) -> bool {
        !self.period.is_zero() && self.moves == 0
    }

    const fn has_byo_yomi(&self) -> bool {
        !self.period.is_zero() && self.moves > 0
    }

    /// A whole period.
    const fn whole_period(&self) -> Left {
        Left {
            time: self.period,
            moves: self.moves,
        }
    }

    /// The time and the moves that each game begins with.
    const fn begin(&self) -> Left {
        if self.main.is_zero() && self.has_byo_yomi() {
            self.whole_period()
        } else {
            Left {
                time: self.main,
                moves: 0,
            }
        }
    }
}

impl Timer {
    /// Sets both clocks as each game begins.
    pub(super) fn set(&mut self, settings: Settings) {
        self.settings = (!settings.is_unlimited()).then_some(settings);
        self.left = ByColor::new_with(|_| settings.begin());
    }

    /// Begins a game anew.
    pub(super) fn restart(&mut self) {
        if let Some(settings) = self.settings {
            self.left = ByColor::new_with(|_| settings.begin());
        }
    }

    /// Corrects a colour's clock: what is left of the main time (`moves` is 0) or of a period.
    pub(super) fn correct(&mut self, color: Color, time: Duration, moves: u32) {
        // Without settings the colours have what they are told, and no byo-yomi after it.
        self.settings.get_or_insert(Settings {
            main: time,
            period: Duration::ZERO,
            moves: 0,
        });
        self.left[color] = Left { time, moves };
    }

    /// The clock of a colour that is asked at `started`, with at most `moves` moves to make.
    pub(super) fn clock(&self, color: Color, started: Timestamp, moves: u32) -> TaskClock {
        let left = self.left[color];
        let (game, per_move) = match self.settings {
            None => (None, None),
            Some(_) if left.moves > 0 => (None, Some(left.time / left.moves)),
            Some(settings) if settings.has_byo_yomi() => {
                // Every move may use a period's share beside the main time.
                let share = settings.period / settings.moves;
                let all = left.time.saturating_add(share.saturating_mul(moves));
                (Some(all), Some(left.time.saturating_add(share)))
            }
            Some(_) => (Some(left.time), None),
        };
        TaskClock {
            started,
            game,
            per_move,
        }
    }

    /// Books a move.
    pub(super) fn spend(&mut self, color: Color, time: Duration) {
        let Some(settings) = self.settings else {
            return;
        };
        let left = &mut self.left[color];
        let over = time.saturating_sub(left.time);
        left.time = left.time.saturating_sub(time);
        if !settings.has_byo_yomi() || (left.moves == 0 && over.is_zero()) {
            return;
        }
        if left.moves == 0 {
            *left = settings.whole_period();
            left.time = left.time.saturating_sub(over);
        }
        left.moves -= 1;
        if left.moves == 0 {
            *left = settings.whole_period();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: fn(u64) -> Duration = Duration::from_secs;

    fn timer(main: u64, period: u64, moves: u32) -> Timer {
        let mut timer = Timer::default();
        timer.set(Settings {
            main: S(main),
            period: S(period),
            moves,
        });
        timer
    }

    /// Returns the limits that Black's clock shows before each of these times, in seconds.
    fn clocks(mut timer: Timer, times: &[u64]) -> Vec<(Option<Duration>, Option<Duration>)> {
        let read = |&time: &u64| {
            let clock = timer.clock(Color::Black, Timestamp::ORIGIN, 10);
            timer.spend(Color::Black, S(time));
            (clock.game, clock.per_move)
        };
        times.iter().map(read).collect()
    }

    use std::vec::Vec;

    #[test]
    fn without_settings_or_with_a_period_of_no_moves_there_is_no_limit() {
        assert_eq!(clocks(Timer::default(), &[5, 0]), [(None, None); 2]);
        assert_eq!(clocks(timer(60, 5, 0), &[5, 0]), [(None, None); 2]);
    }

    #[test]
    fn main_time_alone_is_a_game_clock_that_runs_out() {
        let clocks = clocks(timer(60, 0, 0), &[10, 60, 1]);
        let game: Vec<_> = clocks.iter().map(|clock| clock.0).collect();
        assert_eq!(game, [Some(S(60)), Some(S(50)), Some(S(0))]);
        assert!(clocks.iter().all(|clock| clock.1.is_none()));
    }

    #[test]
    fn a_period_is_shared_by_the_moves_left_in_it_and_begins_anew_after_them() {
        let limits: Vec<_> = clocks(timer(0, 30, 3), &[4, 20, 1, 0])
            .iter()
            .map(|clock| clock.1)
            .collect();
        assert_eq!(limits, [10, 13, 6, 10].map(|limit| Some(S(limit))));
    }

    #[test]
    fn the_main_time_flows_into_the_first_period() {
        // 20 s and then 5 s a move: ten moves have 70 s, and each at most what is left and 5 s.
        let clocks = clocks(timer(20, 10, 2), &[18, 4, 1, 0]);
        assert_eq!(clocks[0], (Some(S(70)), Some(S(25))));
        assert_eq!(clocks[1], (Some(S(52)), Some(S(7))));
        // The 4 s used up the 2 s of main time and 2 s of the period of two moves.
        assert_eq!(clocks[2], (None, Some(S(8))));
        assert_eq!(clocks[3], (None, Some(S(5))));
    }

    #[test]
    fn the_controllers_clock_replaces_ours() {
        let mut timer = timer(60, 10, 2);
        timer.correct(Color::White, S(7), 1);
        let white = timer.clock(Color::White, Timestamp::ORIGIN, 10);
        assert_eq!((white.game, white.per_move), (None, Some(S(7))));
        let black = timer.clock(Color::Black, Timestamp::ORIGIN, 10);
        assert_eq!(black.game, Some(S(110)));
        timer.restart();
        let white = timer.clock(Color::White, Timestamp::ORIGIN, 10);
        assert_eq!(white.game, Some(S(110)));
        let mut told = Timer::default();
        told.correct(Color::Black, S(9), 0);
        let clock = told.clock(Color::Black, Timestamp::ORIGIN, 10);
        assert_eq!((clock.game, clock.per_move), (Some(S(9)), None));
    }
}
