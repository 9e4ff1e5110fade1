//! The clocks of a game by the commands of time (section 4.2 of the specification).

use core::time::Duration;

use boardgame_core::{ByColor, ByoYomi, ClockState, Color, TimeControl};

use crate::{Timestamp, player::TaskClock};

/// Both colours' clocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timer {
    settings: Settings,
    /// `None` is no limit.
    clocks: Option<ByColor<ClockState>>,
}

/// The time that each game begins with.
#[derive(Clone, Copy, Debug, Default)]
enum Settings {
    /// Nothing was told.
    #[default]
    Unset,
    /// It was told that there is no limit.
    Unlimited,
    /// This was told.
    Control(TimeControl),
}

impl Timer {
    /// Sets both clocks as each game begins; `None` is no limit.
    pub(super) fn set(&mut self, control: Option<TimeControl>) {
        self.settings = control.map_or(Settings::Unlimited, Settings::Control);
        self.restart();
    }

    /// Begins a game anew.
    pub(super) fn restart(&mut self) {
        self.clocks = match self.settings {
            Settings::Control(control) => Some(begin(control)),
            Settings::Unset | Settings::Unlimited => None,
        };
    }

    /// Corrects a colour's clock: what is left of the main time (`count` is 0), or of a period and the moves
    /// to make in it. Where periods of one move are counted, as KGS does, `count` is theirs.
    ///
    /// Without a limit, no time is not told of a clock.
    pub(super) fn correct(&mut self, color: Color, time: Duration, count: u32) {
        match self.settings {
            Settings::Unlimited if time.is_zero() => return,
            Settings::Unset | Settings::Unlimited => self.learn(color, time, count),
            Settings::Control(_) => {}
        }
        let Some(clocks) = &mut self.clocks else {
            return;
        };
        let clock = &mut clocks[color];
        let counts_periods = (clock.control().byo_yomi)
            .is_some_and(|byo_yomi| byo_yomi.moves == 1 && byo_yomi.periods > 1);
        *clock = match count {
            0 => clock.with_main(time),
            periods if counts_periods => clock.with_overtime(time, 1, periods),
            moves => clock.with_overtime(time, moves, 1),
        };
    }

    /// Extends the time control of a colour without settings with what its clock shows.
    fn learn(&mut self, color: Color, time: Duration, count: u32) {
        let known = self.clocks.map(|clocks| *clocks[color].control());
        let mut control = known.unwrap_or_default();
        let period = control.byo_yomi;
        let is_known = period.is_some_and(|known| time <= known.period && count <= known.moves);
        if count == 0 {
            control.main = Some(time);
        } else if !is_known {
            control.main.get_or_insert_default();
            control.byo_yomi = Some(ByoYomi::canadian(time, count));
        }
        // The other colour has the same until its clock is told.
        let clocks = self.clocks.get_or_insert_with(|| begin(control));
        clocks[color] = ClockState::new(control);
    }

    /// Returns the clock of a colour that is asked at `started`.
    ///
    /// Further periods are a reserve: none is used up on purpose.
    pub(super) fn clock(&self, color: Color, started: Timestamp) -> TaskClock {
        let unlimited = TaskClock::unlimited(started);
        match &self.clocks {
            None => unlimited,
            Some(clocks) => limited(unlimited, &clocks[color]),
        }
    }

    /// Books a move. One that took more than there was uses up what there was.
    pub(super) fn spend(&mut self, color: Color, took: Duration) {
        let Some(clocks) = &mut self.clocks else {
            return;
        };
        let clock = &mut clocks[color];
        let took = clock.allowed().map_or(took, |allowed| took.min(allowed));
        if let Some(after) = clock.after(took) {
            *clock = after;
        }
    }
}

/// Returns both clocks before the first move.
fn begin(control: TimeControl) -> ByColor<ClockState> {
    ByColor::new_with(|_| ClockState::new(control))
}

/// Returns a task's clock with the limits that a colour's clock shows.
fn limited(task: TaskClock, clock: &ClockState) -> TaskClock {
    if clock.is_in_byo_yomi() {
        let per_move = Some(share_of_period(clock));
        return TaskClock { per_move, ..task };
    }
    let game = clock.main();
    let overtime = clock.control().byo_yomi.filter(|_| game.is_some());
    let overtime = overtime.map(|byo_yomi| byo_yomi.share());
    TaskClock {
        game,
        // The move that uses up the main time may use a period's share beside it.
        per_move: game
            .zip(overtime)
            .map(|(main, share)| main.saturating_add(share)),
        overtime,
        ..task
    }
}

/// Returns the time of each move of the period that runs, or of the next when that one is used up.
fn share_of_period(clock: &ClockState) -> Duration {
    match clock.control().byo_yomi {
        Some(byo_yomi) if clock.period_left().is_zero() && clock.periods() > 1 => byo_yomi.share(),
        _ => clock.period_left() / clock.period_moves().max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const S: fn(u64) -> Duration = Duration::from_secs;

    fn timer(main: u64, byo_yomi: Option<ByoYomi>) -> Timer {
        let mut timer = Timer::default();
        timer.set(Some(TimeControl {
            main: Some(S(main)),
            byo_yomi,
            ..TimeControl::default()
        }));
        timer
    }

    fn canadian(period: u64, moves: u32) -> ByoYomi {
        ByoYomi::canadian(S(period), moves)
    }

    /// Returns the limits that Black's clock shows before each of these times, in seconds.
    fn clocks(mut timer: Timer, times: &[u64]) -> Vec<(Option<Duration>, Option<Duration>)> {
        let read = |&time: &u64| {
            let clock = timer.clock(Color::Black, Timestamp::ORIGIN);
            timer.spend(Color::Black, S(time));
            (clock.game, clock.per_move)
        };
        times.iter().map(read).collect()
    }

    /// Returns the limits that a colour's clock shows, in seconds.
    fn shown(timer: &Timer, color: Color) -> (Option<u64>, Option<u64>) {
        let clock = timer.clock(color, Timestamp::ORIGIN);
        let seconds = |limit: Option<Duration>| limit.map(|limit| limit.as_secs());
        (seconds(clock.game), seconds(clock.per_move))
    }

    #[test]
    fn without_settings_there_is_no_limit() {
        assert_eq!(clocks(Timer::default(), &[5, 0]), [(None, None); 2]);
        let mut timer = timer(60, None);
        timer.set(None);
        assert_eq!(clocks(timer, &[5, 0]), [(None, None); 2]);
    }

    #[test]
    fn main_time_alone_is_a_game_clock_that_runs_out() {
        let clocks = clocks(timer(60, None), &[10, 60, 1]);
        let game: Vec<_> = clocks.iter().map(|clock| clock.0).collect();
        assert_eq!(game, [Some(S(60)), Some(S(50)), Some(S(0))]);
        assert!(clocks.iter().all(|clock| clock.1.is_none()));
    }

    #[test]
    fn a_period_is_shared_by_the_moves_left_in_it_and_begins_anew_after_them() {
        let limits: Vec<_> = clocks(timer(0, Some(canadian(30, 3))), &[4, 20, 1, 0])
            .iter()
            .map(|clock| clock.1)
            .collect();
        assert_eq!(limits, [10, 13, 6, 10].map(|limit| Some(S(limit))));
    }

    #[test]
    fn the_main_time_flows_into_the_first_period() {
        // 20 s and then 5 s a move: each has at most what is left and 5 s.
        let clocks = clocks(timer(20, Some(canadian(10, 2))), &[18, 4, 1, 0]);
        assert_eq!(clocks[0], (Some(S(20)), Some(S(25))));
        assert_eq!(clocks[1], (Some(S(2)), Some(S(7))));
        // The 4 s used up the 2 s of main time and 2 s of the period of two moves.
        assert_eq!(clocks[2], (None, Some(S(8))));
        assert_eq!(clocks[3], (None, Some(S(5))));
    }

    #[test]
    fn the_share_of_a_period_is_the_overtime_that_follows_main_time() {
        let overtime = |timer: Timer| timer.clock(Color::Black, Timestamp::ORIGIN).overtime;
        assert_eq!(overtime(timer(20, Some(canadian(10, 2)))), Some(S(5)));
        assert_eq!(overtime(timer(0, Some(canadian(10, 2)))), None);
        assert_eq!(overtime(timer(20, None)), None);
    }

    #[test]
    fn japanese_periods_are_a_reserve_that_lateness_uses_up() {
        let mut timer = timer(0, Some(ByoYomi::japanese(S(10), 2)));
        for took in [9, 15, 12] {
            assert_eq!(shown(&timer, Color::Black), (None, Some(10)));
            timer.spend(Color::Black, S(took));
        }
        // The last move took more than the last period, but the controller has not ended the game.
        assert_eq!(shown(&timer, Color::Black), (None, Some(10)));
    }

    #[test]
    fn the_controllers_clock_replaces_ours() {
        let mut timer = timer(60, Some(canadian(10, 2)));
        timer.correct(Color::White, S(7), 1);
        assert_eq!(shown(&timer, Color::White), (None, Some(7)));
        assert_eq!(shown(&timer, Color::Black), (Some(60), Some(65)));
        timer.restart();
        assert_eq!(shown(&timer, Color::White), (Some(60), Some(65)));
    }

    #[test]
    fn without_settings_a_colour_has_what_it_is_told() {
        let mut told = Timer::default();
        told.correct(Color::Black, S(9), 0);
        assert_eq!(shown(&told, Color::Black), (Some(9), None));
        let mut told = Timer::default();
        told.correct(Color::Black, S(30), 3);
        assert_eq!(shown(&told, Color::Black), (None, Some(10)));
    }

    #[test]
    fn no_limit_is_not_the_same_as_nothing_told() {
        let mut timer = Timer::default();
        timer.set(None);
        timer.correct(Color::Black, S(0), 0);
        assert_eq!(shown(&timer, Color::Black), (None, None));
        timer.correct(Color::Black, S(9), 0);
        assert_eq!(shown(&timer, Color::Black), (Some(9), None));
        timer.restart();
        assert_eq!(shown(&timer, Color::Black), (None, None));
    }

    #[test]
    fn clocks_that_were_only_told_last_a_game() {
        let mut told = Timer::default();
        told.correct(Color::Black, S(9), 0);
        told.restart();
        assert_eq!(shown(&told, Color::Black), (None, None));
        told.correct(Color::Black, S(9), 0);
        assert_eq!(shown(&told, Color::White), (Some(9), None));
    }

    #[test]
    fn overtime_that_is_told_after_main_time_begins_anew_after_its_moves() {
        let mut told = Timer::default();
        told.correct(Color::Black, S(60), 0);
        told.correct(Color::Black, S(30), 2);
        assert_eq!(shown(&told, Color::Black), (None, Some(15)));
        told.correct(Color::Black, S(20), 1);
        assert_eq!(shown(&told, Color::Black), (None, Some(20)));
        told.spend(Color::Black, S(19));
        assert_eq!(shown(&told, Color::Black), (None, Some(15)));
        // More time than the period has is another period.
        told.correct(Color::Black, S(40), 1);
        told.spend(Color::Black, S(39));
        assert_eq!(shown(&told, Color::Black), (None, Some(40)));
    }

    #[test]
    fn after_a_period_that_is_used_up_the_next_is_planned_with() {
        let mut timer = timer(0, Some(ByoYomi::japanese(S(10), 5)));
        timer.correct(Color::Black, S(0), 5);
        assert_eq!(shown(&timer, Color::Black), (None, Some(10)));
        timer.correct(Color::Black, S(0), 1);
        assert_eq!(shown(&timer, Color::Black), (None, Some(0)));
    }

    #[test]
    fn of_a_single_period_moves_are_counted() {
        for control in [canadian(30, 1), canadian(30, 2)] {
            let mut timer = timer(60, Some(control));
            timer.correct(Color::Black, S(12), 3);
            assert_eq!(shown(&timer, Color::Black), (None, Some(4)));
        }
    }

    #[test]
    fn what_kgs_counts_are_periods() {
        let mut timer = timer(60, Some(ByoYomi::japanese(S(30), 5)));
        timer.correct(Color::Black, S(20), 4);
        assert_eq!(shown(&timer, Color::Black), (None, Some(20)));
        timer.spend(Color::Black, S(1));
        assert_eq!(shown(&timer, Color::Black), (None, Some(30)));
    }
}
