//! The margin of a game that a fault decided.

use std::{fmt, str::FromStr};

use boardgame_core::{Color, Margin};

/// The margin that counts for a game lost by a fault, in standings, means and tie-breaks.
///
/// # Examples
///
/// ```
/// use boardgame_core::{Color, Margin};
/// use boardgame_match::ForfeitScore;
///
/// let score: ForfeitScore = "64".parse()?;
/// let on_board = || Some(Margin::from_points(40));
/// assert_eq!(score.margin(Color::Black, on_board), Some(Margin::from_points(-64)));
/// assert_eq!(ForfeitScore::Board.margin(Color::Black, on_board), on_board());
/// # Ok::<(), boardgame_match::ParseForfeitScoreError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForfeitScore {
    /// The winner has this number of points more.
    Points(u16),
    /// The margin on the board when the game ended, which may favour the loser.
    Board,
}

/// The error of a text that is no [`ForfeitScore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the points by which a forfeit is lost, 0 to 65535, or board")]
pub struct ParseForfeitScoreError;

impl ForfeitScore {
    /// Returns the margin for Black of a game lost by a fault of `by`; `on_board` is the margin on the board.
    pub fn margin(self, by: Color, on_board: impl FnOnce() -> Option<Margin>) -> Option<Margin> {
        match self {
            Self::Points(points) => Some(Margin::from_points(points.into()).seen_by(!by)),
            Self::Board => on_board(),
        }
    }
}

impl FromStr for ForfeitScore {
    type Err = ParseForfeitScoreError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "board" => Ok(Self::Board),
            points => points
                .parse()
                .map(Self::Points)
                .or(Err(ParseForfeitScoreError)),
        }
    }
}

impl fmt::Display for ForfeitScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => points.fmt(f),
            Self::Board => f.write_str("board"),
        }
    }
}
