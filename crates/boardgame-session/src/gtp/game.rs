//! The parts of the protocol that differ between games.

use alloc::{string::String, vec::Vec};
use core::fmt::Debug;

use boardgame_core::{Game, Margin};

use super::Command;
use crate::ParseError;

/// The vocabulary of a game whose programs speak GTP: its vertices, its board and its setup.
pub trait GtpGame {
    /// The rules.
    type Game: Game + Debug;

    /// Returns the argument of `boardsize`.
    fn board_size(setup: &<Self::Game as Game>::Setup) -> u32;

    /// Returns the commands that lead from the cleared board to a setup; `knows` returns whether the program lists a
    /// command.
    ///
    /// # Errors
    ///
    /// Fails if the program knows no command for it.
    fn setup_commands(
        setup: &<Self::Game as Game>::Setup,
        knows: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Command>, InexpressibleSetup>;

    /// Returns the command that tells the program the rules of a setup, if it has one; by default none. It may refuse
    /// it.
    fn rules_command(
        setup: &<Self::Game as Game>::Setup,
        knows: &dyn Fn(&str) -> bool,
    ) -> Option<Command> {
        let _ = (setup, knows);
        None
    }

    /// Returns the vertex of a move, such as `D4` or `pass`.
    fn vertex(position: &Self::Game, mv: <Self::Game as Game>::Move) -> String;

    /// Reads the vertex of a move, in any case. The move may be illegal.
    ///
    /// # Errors
    ///
    /// Fails if the text is no vertex of this game.
    fn parse_vertex(
        position: &Self::Game,
        text: &str,
    ) -> Result<<Self::Game as Game>::Move, ParseError>;

    /// Returns the results that `final_score` may state for a finished game. If there are none, as by default, programs
    /// are not asked.
    fn final_scores(position: &Self::Game) -> Vec<Margin> {
        let _ = position;
        Vec::new()
    }
}

/// The program lacks commands to express a game's setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {commands} among its commands, which {part} needs")]
#[allow(missing_docs)]
pub struct InexpressibleSetup {
    pub commands: &'static str,
    /// The part of the setup that needs them.
    pub part: &'static str,
}

/// Parses a result in the form of `final_score`: `B+10`, `W+2.5` or `0`; a number without a colour is Black's. `None`
/// if it is no result.
///
/// # Examples
///
/// ```
/// use boardgame_core::Margin;
/// use boardgame_session::gtp::parse_score;
///
/// assert_eq!(parse_score("W+2.5"), Some(Margin::from_half_points(-5)));
/// assert_eq!(parse_score("0"), Some(Margin::DRAW));
/// assert_eq!(parse_score("W+R"), None);
/// ```
pub fn parse_score(text: &str) -> Option<Margin> {
    let text = text.trim();
    let points: f32 = match text.split_once('+') {
        Some(("B" | "b", points)) => points.parse().ok()?,
        Some(("W" | "w", points)) => -points.parse::<f32>().ok()?,
        _ => text.parse().ok()?,
    };
    let half_points = 2.0 * points;
    // No board allows more, even with prisoners and komi.
    let is_margin = half_points % 1.0 == 0.0 && half_points.abs() <= 100_000.0;
    is_margin.then(|| Margin::from_half_points(half_points as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_for_black() {
        let half_points = |text| parse_score(text).map(Margin::half_points);
        assert_eq!(half_points("B+10"), Some(20));
        assert_eq!(half_points("b+0.5"), Some(1));
        assert_eq!(half_points(" W+2.0\n"), Some(-4));
        assert_eq!(half_points("-3"), Some(-6));
        for text in [
            "",
            "B4",
            "B+",
            "B+R",
            "B+0.3",
            "W+1e9",
            "nan",
            "B+inf",
            "Black wins",
        ] {
            assert_eq!(half_points(text), None, "{text:?}");
        }
    }
}
