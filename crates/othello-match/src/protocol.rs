//! The protocols of programs, and the limits that each can express.

mod wire;

use std::{fmt, time::Duration};

use boardgame_match::limit::Limit;
use othello_core::Game;
use othello_host::likely_cause::AnswerForm;

pub(crate) use wire::Allowance;
pub use wire::WireFormat;

/// The protocol of a child program.
///
/// # Examples
///
/// ```
/// use othello_match::protocol::Protocol;
///
/// let protocol = Protocol::from_name("gui-v2");
/// assert_eq!(protocol.map(Protocol::name), Some("gui-v2"));
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
    /// All of them, wire formats last.
    pub fn all() -> impl Iterator<Item = Self> {
        let wire = WireFormat::ALL.into_iter().map(Self::Wire);
        [Self::Gtp, Self::Nboard].into_iter().chain(wire)
    }

    /// Returns the protocol of a [name](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|protocol| protocol.name() == name)
    }

    /// The name in an engine's text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gtp => "gtp",
            Self::Nboard => "nboard",
            Self::Wire(format) => format.name(),
        }
    }

    /// Returns the form of a program's answers.
    pub const fn answers(self) -> AnswerForm {
        match self {
            Self::Gtp => AnswerForm::Gtp,
            Self::Nboard => AnswerForm::Nboard,
            Self::Wire(WireFormat::Sloan(dialect)) => AnswerForm::Sloan(dialect),
            Self::Wire(WireFormat::Lth) => AnswerForm::Lth,
            Self::Wire(WireFormat::Codewarriors) => AnswerForm::CodeWarriors,
            Self::Wire(WireFormat::Gui(form)) => AnswerForm::Gui(form),
        }
    }

    /// Returns true if the protocol can express a game that starts with an opening. A GTP program may still
    /// refuse an unreachable position.
    pub fn takes(self, opening: &Game) -> bool {
        match self {
            Self::Gtp | Self::Nboard => true,
            Self::Wire(format) => format.takes(opening),
        }
    }

    /// Checks that the protocol can express a limit.
    ///
    /// # Errors
    ///
    /// Fails with the limits that the protocol can express.
    pub fn carries(self, limit: Limit) -> Result<(), &'static str> {
        let whole = |time: Option<Duration>| time.is_none_or(|time| time.subsec_nanos() == 0);
        let base = whole(limit.game.map(|game| game.base));
        let fixed = limit.game.is_none_or(|game| game.increment.is_zero());
        let is_time = limit.depth.is_none() && limit.nodes.is_none();
        let (carried, expected) = match self {
            Self::Gtp => (
                is_time && fixed && base && whole(limit.move_time),
                "whole seconds (move:2s, game:60s)",
            ),
            Self::Nboard => (
                limit.nodes.is_none() && limit.move_time.is_none() && base,
                "depth:N or game:TIME in whole seconds",
            ),
            Self::Wire(format) => return Allowance::new(format, limit).map(|_| ()),
        };
        // Othello is played without byo-yomi, by the clock on the wall.
        let is_known = limit.byo_yomi.is_none() && !limit.user_cpu;
        (carried && is_known).then_some(()).ok_or(expected)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the names of all protocols, for messages.
pub(crate) fn names() -> String {
    let names: Vec<_> = Protocol::all().map(Protocol::name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_a_protocol_cannot_carry_is_refused() {
        for (protocol, limit, expected) in [
            ("gtp", "depth:8", "whole seconds"),
            ("gtp", "move:1500ms", "whole seconds"),
            ("gtp", "game:60s+1s", "whole seconds"),
            ("gtp", "game:60s,byo-yomi:10s", "whole seconds"),
            ("nboard", "move:1s", "depth:N"),
            ("nboard", "nodes:5", "depth:N"),
            ("nboard", "game:60s,user-cpu", "depth:N"),
            ("sloan", "move:1s", "a time for the game"),
            ("gui", "nodes:5", "a time for a move"),
        ] {
            let protocol = Protocol::from_name(protocol).unwrap();
            let carried = protocol.carries(limit.parse().unwrap()).unwrap_err();
            assert!(
                carried.starts_with(expected),
                "{protocol} {limit}: {carried}"
            );
        }
        for (protocol, limit) in [
            ("gtp", "move:2s"),
            ("gtp", "game:60s"),
            ("nboard", "game:60s+1s,depth:9"),
            ("lth", "move:1500ms"),
            ("codewarriors", "move:2s"),
        ] {
            let protocol = Protocol::from_name(protocol).unwrap();
            assert_eq!(protocol.carries(limit.parse().unwrap()), Ok(()));
            assert_eq!(protocol.carries(Limit::default()), Ok(()));
        }
    }
}
