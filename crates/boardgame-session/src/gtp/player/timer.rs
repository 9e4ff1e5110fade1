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

/// The time at the start of each game.
#[derive(Clone, Copy, Debug, Default)]
enum Settings {
    /// No setting was received.
    #[default]
    Unset,
    /// The setting was no limit.
    Unlimited,
    /// The setting was this control.
    Control(TimeControl),
}

impl Timer {
    /// Sets both clocks for the start of each game; `None` is no limit.
    pub(super) fn set(&mut self, control: Option<TimeControl>) {
        self.settings = control.map_or(Settings::Unlimited, Settings::Control);
        self.restart();
    }

    /// Starts a game anew.
    pub(super) fn restart(&mut self) {
        self.clocks = match self.settings {
            Settings::Control(control) => Some(begin(control)),
            Settings::Unset | Settings::Unlimited => None,
        };
    }

    /// Corrects a colour's clock: the rest of the main time (`count` is 0), or of a period and the moves to make in it.
    /// If periods of one move are counted, as in KGS, `count` is the number of periods. More time than a period has is
    /// main time, whatever `count` says.
    ///
    /// Without a limit, a time of zero is ignored.
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
        let byo_yomi = clock.control().byo_yomi;
        let counts_periods =
            byo_yomi.is_some_and(|byo_yomi| byo_yomi.moves == 1 && byo_yomi.periods > 1);
        let is_main = byo_yomi.is_some_and(|byo_yomi| time > byo_yomi.period);
        *clock = match count {
            _ if is_main => clock.with_main(time),
            0 => clock.with_main(time),
            periods if counts_periods => clock.with_overtime(time, 1, periods),
            moves => clock.with_overtime(time, moves, 1),
        };
    }

    /// Extends the time control of a colour without settings by the time that its clock shows.
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
        // The other colour has the same until its own time is received.
        let clocks = self.clocks.get_or_insert_with(|| begin(control));
        clocks[color] = ClockState::new(control);
    }

    /// Returns the clock of a colour that is asked at `started`.
    ///
    /// Later periods are a reserve: none is used up on purpose.
    pub(super) fn clock(&self, color: Color, started: Timestamp) -> TaskClock {
        let unlimited = TaskClock::unlimited(started);
        match &self.clocks {
            None => unlimited,
            Some(clocks) => limited(unlimited, &clocks[color]),
        }
    }

    /// Books a move. One that took more than the time left uses up that time.
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
        // The move that uses up the main time may also use a period's share.
        per_move: game
            .zip(overtime)
            .map(|(main, share)| main.saturating_add(share)),
        overtime,
        ..task
    }
}

/// Returns the time for each move of the current period, or of the next if that one is used up.
fn share_of_period(clock: &ClockState) -> Duration {
    match clock.control().byo_yomi {
        Some(byo_yomi) if clock.period_left().is_zero() && clock.periods() > 1 => byo_yomi.share(),
        _ => clock.period_left() / clock.period_moves().max(1),
    }
}
