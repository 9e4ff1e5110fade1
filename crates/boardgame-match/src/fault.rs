//! Faults of engines in a match.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

/// A misbehaviour that decides a game against an engine, or is counted without deciding it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
#[allow(missing_docs)] // The messages name the fields.
pub enum Fault {
    /// The engine did not start, or did not become ready.
    NotStarted {
        /// The kind of the reason.
        #[serde(default, skip_serializing_if = "StartFailure::is_other")]
        failure: StartFailure,
        /// The reason, in the words of the system or of the engine.
        reason: String,
    },
    /// The engine exited during a game.
    Crashed {
        /// The exit status and the end of the standard error.
        detail: String,
    },
    /// The engine's program exceeded a limit, and was terminated.
    OverLimit {
        /// The limit, in words such as `used more than 512 MiB of memory`.
        detail: String,
    },
    /// The engine did not answer, and was terminated.
    Hung {
        waited: Duration,
        /// The likely cause.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
    },
    /// The engine answered with an illegal move.
    IllegalMove {
        /// The move.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        mv: String,
        /// The move and what is wrong with it.
        answer: String,
    },
    /// A move came after its time.
    Late { took: Duration, allowed: Duration },
    /// The engine claimed a result that the game does not have.
    FalseResult { claim: String, truth: String },
    /// The engine resigned.
    Resigned,
    /// The engine misread the opening, and the game was restarted with another form of it. In Sloan's
    /// format of Othello the engine took the opening pass for the answer to its first move.
    MisreadOpening,
    /// The engine violated its protocol.
    Format {
        /// The expected message and the one that came.
        detail: String,
    },
}

/// The kind of the reason for which an engine did not start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StartFailure {
    /// The system could not run the program.
    NotRun,
    /// The engine did not become ready in time.
    Silent,
    /// The program ended before the game.
    Ended,
    /// Another reason, or one of an old log.
    #[default]
    Other,
}

impl StartFailure {
    #[allow(clippy::trivially_copy_pass_by_ref)] // Serde passes a reference.
    const fn is_other(&self) -> bool {
        matches!(self, Self::Other)
    }
}

/// The maximum length of an engine's text in a fault, in bytes.
const QUOTED: usize = 500;

/// The maximum length of the end of an engine's standard error in a fault, in bytes.
const LAST_WORDS: usize = 300;

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum FaultKind {
    NotStarted,
    Crashed,
    OverLimit,
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
            Self::OverLimit => "over a limit",
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
    /// Returns the kind.
    pub const fn kind(&self) -> FaultKind {
        match self {
            Self::NotStarted { .. } => FaultKind::NotStarted,
            Self::Crashed { .. } => FaultKind::Crashed,
            Self::OverLimit { .. } => FaultKind::OverLimit,
            Self::Hung { .. } => FaultKind::Hung,
            Self::IllegalMove { .. } => FaultKind::IllegalMove,
            Self::Late { .. } => FaultKind::Late,
            Self::FalseResult { .. } => FaultKind::FalseResult,
            Self::Resigned => FaultKind::Resigned,
            Self::MisreadOpening | Self::Format { .. } => FaultKind::Format,
        }
    }

    /// Returns whether a misunderstanding of the rules or the format may be the cause.
    pub(crate) const fn has_other_cause(&self) -> bool {
        match self {
            Self::NotStarted { failure, .. } => matches!(failure, StartFailure::Silent),
            Self::Crashed { .. }
            | Self::Hung { .. }
            | Self::IllegalMove { .. }
            | Self::Format { .. } => true,
            _ => false,
        }
    }

    /// Adds the likely cause.
    pub(crate) fn explain(&mut self, cause: &str) {
        match self {
            Self::Hung { cause: own, .. } => *own = Some(cause.into()),
            Self::NotStarted { reason: text, .. }
            | Self::Crashed { detail: text }
            | Self::IllegalMove { answer: text, .. }
            | Self::Format { detail: text } => {
                text.push_str("; ");
                text.push_str(cause);
            }
            _ => {}
        }
    }

    /// Returns the fault with the engine's text cut to 500 bytes.
    #[must_use]
    pub fn brief(mut self) -> Self {
        match &mut self {
            Self::NotStarted { reason: said, .. }
            | Self::Crashed { detail: said }
            | Self::OverLimit { detail: said }
            | Self::IllegalMove { answer: said, .. }
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

/// Returns the end of an engine's standard error, at most 300 bytes.
pub fn last_words(said: &str) -> &str {
    let said = said.trim();
    &said[said.ceil_char_boundary(said.len().saturating_sub(LAST_WORDS))..]
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted { reason, .. } => write!(f, "did not start: {reason}"),
            Self::Crashed { detail } => write!(f, "crashed: {detail}"),
            Self::OverLimit { detail } => f.write_str(detail),
            Self::Hung { waited, cause } => {
                write!(f, "did not answer for {waited:.1?}")?;
                cause.iter().try_for_each(|cause| write!(f, "; {cause}"))
            }
            Self::IllegalMove { answer, .. } => write!(f, "made an illegal move: {answer}"),
            Self::Late { took, allowed } => write!(f, "took {took:.3?} of {allowed:.3?}"),
            Self::FalseResult { claim, truth } => {
                write!(f, "claimed the result {claim}, which is {truth}")
            }
            Self::Resigned => f.write_str("resigned"),
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
        // The cut would fall inside a character.
        let long = format!("x{}", "é".repeat(QUOTED));
        let kept = format!("x{}…", "é".repeat(QUOTED / 2 - 1));
        assert_eq!(said(&long).brief(), said(&kept));
        assert_eq!(last_words(" alas\n"), "alas");
        assert_eq!(last_words(&long[..2 * QUOTED - 1]).len(), LAST_WORDS);
        assert_eq!(last_words(&format!("{long}!")).len(), LAST_WORDS - 1);
    }
}
