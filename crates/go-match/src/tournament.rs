//! The rules of the tournament as options of a game.

use std::{sync::Arc, time::Duration};

use boardgame_core::{ByColor, ByoYomi, TimeControl, TimeMeasure};
use boardgame_io::{ProgramLimits, cpu};
use boardgame_match::{GameOptions, GameSpec, Scorer, WatchOptions};
use go_core::{KoRule, Komi, Position, Rules, Setup, Size};
use go_proto::usenix;

/// The rules of a game in the tournament (P. Langston, revised rules of October 1984).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TournamentOptions {
    /// The size of the board.
    pub size: Size,
    /// White's compensation.
    pub komi: Komi,
    /// The user CPU time of each program for the game.
    pub limit: Duration,
    /// The user CPU time for each move after that.
    pub byo_romi: Duration,
    /// The real time without an increase of user time after which a program to move counts as stuck.
    pub max_idle: Duration,
    /// The number of moves after which the game is judged as it stands, since simple ko permits cycles.
    pub max_moves: usize,
    /// True to follow the referee of 1986 where it deviates from the rules: points off the board are ignored,
    /// and a ko may be retaken at once.
    pub as_1986: bool,
    /// The limits of the programs' processes, which the rules do not have.
    pub limits: ProgramLimits,
}

impl Default for TournamentOptions {
    /// The rules as written: 19x19, komi 5.5, 60 min, 10 s a move, 10 min idle; and at most 1,200 moves, which
    /// the rules do not limit.
    fn default() -> Self {
        Self {
            size: Size::default(),
            komi: usenix::KOMI,
            limit: usenix::MAIN_TIME,
            byo_romi: usenix::BYO_ROMI,
            max_idle: Duration::from_mins(10),
            max_moves: 1200,
            as_1986: false,
            limits: ProgramLimits::default(),
        }
    }
}

/// The error of a system that does not report the user CPU time of programs, which the tournament's clock
/// needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a system that tells the user CPU time of a program, as Linux does in /proc: \
     the clock of the tournament counts it"
)]
pub struct UserTimeUnknown;

impl TournamentOptions {
    /// Checks that the system reports the user CPU time of programs.
    ///
    /// # Errors
    ///
    /// When it does not: the limit could not be enforced.
    pub fn check_system() -> Result<(), UserTimeUnknown> {
        cpu::user_time_is_known()
            .then_some(())
            .ok_or(UserTimeUnknown)
    }

    /// Returns the setup: an empty board, the komi and Japanese rules.
    pub fn setup(&self) -> Setup {
        let ko = if self.as_1986 {
            KoRule::Unrestricted
        } else {
            KoRule::Simple
        };
        let rules = Rules {
            ko,
            ..Rules::JAPANESE
        };
        Setup::new(self.size).with_komi(self.komi).with_rules(rules)
    }

    /// Returns the clock of each side. A program that uses up its limit has the time of byo-romi for the
    /// rest of that move, and then for every move.
    pub fn time_control(&self) -> TimeControl {
        TimeControl {
            main: Some(self.limit),
            // The last period never ends: only a move that takes longer loses.
            byo_yomi: Some(ByoYomi::japanese(self.byo_romi, 1)),
            measure: TimeMeasure::UserCpu,
            ..TimeControl::default()
        }
    }

    /// Returns the game.
    pub fn game(&self, judge: Arc<dyn Scorer<Position>>) -> GameSpec<Position> {
        GameSpec {
            time: ByColor::new_with(|_| self.time_control()),
            scorer: Some(judge),
            max_moves: Some(self.max_moves),
            ..GameSpec::new(self.setup())
        }
    }

    /// Returns the bounds of the game. Like the rules, they permit a game of any duration in which programs use
    /// hardly any user time.
    pub fn game_options(&self) -> GameOptions {
        GameOptions {
            max_duration: Duration::MAX,
            ..GameOptions::default()
        }
    }

    /// Returns the rules enforced while waiting for a program's move.
    pub fn watch(&self) -> WatchOptions {
        WatchOptions {
            max_idle: Some(self.max_idle),
            forbids_forks: true,
            ..WatchOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use boardgame_core::ClockState;

    use super::*;

    #[test]
    fn byo_romi_follows_the_limit_for_every_move() {
        let options = TournamentOptions::default();
        let clock = ClockState::new(options.time_control());
        let clock = clock.after(Duration::from_mins(61)).map(|_| ());
        assert_eq!(clock, None, "a minute is more than byo-romi");
        let clock = ClockState::new(options.time_control());
        let mut clock = clock.after(options.limit).unwrap();
        for _ in 0..1000 {
            assert!(clock.is_in_byo_yomi());
            clock = clock.after(options.byo_romi).unwrap();
        }
        assert_eq!(clock.after(Duration::from_millis(10_010)), None);
    }

    #[test]
    fn the_game_is_that_of_the_rules() {
        let options = TournamentOptions::default();
        assert_eq!(options.setup().to_string(), "19x19 komi 5.5 rules japanese");
        let as_1986 = TournamentOptions {
            as_1986: true,
            ..options
        };
        let rules = as_1986.setup().rules();
        assert_eq!(rules.to_string(), "unrestricted-ko+territory");
        let watch = options.watch();
        assert_eq!(watch.max_idle, Some(Duration::from_mins(10)));
        assert!(watch.forbids_forks);
        assert_eq!(
            TournamentOptions::check_system().is_ok(),
            cfg!(target_os = "linux")
        );
    }
}
