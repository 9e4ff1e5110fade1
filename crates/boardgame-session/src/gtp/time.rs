//! The messages of time (section 4.2 of the specification), as a controller sends them.

use core::time::Duration;

use boardgame_core::{ByoYomi, ClockState, Color, TimeControl};

use super::{Command, color_word};

/// The command of KGS for time controls that GTP cannot express.
const KGS_TIME_SETTINGS: &str = "kgs-time_settings";

/// The words for overtime of several periods; `time_settings` can tell only one.
///
/// A program that lists `kgs-time_settings` is sent periods of one move as they are. For others all periods but the
/// last, less the time spent of the current one, are part of the main time, so that a move that takes no longer than
/// the main time and the last period is in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OvertimeWords {
    /// `kgs-time_settings byoyomi`, and the number of periods in `time_left`.
    Kgs,
    /// `time_settings`, and the number of moves in `time_left`.
    Gtp,
}

impl OvertimeWords {
    /// Returns the words for a time control; `knows` returns whether the program lists a command.
    pub fn new(control: &TimeControl, knows: impl Fn(&str) -> bool) -> Self {
        let is_japanese = |overtime: ByoYomi| overtime.periods > 1 && overtime.moves == 1;
        let needs_kgs = overtime(control).is_some_and(is_japanese) && control.per_move.is_none();
        if needs_kgs && knows(KGS_TIME_SETTINGS) {
            Self::Kgs
        } else {
            Self::Gtp
        }
    }

    /// Returns the settings of a time control, or `None` without a limit.
    ///
    /// Times are in whole seconds, rounded down. The limit of a move is a period of one move. GTP has no
    /// increments.
    pub fn time_settings(self, control: &TimeControl) -> Option<Command> {
        let main = control.main.unwrap_or_default();
        if let (
            Self::Kgs,
            Some(ByoYomi {
                period, periods, ..
            }),
        ) = (self, overtime(control))
        {
            let command = Command::new(KGS_TIME_SETTINGS).argument("byoyomi");
            let command = command.argument(main.as_secs()).argument(period.as_secs());
            return Some(command.argument(periods));
        }
        let (period, moves) = period(control).unwrap_or_default();
        let main = main.saturating_add(earlier_periods(&ClockState::new(*control)));
        let (main, period) = (main.as_secs(), period.as_secs());
        ((main, period) != (0, 0)).then(|| {
            Command::new("time_settings")
                .argument(main)
                .argument(period)
                .argument(if period > 0 { moves } else { 0 })
        })
    }

    /// Returns `time_left` for the clock of a colour, or `None` without a limit.
    pub fn time_left(self, color: Color, clock: &ClockState) -> Option<Command> {
        let (left, count) = match (self, clock.main()) {
            (Self::Kgs, _) if clock.is_in_byo_yomi() => (clock.period_left(), clock.periods()),
            (Self::Kgs, Some(main)) => (main, 0),
            (Self::Gtp, Some(main)) if !clock.is_in_byo_yomi() || clock.periods() > 1 => {
                (main.saturating_add(earlier_periods(clock)), 0)
            }
            (Self::Gtp, Some(_)) => period_left(clock),
            (_, None) => period(clock.control())?,
        };
        Some(
            Command::new("time_left")
                .argument(color_word(color))
                .argument(left.as_secs())
                .argument(count),
        )
    }
}

/// Returns the overtime of a control, which follows a main time.
fn overtime(control: &TimeControl) -> Option<ByoYomi> {
    let of_main = control.byo_yomi.filter(|_| control.main.is_some());
    of_main.filter(|overtime| overtime.periods > 0)
}

/// Returns the length and the moves of the period that applies in the end. The limit of a move is a period of one.
fn period(control: &TimeControl) -> Option<(Duration, u32)> {
    let overtime = overtime(control);
    match control.per_move {
        Some(limit) => {
            let share = overtime.map_or(limit, |overtime| overtime.share());
            Some((share.min(limit), 1))
        }
        None => overtime.map(|overtime| (overtime.period, overtime.moves)),
    }
}

/// Returns the time and the moves left of the current period.
fn period_left(clock: &ClockState) -> (Duration, u32) {
    let (left, moves) = (clock.period_left(), clock.period_moves());
    match clock.control().per_move {
        Some(limit) => ((left / moves.max(1)).min(limit), 1),
        None => (left, moves),
    }
}

/// Returns the overtime left before the last period: the periods before it, less the time spent of the current one.
fn earlier_periods(clock: &ClockState) -> Duration {
    let overtime = overtime(clock.control());
    overtime.map_or(Duration::ZERO, |overtime| {
        let earlier = overtime
            .period
            .saturating_mul(clock.periods().saturating_sub(1));
        let spent = overtime.period.saturating_sub(clock.period_left());
        earlier.saturating_sub(spent)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::String};

    const SEC: fn(u64) -> Duration = Duration::from_secs;

    /// Returns what a program that knows one command is sent of a control and of White's clock.
    fn told_of(clock: &ClockState, known: &str) -> [String; 2] {
        let text = |command: Option<Command>| command.map_or("-".into(), |c| format!("{c}"));
        let control = clock.control();
        let words = OvertimeWords::new(control, |command| command == known);
        [
            text(words.time_settings(control)),
            text(words.time_left(Color::White, clock)),
        ]
    }

    fn told(control: TimeControl) -> [String; 2] {
        told_of(&ClockState::new(control), "")
    }

    fn told_after(took: Duration, control: TimeControl, known: &str) -> [String; 2] {
        told_of(&ClockState::new(control).after(took).unwrap(), known)
    }

    #[test]
    fn each_control_has_its_settings() {
        let none = TimeControl::default();
        assert_eq!(told(none), ["-", "-"]);
        let main = TimeControl {
            main: Some(SEC(90)),
            increment: SEC(3),
            ..none
        };
        assert_eq!(told(main), ["time_settings 90 0 0", "time_left w 90 0"]);
        let per_move = TimeControl {
            per_move: Some(Duration::from_millis(2900)),
            ..none
        };
        assert_eq!(told(per_move), ["time_settings 0 2 1", "time_left w 2 1"]);
        let short = TimeControl {
            per_move: Some(Duration::from_millis(900)),
            ..none
        };
        assert_eq!(told(short), ["-", "time_left w 0 1"]);
    }

    /// Returns a main time of a minute with this overtime.
    fn minute_and(byo_yomi: ByoYomi) -> TimeControl {
        TimeControl {
            main: Some(SEC(60)),
            byo_yomi: Some(byo_yomi),
            ..TimeControl::default()
        }
    }

    #[test]
    fn one_period_is_told_with_its_moves() {
        let control = minute_and(ByoYomi::japanese(SEC(10), 1));
        assert_eq!(told(control), ["time_settings 60 10 1", "time_left w 60 0"]);
        let [_, left] = told_after(SEC(65), control, "kgs-time_settings");
        assert_eq!(left, "time_left w 10 1");
        let control = minute_and(ByoYomi::canadian(SEC(300), 25));
        assert_eq!(
            told(control),
            ["time_settings 60 300 25", "time_left w 60 0"]
        );
        let [_, left] = told_after(SEC(65), control, "kgs-time_settings");
        assert_eq!(left, "time_left w 295 24");
    }

    #[test]
    fn several_periods_are_told_in_the_words_of_kgs_where_they_are_known() {
        let control = minute_and(ByoYomi::japanese(SEC(10), 3));
        let told = |seconds| told_after(SEC(seconds), control, "kgs-time_settings");
        let settings = "kgs-time_settings byoyomi 60 10 3";
        assert_eq!(told(20), [settings, "time_left w 40 0"]);
        assert_eq!(told(65), [settings, "time_left w 10 3"]);
        assert_eq!(told(75), [settings, "time_left w 10 2"]);
    }

    #[test]
    fn to_others_all_periods_but_the_last_are_main_time() {
        let control = minute_and(ByoYomi::japanese(SEC(10), 3));
        let told = |seconds| told_after(SEC(seconds), control, "time_settings");
        let settings = "time_settings 80 10 1";
        assert_eq!(told(20), [settings, "time_left w 60 0"]);
        assert_eq!(told(65), [settings, "time_left w 20 0"]);
        assert_eq!(told(75), [settings, "time_left w 10 0"]);
        assert_eq!(told(85), [settings, "time_left w 10 1"]);
    }

    #[test]
    fn no_more_is_told_than_a_move_may_take_in_several_periods_of_several_moves() {
        let control = minute_and(ByoYomi {
            period: SEC(10),
            moves: 2,
            periods: 3,
        });
        for (took, left, promised) in [
            (20, "time_left w 60 0", 60 + 10),
            (69, "time_left w 11 0", 11 + 10),
            (75, "time_left w 5 0", 5 + 10),
            (85, "time_left w 5 1", 5),
        ] {
            let told = told_after(SEC(took), control, "time_settings");
            assert_eq!(told, ["time_settings 80 10 2", left]);
            let clock = ClockState::new(control).after(SEC(took)).unwrap();
            assert_eq!(clock.allowed(), Some(SEC(promised)), "after {took} s");
        }
    }

    #[test]
    fn a_limit_of_each_move_is_a_period_of_one_move_beside_overtime_too() {
        let control = TimeControl {
            per_move: Some(SEC(8)),
            ..minute_and(ByoYomi::canadian(SEC(30), 3))
        };
        assert_eq!(told(control), ["time_settings 60 8 1", "time_left w 60 0"]);
        // The rest of a period is for all its moves.
        let control = TimeControl {
            per_move: Some(SEC(8)),
            ..minute_and(ByoYomi::canadian(SEC(12), 3))
        };
        let start = ClockState::new(control);
        let clock = (0..8).fold(start, |clock, _| clock.after(SEC(8)).unwrap());
        assert_eq!(clock.period_left(), SEC(8));
        let told = told_of(&clock, "time_settings");
        assert_eq!(told, ["time_settings 60 4 1", "time_left w 4 1"]);
    }

    #[test]
    fn a_period_below_a_second_is_none() {
        let control = TimeControl {
            main: Some(SEC(60)),
            per_move: Some(Duration::from_millis(900)),
            ..TimeControl::default()
        };
        assert_eq!(told(control), ["time_settings 60 0 0", "time_left w 60 0"]);
    }

    #[test]
    fn overtime_without_periods_is_none() {
        let control = minute_and(ByoYomi::japanese(SEC(10), 0));
        assert_eq!(told(control), ["time_settings 60 0 0", "time_left w 60 0"]);
    }
}
