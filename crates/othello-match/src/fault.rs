//! Faults of engines in a match.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

/// A misbehaviour that decides a game against an engine, or is counted beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Fault {
    /// It did not start, or did not become ready.
    NotStarted {
        /// The reason, in the system's words or its own.
        reason: String,
    },
    /// It ended by itself in the middle of a game.
    Crashed {
        /// Its exit status, and the end of what it said.
        detail: String,
    },
    /// It did not answer, and was ended.
    Hung {
        /// The time that it was waited for.
        waited: Duration,
    },
    /// It answered with a move that the rules forbid.
    IllegalMove {
        /// The answer.
        answer: String,
    },
    /// Its move came after its time.
    Late {
        /// The time it took.
        took: Duration,
        /// The time it had.
        allowed: Duration,
    },
    /// It claimed a result that is not the game's.
    FalseResult {
        /// The claim.
        claim: String,
        /// The result on the board.
        truth: String,
    },
    /// It gave up the game.
    Resigned,
    /// It took the opening pass of Sloan's format for the answer to its first move. The game began
    /// again, opened otherwise.
    MisreadOpening,
    /// It did not keep to its protocol.
    Format {
        /// The expected message, and the one that came.
        detail: String,
    },
}

/// The bytes of what an engine said that a fault repeats.
const QUOTED: usize = 500;

/// The bytes of the end of an engine's standard error that a fault repeats.
const LAST_WORDS: usize = 300;

/// The kinds of [`Fault`], without what each game adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum FaultKind {
    NotStarted,
    Crashed,
    Hung,
    IllegalMove,
    Late,
    FalseResult,
    Resigned,
    Format,
}

impl FaultKind {
    /// Returns a short name for tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotStarted => "not started",
            Self::Crashed => "crashed",
            Self::Hung => "hung",
            Self::IllegalMove => "illegal move",
            Self::Late => "late",
            Self::FalseResult => "false result",
            Self::Resigned => "resigned",
            Self::Format => "protocol",
        }
    }
}

impl Fault {
    /// Its kind.
    pub const fn kind(&self) -> FaultKind {
        match self {
            Self::NotStarted { .. } => FaultKind::NotStarted,
            Self::Crashed { .. } => FaultKind::Crashed,
            Self::Hung { .. } => FaultKind::Hung,
            Self::IllegalMove { .. } => FaultKind::IllegalMove,
            Self::Late { .. } => FaultKind::Late,
            Self::FalseResult { .. } => FaultKind::FalseResult,
            Self::Resigned => FaultKind::Resigned,
            Self::MisreadOpening | Self::Format { .. } => FaultKind::Format,
        }
    }

    /// The same with no more of what the engine said than tells what it is about.
    pub(crate) fn brief(mut self) -> Self {
        match &mut self {
            Self::NotStarted { reason: said }
            | Self::Crashed { detail: said }
            | Self::IllegalMove { answer: said }
            | Self::FalseResult { claim: said, .. }
            | Self::Format { detail: said } => cut(said),
            Self::Hung { .. } | Self::Late { .. } | Self::Resigned | Self::MisreadOpening => {}
        }
        self
    }
}

fn cut(said: &mut String) {
    if said.len() > QUOTED {
        said.truncate(said.floor_char_boundary(QUOTED));
        said.push('…');
    }
}

/// The end of what an engine said on its standard error.
pub(crate) fn last_words(said: &str) -> &str {
    let said = said.trim();
    &said[said.ceil_char_boundary(said.len().saturating_sub(LAST_WORDS))..]
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { reason } => write!(f, "did not start: {reason}"),
            Self::Crashed { detail } => write!(f, "crashed: {detail}"),
            Self::Hung { waited } => write!(f, "did not answer for {waited:.1?}"),
            Self::IllegalMove { answer } => write!(f, "illegal move: {answer}"),
            Self::Late { took, allowed } => write!(f, "took {took:.3?} of {allowed:.3?}"),
            Self::FalseResult { claim, truth } => {
                write!(f, "claimed the result {claim}, which is {truth}")
            }
            Self::Resigned => f.write_str("gave up"),
            Self::MisreadOpening => {
                f.write_str("took the opening pass for an answer; the game began again without it")
            }
            Self::Format { detail } => write!(f, "broke the protocol: {detail}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_repeats_a_few_hundred_bytes_of_what_was_said() {
        let said = |text: &str| Fault::Format {
            detail: text.into(),
        };
        assert_eq!(said("hello").brief(), said("hello"));
        // The cut would fall into a letter.
        let long = format!("x{}", "é".repeat(QUOTED));
        let kept = format!("x{}…", "é".repeat(QUOTED / 2 - 1));
        assert_eq!(said(&long).brief(), said(&kept));
        assert_eq!(last_words(" alas\n"), "alas");
        assert_eq!(last_words(&long[..2 * QUOTED - 1]).len(), LAST_WORDS);
        assert_eq!(last_words(&format!("{long}!")).len(), LAST_WORDS - 1);
    }
}
