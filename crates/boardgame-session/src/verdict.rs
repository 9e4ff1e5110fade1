//! Verdicts and their causes.

use alloc::{format, string::String};
use core::{fmt, time::Duration};

use boardgame_core::{Color, Margin};

use crate::SeatFault;

/// The number of bytes shown of an incomplete answer.
const MAX_SHOWN: usize = 80;

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The winner, or `None` in a draw.
    pub winner: Option<Color>,
    /// The cause of the end.
    pub cause: Cause,
    /// The result, if the game was played to its end or judged at its last position.
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

    /// Returns the verdict on a game that was judged after the maximum number of moves.
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
    /// Prints words such as `White won: Black left`.
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
    /// It was judged after the maximum number of moves.
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
    /// Returns the side that lost other than by the rules, or `None` if the game has a result.
    pub const fn culprit(&self) -> Option<Color> {
        match self {
            Self::Played | Self::MaxMoves => None,
            Self::Resigned { by } | Self::Forfeit { by, .. } => Some(*by),
        }
    }

    /// Returns `true` if a side lost on time.
    pub const fn is_overtime(&self) -> bool {
        matches!(
            self,
            Self::Forfeit {
                fault: SeatFault::Overtime { .. },
                ..
            }
        )
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Played => f.write_str("played to the end"),
            Self::MaxMoves => f.write_str("judged as it stands after the maximum number of moves"),
            Self::Resigned { by } => write!(f, "{by} resigned"),
            Self::Forfeit { by, fault } => match fault {
                SeatFault::IllegalMove { detail, .. } => {
                    write!(f, "illegal move by {by}: {detail}")
                }
                SeatFault::Overtime { detail } => write!(f, "{by} ran out of time: {detail}"),
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

    /// Returns the fault of a program that used `used` of a limit without an answer in time.
    pub fn overtime(used: Duration, limit: Duration, received: Received<'_>) -> Self {
        let [used, limit] = [used, limit].map(|time| time.as_secs_f64());
        let detail = format!("{used:.2} s of {limit:.2} s; {received}");
        Self::Overtime { detail }
    }
}

/// The input received from a program whose time ran out.
#[derive(Clone, Copy)]
pub enum Received<'a> {
    /// The answer, but late.
    Late(&'a dyn fmt::Display),
    /// The start of an answer, or nothing.
    Part(&'a [u8]),
    /// No answer, whatever else the program wrote.
    NoAnswer,
}

impl fmt::Display for Received<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late(answer) => write!(f, "received {answer}"),
            Self::Part([]) => f.write_str("nothing was received in time"),
            Self::Part(bytes) => {
                let shown = bytes[..bytes.len().min(MAX_SHOWN)].escape_ascii();
                write!(f, "received \"{shown}\"")?;
                f.write_str(if bytes.ends_with(b"\n") {
                    ""
                } else {
                    " without a newline"
                })
            }
            Self::NoAnswer => f.write_str("no answer was received in time"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_verdict_on_time_says_the_limit_the_time_used_and_the_input() {
        let [used, limit] = [2305, 2000].map(Duration::from_millis);
        for (received, expected) in [
            (Received::Part(b""), "nothing was received in time"),
            (Received::Part(b"d"), "received \"d\" without a newline"),
            (Received::Part(b"d\n"), "received \"d\\n\""),
            (Received::NoAnswer, "no answer was received in time"),
            (Received::Late(&"d3"), "received d3"),
        ] {
            let fault = SeatFault::overtime(used, limit, received);
            let cause = Verdict::forfeit(Color::White, fault).cause;
            let expected = format!("White ran out of time: 2.31 s of 2.00 s; {expected}");
            assert_eq!(cause.to_string(), expected);
        }
    }
}
