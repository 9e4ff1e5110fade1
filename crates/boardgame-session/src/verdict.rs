//! Verdicts and their causes.

use alloc::string::String;
use core::fmt;

use boardgame_core::{Color, Margin};

use crate::SeatFault;

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The winner, or `None` in a draw.
    pub winner: Option<Color>,
    /// The cause of the end.
    pub cause: Cause,
    /// The result, of a game that came to its end or was judged as it stood.
    pub margin: Option<Margin>,
}

impl Verdict {
    /// Returns the verdict on a game that was played to its end.
    pub const fn played(margin: Margin) -> Self {
        Self {
            winner: margin.winner(),
            cause: Cause::Played,
            margin: Some(margin),
        }
    }

    /// Returns the verdict on a game that reached the maximum number of moves and was judged as it stood.
    pub const fn stopped(margin: Margin) -> Self {
        Self {
            winner: margin.winner(),
            cause: Cause::MaxMoves,
            margin: Some(margin),
        }
    }

    /// Returns the verdict on a game that a side resigned.
    pub fn resigned(by: Color) -> Self {
        Self {
            winner: Some(!by),
            cause: Cause::Resigned { by },
            margin: None,
        }
    }

    /// Returns the verdict on a game that a side lost by a fault.
    pub fn forfeit(by: Color, fault: SeatFault) -> Self {
        Self {
            winner: Some(!by),
            cause: Cause::Forfeit { by, fault },
            margin: None,
        }
    }
}

impl fmt::Display for Verdict {
    /// In words, such as `White won: Black left`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} won: {}", self.cause),
            None => write!(f, "draw: {}", self.cause),
        }
    }
}

/// The cause of the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// It was played to its end.
    Played,
    /// It reached the maximum number of moves and was judged as it stood.
    MaxMoves,
    /// A side resigned; the other wins.
    Resigned {
        /// The side that resigned.
        by: Color,
    },
    /// A side lost by a fault; the other wins.
    Forfeit {
        /// The side at fault.
        by: Color,
        /// The fault.
        fault: SeatFault,
    },
}

impl Cause {
    /// Returns the side that lost otherwise than by the rules, or `None` of a game that has a result.
    pub const fn culprit(&self) -> Option<Color> {
        match self {
            Self::Played | Self::MaxMoves => None,
            Self::Resigned { by } | Self::Forfeit { by, .. } => Some(*by),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Played => f.write_str("played to the end"),
            Self::MaxMoves => f.write_str("judged as it stands after the maximum number of moves"),
            Self::Resigned { by } => write!(f, "{by} resigned"),
            Self::Forfeit { by, fault } => match fault {
                SeatFault::IllegalMove { detail } => write!(f, "illegal move by {by}: {detail}"),
                SeatFault::Overtime => write!(f, "{by} ran out of time"),
                SeatFault::Format { detail } => write!(f, "{by} broke the format: {detail}"),
                SeatFault::Idle { for_time } => write!(f, "{by} did nothing for {for_time:.0?}"),
                SeatFault::Forked => write!(
                    f,
                    "{by} started another process; that of a shell script around the program counts"
                ),
                SeatFault::Left => write!(f, "{by} left"),
                SeatFault::CannotBegin { detail } => {
                    write!(f, "{by} cannot play this game: {detail}")
                }
            },
        }
    }
}

impl SeatFault {
    /// Returns the fault of a program that broke its format.
    pub fn format(detail: impl Into<String>) -> Self {
        Self::Format {
            detail: detail.into(),
        }
    }
}
