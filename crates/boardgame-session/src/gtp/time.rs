//! The messages of time (section 4.2 of the specification), as a controller sends them.

use core::time::Duration;

use boardgame_core::{ByoYomi, ClockState, Color, TimeControl};

use super::{Command, color_word};

/// Returns `time_settings` for a time control, or `None` without a limit.
///
/// Times are in whole seconds, rounded down. The limit of a move is a period of one move; of several
/// overtime periods a program is told one. GTP has no increments.
pub fn time_settings(control: &TimeControl) -> Option<Command> {
    let main = control.main.unwrap_or_default().as_secs();
    let period = period(control).unwrap_or_default().as_secs();
    ((main, period) != (0, 0)).then(|| {
        Command::new("time_settings")
            .argument(main)
            .argument(period)
            .argument(u8::from(period > 0))
    })
}

/// Returns `time_left` for the clock of a colour, or `None` without a limit.
pub fn time_left(color: Color, clock: &ClockState) -> Option<Command> {
    let (left, moves) = match clock.main() {
        Some(left) if !clock.is_in_byo_yomi() => (left, 0),
        _ => (period(clock.control())?, 1),
    };
    Some(
        Command::new("time_left")
            .argument(color_word(color))
            .argument(left.as_secs())
            .argument(moves),
    )
}

/// Returns the length of a period of one move.
fn period(control: &TimeControl) -> Option<Duration> {
    let byo_yomi = control.byo_yomi.filter(|_| control.main.is_some());
    let overtime = byo_yomi.map(|ByoYomi { period, .. }| period);
    [overtime, control.per_move].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::String};

    const SEC: fn(u64) -> Duration = Duration::from_secs;

    fn told(control: TimeControl) -> [String; 2] {
        let text = |command: Option<Command>| command.map_or("-".into(), |c| format!("{c}"));
        let clock = ClockState::new(control);
        [
            text(time_settings(&control)),
            text(time_left(Color::White, &clock)),
        ]
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

    #[test]
    fn overtime_is_a_period_of_one_move() {
        let control = TimeControl {
            main: Some(SEC(60)),
            byo_yomi: Some(ByoYomi::japanese(SEC(10), 3)),
            ..TimeControl::default()
        };
        assert_eq!(told(control), ["time_settings 60 10 1", "time_left w 60 0"]);
        let clock = ClockState::new(control).after(SEC(75)).unwrap();
        let left = time_left(Color::Black, &clock).unwrap();
        assert_eq!(format!("{left}"), "time_left b 10 1");
    }
}
