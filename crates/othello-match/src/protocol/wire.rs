//! The wire formats of programs: their names, openings and limits.

use std::{fmt, time::Duration};

use boardgame_core::TimeControl;
use boardgame_match::limit::Limit;
use othello_core::{Board, Game};
use othello_proto::{
    codewarriors,
    gui::{Form, HostSeatOptions, Version},
    lth, sloan,
};

/// A wire format, in a program's form of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFormat {
    /// The Sloan (IAGO) referee's, spoken to in this dialect until the program speaks.
    Sloan(sloan::Dialect),
    /// The LTH server's, over TCP.
    Lth,
    /// The Code Warriors judge's.
    Codewarriors,
    /// The Othello GUI's, in this form.
    Gui(Form),
}

impl WireFormat {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Sloan(sloan::Dialect::Expressions),
        Self::Sloan(sloan::Dialect::Lines),
        Self::Lth,
        Self::Codewarriors,
        Self::Gui(Form::Released),
        Self::Gui(Form::Document(Version::V1)),
        Self::Gui(Form::Document(Version::V2)),
        Self::Gui(Form::Stay(Version::V1)),
        Self::Gui(Form::Stay(Version::V2)),
    ];

    /// The name, such as `sloan` or `gui-v2`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sloan(sloan::Dialect::Expressions) => "sloan",
            Self::Sloan(sloan::Dialect::Lines) => "sloan-lines",
            Self::Lth => "lth",
            Self::Codewarriors => "codewarriors",
            Self::Gui(Form::Released) => "gui",
            Self::Gui(Form::Document(Version::V1)) => "gui-v1",
            Self::Gui(Form::Document(Version::V2)) => "gui-v2",
            Self::Gui(Form::Stay(Version::V1)) => "gui-stay-v1",
            Self::Gui(Form::Stay(Version::V2)) => "gui-stay-v2",
        }
    }

    /// Returns true if the format can express a game that starts with an opening: only the GUI's format sends a
    /// board, all others use the standard start.
    pub fn takes(self, opening: &Game) -> bool {
        let from_the_start = opening.start() == Board::START && opening.moves().is_empty();
        from_the_start || matches!(self, Self::Gui(_))
    }

    /// Returns whether a program is started for each move.
    pub(crate) const fn has_a_process_for_each_move(self) -> bool {
        matches!(self, Self::Gui(Form::Released | Form::Document(_)))
    }
}

impl fmt::Display for WireFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The time of a program, as its format counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Allowance {
    /// For all its moves together.
    Game(Duration),
    /// For each move.
    Move(Duration),
}

impl Allowance {
    /// Returns the time that a limit gives in a format; without one, the format's own.
    ///
    /// # Errors
    ///
    /// Fails with the limits that the format can express.
    pub(crate) fn new(format: WireFormat, limit: Limit) -> Result<Self, &'static str> {
        let whole_game = limit.game.filter(|game| game.increment.is_zero());
        let game = whole_game.map(|game| Self::Game(game.base));
        let each_move = limit.move_time.map(Self::Move);
        let (own, known, chosen) = match format {
            WireFormat::Sloan(_) => {
                let own = Self::Game(sloan::GAME_TIME);
                (own, "a time for the game without increment", game)
            }
            WireFormat::Lth => {
                let own = Self::Game(lth::TimeLimit::default().length);
                let known = "either a time for the game without increment or one for a move";
                (own, known, game.or(each_move))
            }
            WireFormat::Codewarriors => {
                let own = Self::Move(codewarriors::MOVE_LIMIT);
                (own, "a time for a move", each_move)
            }
            WireFormat::Gui(_) => {
                let own = Self::Move(HostSeatOptions::default().limit);
                (own, "a time for a move", each_move)
            }
        };
        let asked = [limit.game.is_some(), limit.move_time.is_some()];
        let has_others = limit.depth.is_some() || limit.nodes.is_some();
        match (asked, chosen) {
            _ if has_others || limit.byo_yomi.is_some() || limit.user_cpu => Err(known),
            ([false, false], _) => Ok(own),
            ([true, false] | [false, true], Some(chosen)) => Ok(chosen),
            _ => Err(known),
        }
    }

    /// Returns the length.
    pub(crate) const fn length(self) -> Duration {
        match self {
            Self::Game(length) | Self::Move(length) => length,
        }
    }

    /// Returns it as a time control.
    pub(crate) fn time_control(self) -> TimeControl {
        let (main, per_move) = match self {
            Self::Game(length) => (Some(length), None),
            Self::Move(length) => (None, Some(length)),
        };
        TimeControl {
            main,
            per_move,
            ..TimeControl::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_gui_takes_openings() {
        let opening: Game = "f5d6".parse().unwrap();
        let elsewhere = Game::new(opening.board());
        for format in WireFormat::ALL {
            assert!(format.takes(&Game::default()));
            let gui = matches!(format, WireFormat::Gui(_));
            assert_eq!(format.takes(&opening), gui, "{format}");
            assert_eq!(format.takes(&elsewhere), gui, "{format}");
        }
    }

    #[test]
    fn each_format_has_its_own_kind_of_time() {
        let second = Duration::from_secs(1);
        let (game, each_move) = (Ok(Allowance::Game(second)), Ok(Allowance::Move(second)));
        for (format, by_game, by_move) in [
            ("sloan", &game, None),
            ("lth", &game, Some(&each_move)),
            (
                "codewarriors",
                &Ok(Allowance::Move(second)),
                Some(&each_move),
            ),
            ("gui", &Ok(Allowance::Move(second)), Some(&each_move)),
        ] {
            let format = WireFormat::ALL
                .into_iter()
                .find(|known| known.name() == format)
                .unwrap();
            let of = |limit: &str| Allowance::new(format, limit.parse().unwrap());
            if matches!(by_game, Ok(Allowance::Game(_))) {
                assert_eq!(&of("game:1s"), by_game);
            } else {
                assert!(of("game:1s").is_err(), "{format}");
            }
            match by_move {
                Some(expected) => assert_eq!(&of("move:1s"), expected),
                None => assert!(of("move:1s").is_err(), "{format}"),
            }
            assert!(Allowance::new(format, Limit::default()).is_ok());
            for refused in [
                "game:1s+1s",
                "game:1s,move:1s",
                "depth:3",
                "nodes:3",
                "move:1s,depth:3",
            ] {
                assert!(of(refused).is_err(), "{format} {refused}");
            }
        }
    }
}
