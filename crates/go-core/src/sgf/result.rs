//! Game results, the values of SGF's property `RE`.

use core::{fmt, str::FromStr};

use boardgame_core::{Color, Margin};

/// The result of a game.
///
/// # Examples
///
/// ```
/// use go_core::{Color, sgf::{GameResult, WinCause}};
///
/// let result: GameResult = "W+Resign".parse()?;
/// assert_eq!(result, GameResult::Win(Color::White, WinCause::Resignation));
/// assert_eq!(result.to_string(), "W+R");
/// assert_eq!(result.winner(), Some(Color::White));
/// # Ok::<(), go_core::sgf::ParseGameResultError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// A counted game; a draw has the margin 0.
    Score(Margin),
    /// A game won without counting.
    Win(Color, WinCause),
    /// A game without a result.
    Void,
    /// A game with an unknown result.
    Unknown,
}

/// The cause of a win without counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinCause {
    /// The other side resigned.
    Resignation,
    /// The other side ran out of time.
    Time,
    /// The other side lost by a rule of the competition.
    Forfeit,
    /// The cause is not given.
    Unspecified,
}

impl GameResult {
    /// Returns the winner, or `None` if there is none.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Score(margin) => margin.winner(),
            Self::Win(winner, _) => Some(winner),
            Self::Void | Self::Unknown => None,
        }
    }
}

impl fmt::Display for GameResult {
    /// Prints `B+3.5`, `0`, `W+R`, `W+T`, `W+F`, `W+`, `Void` or `?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (winner, cause) = match self {
            Self::Score(margin) => return margin.fmt(f),
            Self::Void => return f.write_str("Void"),
            Self::Unknown => return f.write_str("?"),
            Self::Win(winner, cause) => (winner, cause),
        };
        f.write_str(match winner {
            Color::Black => "B+",
            Color::White => "W+",
        })?;
        f.write_str(match cause {
            WinCause::Resignation => "R",
            WinCause::Time => "T",
            WinCause::Forfeit => "F",
            WinCause::Unspecified => "",
        })
    }
}

/// The error of parsing a result: expected `B+3.5`, `W+R`, `0`, `Void`, `?` or similar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseGameResultError;

impl fmt::Display for ParseGameResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a result such as B+3.5, W+R, 0, Void or ?")
    }
}

impl core::error::Error for ParseGameResultError {}

impl FromStr for GameResult {
    type Err = ParseGameResultError;

    /// Parses the printed forms of [`GameResult`] and SGF's long forms: `Draw`, `B+Resign`,
    /// `B+Time`, `B+Forfeit`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (winner, won_by) = match text {
            "0" | "Draw" => return Ok(Self::Score(Margin::DRAW)),
            "Void" => return Ok(Self::Void),
            "?" => return Ok(Self::Unknown),
            _ => text.split_once('+').ok_or(ParseGameResultError)?,
        };
        let winner = match winner {
            "B" => Color::Black,
            "W" => Color::White,
            _ => return Err(ParseGameResultError),
        };
        let cause = match won_by {
            "R" | "Resign" => WinCause::Resignation,
            "T" | "Time" => WinCause::Time,
            "F" | "Forfeit" => WinCause::Forfeit,
            "" => WinCause::Unspecified,
            points => return read_margin(winner, points).ok_or(ParseGameResultError),
        };
        Ok(Self::Win(winner, cause))
    }
}

/// Parses the number of whole or half points by which a side won.
fn read_margin(winner: Color, points: &str) -> Option<GameResult> {
    let is_number = points.starts_with(|c: char| c.is_ascii_digit());
    let komi: crate::Komi = points.parse().ok().filter(|_| is_number)?;
    let margin = Margin::from_half_points(i32::from(komi.half_points()));
    Some(GameResult::Score(margin.seen_by(winner)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn results_round_trip() {
        use WinCause::{Forfeit, Resignation, Time, Unspecified};
        let score = |half_points| GameResult::Score(Margin::from_half_points(half_points));
        for (text, result, winner) in [
            ("B+3.5", score(7), Some(Color::Black)),
            ("W+64", score(-128), Some(Color::White)),
            ("0", score(0), None),
            (
                "B+R",
                GameResult::Win(Color::Black, Resignation),
                Some(Color::Black),
            ),
            (
                "W+T",
                GameResult::Win(Color::White, Time),
                Some(Color::White),
            ),
            (
                "W+F",
                GameResult::Win(Color::White, Forfeit),
                Some(Color::White),
            ),
            (
                "B+",
                GameResult::Win(Color::Black, Unspecified),
                Some(Color::Black),
            ),
            ("Void", GameResult::Void, None),
            ("?", GameResult::Unknown, None),
        ] {
            assert_eq!(
                (text.parse(), result.to_string()),
                (Ok(result), text.to_string())
            );
            assert_eq!(result.winner(), winner);
        }
    }

    #[test]
    fn long_forms_are_parsed_and_other_texts_rejected() {
        for (long, short) in [
            ("Draw", "0"),
            ("B+Resign", "B+R"),
            ("W+Time", "W+T"),
            ("W+Forfeit", "W+F"),
            ("B+2.50", "B+2.5"),
        ] {
            assert_eq!(long.parse::<GameResult>(), short.parse(), "{long}");
        }
        for text in [
            "", "B", "X+1", "B+-1", "B+1.25", "B+resign", "b+1", "B++1", "1",
        ] {
            assert_eq!(
                text.parse::<GameResult>(),
                Err(ParseGameResultError),
                "{text}"
            );
        }
        let expected = "expected a result such as B+3.5, W+R, 0, Void or ?";
        assert_eq!(ParseGameResultError.to_string(), expected);
    }
}
