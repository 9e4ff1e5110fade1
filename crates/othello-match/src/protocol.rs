//! The protocols of programs, and the limits that each can express.

mod wire;

use std::{fmt, str::FromStr, time::Duration};

use boardgame_match::limit::Limit;
use othello_core::Game;

pub(crate) use wire::Allowance;
pub use wire::{WireFormat, WireLimitError};

/// The protocol of a child program.
///
/// # Examples
///
/// ```
/// use othello_match::protocol::Protocol;
///
/// let protocol: Protocol = "gui-v2".parse()?;
/// assert_eq!(protocol.to_string(), "gui-v2");
/// # Ok::<(), othello_match::protocol::ParseProtocolError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Go Text Protocol, version 2, on an 8x8 board.
    Gtp,
    /// The NBoard protocol, version 2.
    Nboard,
    /// A wire format.
    Wire(WireFormat),
}

impl Protocol {
    /// All of them, those of no wire format first.
    pub fn all() -> impl Iterator<Item = Self> {
        let wire = WireFormat::ALL.into_iter().map(Self::Wire);
        [Self::Gtp, Self::Nboard].into_iter().chain(wire)
    }

    /// The name in an engine's text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gtp => "gtp",
            Self::Nboard => "nboard",
            Self::Wire(format) => format.name(),
        }
    }

    /// Returns whether a program can be told of a game that begins with an opening. A program that speaks GTP may
    /// still refuse a position that no moves lead to.
    pub fn takes(self, opening: &Game) -> bool {
        match self {
            Self::Gtp | Self::Nboard => true,
            Self::Wire(format) => format.takes(opening),
        }
    }

    /// Checks that a program can be told of a limit.
    ///
    /// # Errors
    ///
    /// Fails with the limits that a program can be told of.
    pub fn carries(self, limit: Limit) -> Result<(), ProtocolLimitError> {
        let whole = |time: Option<Duration>| time.is_none_or(|time| time.subsec_nanos() == 0);
        let base = whole(limit.game.map(|game| game.base));
        let fixed = limit.game.is_none_or(|game| game.increment.is_zero());
        let (carried, expected) = match self {
            Self::Gtp => (
                limit.depth.is_none()
                    && limit.nodes.is_none()
                    && fixed
                    && base
                    && whole(limit.move_time),
                "whole seconds (move:2s, game:60s)",
            ),
            Self::Nboard => (
                limit.nodes.is_none() && limit.move_time.is_none() && base,
                "depth:N or game:TIME in whole seconds",
            ),
            Self::Wire(format) => return Ok(format.carries(limit)?),
        };
        if carried {
            return Ok(());
        }
        Err(ProtocolLimitError::Expected {
            protocol: self,
            expected,
            found: Box::new(limit),
        })
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A program cannot be told of a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolLimitError {
    /// The protocol has other limits.
    #[error(
        "{protocol} carries {expected}, found {found}: anything else has to be among the program's \
         own arguments"
    )]
    Expected {
        /// The protocol.
        protocol: Protocol,
        /// The limits that it carries.
        expected: &'static str,
        /// The limit that was asked for.
        found: Box<Limit>,
    },
    /// The wire format has other limits.
    #[error(transparent)]
    Wire(#[from] WireLimitError),
}

/// The text names no protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of {}, found {found:?}", names().join(", "))]
pub struct ParseProtocolError {
    /// The text.
    pub found: String,
}

fn names() -> Vec<&'static str> {
    Protocol::all().map(Protocol::name).collect()
}

impl FromStr for Protocol {
    type Err = ParseProtocolError;

    /// Reads a [name](Self::name).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::all().find(|protocol| protocol.name() == text);
        named.ok_or_else(|| ParseProtocolError { found: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_reads_back_from_its_name() {
        for protocol in Protocol::all() {
            assert_eq!(protocol.to_string().parse(), Ok(protocol));
        }
        let error = "uci".parse::<Protocol>().unwrap_err().to_string();
        assert!(error.starts_with("expected one of gtp, nboard, sloan, sloan-lines, lth,"));
        assert!(error.ends_with("found \"uci\""), "{error}");
    }

    #[test]
    fn a_limit_that_a_protocol_cannot_carry_is_refused() {
        for (protocol, limit, expected) in [
            ("gtp", "depth:8", "gtp carries whole seconds"),
            ("gtp", "move:1500ms", "found move:1s500ms"),
            ("gtp", "game:60s+1s", "gtp carries whole seconds"),
            ("nboard", "move:1s", "nboard carries depth:N"),
            ("nboard", "nodes:5", "nboard carries depth:N"),
            ("sloan", "move:1s", "only a time for the game"),
            ("gui", "nodes:5", "tells a program no depth"),
        ] {
            let protocol: Protocol = protocol.parse().unwrap();
            let error = protocol.carries(limit.parse().unwrap()).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(expected), "{protocol} {limit}: {error}");
        }
        for (protocol, limit) in [
            ("gtp", "move:2s"),
            ("gtp", "game:60s"),
            ("nboard", "game:60s+1s,depth:9"),
            ("lth", "move:1500ms"),
            ("codewarriors", "move:2s"),
        ] {
            let protocol: Protocol = protocol.parse().unwrap();
            assert_eq!(protocol.carries(limit.parse().unwrap()), Ok(()));
            assert_eq!(protocol.carries(Limit::default()), Ok(()));
        }
    }
}
