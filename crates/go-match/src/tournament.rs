//! The rules of the tournament as options of a game.

use std::{sync::Arc, time::Duration};

use boardgame_core::{ByColor, ByoYomi, TimeControl, TimeMeasure};
use boardgame_io::cpu;
use boardgame_match::{GameOptions, GameSpec, Scorer, WatchOptions};
use go_core::{KoRule, Komi, Position, Rules, Setup, Size};
use go_proto::usenix;

/// The rules of a game in the tournament (P. Langston, revised rules of October 1984).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TournamentOptions {
    /// The size of the board.
    pub size: Size,
    /// White's bonus.
    pub komi: Komi,
    /// The user CPU time of each program for the game.
    pub limit: Duration,
    /// The user CPU time for each move once that is used up.
    pub byo_romi: Duration,
    /// The real time without an increase of user time after which a program that has to move is stuck.
    pub max_idle: Duration,
    /// The number of moves after which the game is judged as it stands: simple ko permits cycles.
    pub max_moves: usize,
    /// True if the game is refereed as the referee of 1986 did wherever the rules say otherwise: points off the
    /// board are ignored, and a ko may be retaken at once.
    pub as_1986: bool,
}

impl Default for TournamentOptions {
    /// The rules as they are written: 19x19, komi 5.5, 60 min, 10 s a move, 10 min; and at most 1,200 moves,
    /// of which they say nothing.
    fn default() -> Self {
        Self {
            size: Size::default(),
            komi: usenix::KOMI,
            limit: usenix::MAIN_TIME,
            byo_romi: usenix::BYO_ROMI,
            max_idle: Duration::from_mins(10),
            max_moves: 1200,
            as_1986: false,
        }
    }
}

/// The error of a system that does not tell the user CPU time of programs, by which the tournament's clock
/// runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a system that tells the user CPU time of a program, as Linux does in /proc: \
     the clock of the tournament counts it"
)]
pub struct UserTimeUnknown;

impl TournamentOptions {
    /// Checks that the system tells the user CPU time of programs.
    ///
    /// # Errors
    ///
    /// When it does not: nobody could be held to the limit.
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

    /// Returns the bounds of the game. The rules permit a game of any duration in which programs use hardly
    /// any user time, and so do these.
    pub fn game_options(&self) -> GameOptions {
        GameOptions {
            max_duration: Duration::MAX,
            ..GameOptions::default()
        }
    }

    /// Returns the rules that a program is held to while its move is awaited.
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
