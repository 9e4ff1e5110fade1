//! Go as controllers present it to programs.

use alloc::{
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use boardgame_core::Color;
use boardgame_session::gtp::{Command, GtpGame, InexpressibleSetup};
use go_core::{Move, Point, Position, Setup, fixed_handicap};

use super::player::{kata_rules, kgs_name};
use crate::ParseError;

/// Go on a board of any size. Programs are not asked for the score: they do not decide which stones are dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go;

impl GtpGame for Go {
    type Game = Position;

    fn board_size(setup: &Setup) -> u32 {
        setup.size().lines().into()
    }

    /// Returns `komi` and the stones: as a fixed or free handicap if that fits and the program knows the command,
    /// otherwise by `play`.
    fn setup_commands(
        setup: &Setup,
        knows: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Command>, InexpressibleSetup> {
        let mut commands = Vec::new();
        if knows("komi") {
            commands.push(Command::new("komi").argument(setup.komi()));
        }
        commands.extend(stones(setup, knows));
        Ok(commands)
    }

    /// Returns `kata-set-rules`, or `kgs-rules` if KGS has a name for the rules.
    fn rules_command(setup: &Setup, knows: &dyn Fn(&str) -> bool) -> Option<Command> {
        let rules = setup.rules();
        if knows("kata-set-rules") {
            return Some(Command::new("kata-set-rules").argument(kata_rules(rules)));
        }
        let name = kgs_name(rules).filter(|_| knows("kgs-rules"))?;
        Some(Command::new("kgs-rules").argument(name))
    }

    fn vertex(_: &Position, mv: Move) -> String {
        mv.to_string()
    }

    fn parse_vertex(_: &Position, text: &str) -> Result<Move, ParseError> {
        text.parse()
            .map_err(|_| ParseError::new("a vertex such as D4, pass or resign", 0, text.as_bytes()))
    }
}

/// Returns the commands that place the stones of a setup.
fn stones(setup: &Setup, knows: &dyn Fn(&str) -> bool) -> Vec<Command> {
    let handicap = setup.handicap();
    let of = |color| setup.stones()[color].iter();
    if handicap > 0 {
        let fixed = fixed_handicap(setup.size(), handicap).into_iter().flatten();
        let mut fixed: Vec<Point> = fixed.collect();
        fixed.sort_unstable();
        if knows("fixed_handicap") && fixed.into_iter().eq(of(Color::Black)) {
            return vec![Command::new("fixed_handicap").argument(handicap)];
        }
        if knows("set_free_handicap") {
            let command = Command::new("set_free_handicap");
            return vec![of(Color::Black).fold(command, Command::argument)];
        }
    }
    let colors = Color::ALL.into_iter();
    colors
        .flat_map(|color| of(color).map(move |point| Command::play(color, point.to_string())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    fn commands(setup: &str, known: &str) -> String {
        let knows = |command: &str| known.split(' ').any(|word| word == command);
        let setup: Setup = setup.parse().unwrap();
        let commands = Go::setup_commands(&setup, &knows).unwrap();
        let lines: Vec<String> = commands.iter().map(Command::to_string).collect();
        lines.join("; ")
    }

    #[test]
    fn a_setup_is_told_in_the_words_that_the_program_knows() {
        let all = "komi fixed_handicap set_free_handicap";
        assert_eq!(commands("19 komi 5.5", all), "komi 5.5");
        assert_eq!(commands("19 komi 5.5", ""), "");
        let fixed = "9 komi 0.5 black G7 C3 first white";
        assert_eq!(commands(fixed, all), "komi 0.5; fixed_handicap 2");
        let free = "9 black C3 E5 first white";
        assert_eq!(commands(free, all), "komi 0; set_free_handicap C3 E5");
        assert_eq!(
            commands(fixed, "set_free_handicap"),
            "set_free_handicap C3 G7"
        );
        assert_eq!(commands(fixed, "komi"), "komi 0.5; play b C3; play b G7");
        assert_eq!(
            commands("5 black A1 white B2", all),
            "komi 0; play b A1; play w B2"
        );
    }

    #[test]
    fn rules_are_told_by_name_or_one_by_one() {
        let command = |rules: &str, known: &str| {
            let setup: Setup = format!("9 rules {rules}").parse().unwrap();
            let command = Go::rules_command(&setup, &|command| command == known);
            command.map(|command| command.to_string())
        };
        for (rules, known, expected) in [
            ("chinese", "kata-set-rules", "kata-set-rules chinese-kgs"),
            (
                "new-zealand",
                "kata-set-rules",
                "kata-set-rules new-zealand",
            ),
            (
                "simple-ko+area",
                "kata-set-rules",
                "kata-set-rules {\"hasButton\":false,\"ko\":\"SIMPLE\",\"scoring\":\"AREA\",\"suicide\":false,\
                \"tax\":\"NONE\",\"whiteHandicapBonus\":\"0\"}",
            ),
            ("new-zealand", "kgs-rules", "kgs-rules new_zealand"),
        ] {
            assert_eq!(command(rules, known).as_deref(), Some(expected));
        }
        assert_eq!(command("tromp-taylor", "kgs-rules"), None);
        assert_eq!(command("chinese", "komi"), None);
    }

    #[test]
    fn vertices_read_back() {
        let position = Position::new(&Setup::default());
        for text in ["D4", "T19", "pass"] {
            let mv = Go::parse_vertex(&position, text).unwrap();
            assert_eq!(Go::vertex(&position, mv), text);
            assert_eq!(Go::parse_vertex(&position, &text.to_lowercase()), Ok(mv));
        }
        assert_eq!(Go::parse_vertex(&position, "PASS"), Ok(Move::Pass));
        let error = Go::parse_vertex(&position, "I5").unwrap_err();
        assert_eq!(error.expected(), "a vertex such as D4, pass or resign");
        assert_eq!(Go::board_size(&"13".parse().unwrap()), 13);
    }
}
