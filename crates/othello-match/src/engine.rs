//! Which engines play, as people name them on a command line or in a file.

use std::{fmt, num::NonZeroUsize, path::PathBuf, str::FromStr, time::Duration};

use othello_arena::{CommandLine, program::CommandLineError};
use othello_core::Tier;
use serde::{Deserialize, Deserializer, de};

use crate::limit::Limit;

/// An engine of a match.
///
/// # Examples
///
/// ```
/// use othello_match::engine::{EngineSpec, Kind, Protocol};
///
/// let ours: EngineSpec = "ours=own:hash=32".parse()?;
/// assert_eq!(ours.name, "ours");
/// let peer: EngineSpec = "peer=gtp:edax -gtp -l 10".parse()?;
/// assert!(matches!(peer.kind, Kind::Program { protocol: Protocol::Gtp, .. }));
/// # Ok::<(), othello_match::engine::EngineSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in tables and records: unique in a match.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// How much it may think.
    pub limit: Limit,
}

/// What an engine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The engine of this workspace, in this process.
    Own(OwnSettings),
    /// A child program.
    Program {
        /// What it speaks.
        protocol: Protocol,
        /// How it is started.
        line: CommandLine,
        /// Commands it is sent before the first game, in the protocols that have commands.
        setup: Vec<String>,
    },
}

/// How our own engine is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSettings {
    /// The size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The instructions to use; the best of this CPU unless told otherwise.
    pub tier: Option<Tier>,
    /// With a depth limit: solve exactly from so many empty squares on.
    pub solve_from: u32,
}

impl Default for OwnSettings {
    /// 16 MiB, one thread.
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: NonZeroUsize::MIN,
            tier: None,
            solve_from: 0,
        }
    }
}

/// What a child program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The Go Text Protocol, version 2, on an 8x8 board.
    Gtp,
    /// The NBoard protocol, version 2.
    Nboard,
    /// The Sloan (IAGO) referee's S-expressions.
    Sloan,
    /// The LTH server's lines over TCP.
    Lth,
    /// Code Warriors' two characters a message.
    Codewarriors,
    /// The Othello GUI's boards.
    Guibot,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Gtp,
        Self::Nboard,
        Self::Sloan,
        Self::Lth,
        Self::Codewarriors,
        Self::Guibot,
    ];

    /// The name in an engine's text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gtp => "gtp",
            Self::Nboard => "nboard",
            Self::Sloan => "sloan",
            Self::Lth => "lth",
            Self::Codewarriors => "codewarriors",
            Self::Guibot => "guibot",
        }
    }
}

/// An engine cannot be told its limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} has the limit {limit:?}: expected {expected}", limit = limit.to_string())]
pub struct LimitError {
    /// The engine.
    pub name: String,
    /// Its limit.
    pub limit: Limit,
    /// What it can be told.
    pub expected: &'static str,
}

impl Protocol {
    /// Whether the protocol can tell a program of a limit; if not, what it can tell.
    fn carries(self, limit: &Limit) -> Result<(), &'static str> {
        let Limit {
            move_time,
            game,
            depth,
            nodes,
        } = *limit;
        let base = game.map(|game| game.base);
        let fixed = game.is_none_or(|game| game.increment.is_zero());
        let whole = |time: Option<Duration>| time.is_none_or(|time| time.subsec_nanos() == 0);
        let neither = depth.is_none() && nodes.is_none();
        let (carried, expected) = match self {
            Self::Gtp => (
                neither && fixed && whole(base) && whole(move_time),
                "whole seconds (move:2s, game:60s) or the program's own arguments",
            ),
            Self::Nboard => (
                nodes.is_none() && move_time.is_none() && whole(base),
                "depth:N, game:TIME in whole seconds or the program's own arguments",
            ),
            Self::Sloan => (
                neither && fixed && move_time.is_none(),
                "game:TIME or the program's own arguments",
            ),
            Self::Lth => (
                neither && fixed && move_time.is_none() && whole(base),
                "game:TIME in whole seconds or the program's own arguments",
            ),
            Self::Codewarriors | Self::Guibot => (
                neither && game.is_none(),
                "move:TIME or the program's own arguments",
            ),
        };
        if carried { Ok(()) } else { Err(expected) }
    }
}

/// The text names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineSpecError {
    /// There is no name, or no protocol.
    #[error(
        "expected NAME=PROTOCOL:COMMAND, such as a=own:hash=16 or b=gtp:'edax -gtp', found {found:?}"
    )]
    Form {
        /// The text.
        found: String,
    },
    /// No protocol of this name.
    #[error(
        "expected the protocol own, gtp, nboard, sloan, lth, codewarriors or guibot, found {found:?}"
    )]
    Protocol {
        /// What stands in its place.
        found: String,
    },
    /// No command line.
    #[error("the command of {name}: {source}")]
    Command {
        /// The engine.
        name: String,
        /// What is wrong with it.
        source: CommandLineError,
    },
    /// No setting of our engine.
    #[error("expected hash=MIB, threads=N, tier=TIER or solve-from=EMPTIES, found {found:?}")]
    Setting {
        /// What stands in its place.
        found: String,
    },
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    /// Reads `NAME=PROTOCOL:COMMAND`, or `NAME=own` with settings after a colon.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || EngineSpecError::Form { found: text.into() };
        let (name, rest) = text.split_once('=').ok_or_else(form)?;
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(form());
        }
        let (protocol, command) = rest.split_once(':').unwrap_or((rest, ""));
        let kind = if protocol == "own" {
            Kind::Own(command.parse()?)
        } else {
            let protocol = Protocol::ALL
                .into_iter()
                .find(|known| known.name() == protocol)
                .ok_or_else(|| EngineSpecError::Protocol {
                    found: protocol.into(),
                })?;
            let line = command.parse().map_err(|source| EngineSpecError::Command {
                name: name.into(),
                source,
            })?;
            Kind::Program {
                protocol,
                line,
                setup: Vec::new(),
            }
        };
        Ok(Self {
            name: name.into(),
            kind,
            limit: Limit::default(),
        })
    }
}

impl FromStr for OwnSettings {
    type Err = EngineSpecError;

    /// Reads settings such as `hash=16,threads=2`; nothing is the default.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut settings = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            settings.set(part).ok_or_else(|| EngineSpecError::Setting {
                found: part.to_owned(),
            })?;
        }
        Ok(settings)
    }
}

impl OwnSettings {
    fn set(&mut self, part: &str) -> Option<()> {
        let (key, value) = part.split_once('=')?;
        match key {
            "hash" => self.hash_mib = value.parse().ok().filter(|&mib| mib > 0)?,
            "threads" => self.threads = value.parse().ok()?,
            "tier" => self.tier = Some(othello_players::tier(value).ok()?),
            "solve-from" => self.solve_from = value.parse().ok().filter(|&from| from <= 60)?,
            _ => return None,
        }
        Some(())
    }
}

impl fmt::Display for OwnSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hash={},threads={}", self.hash_mib, self.threads)?;
        if let Some(tier) = self.tier {
            write!(f, ",tier={tier}")?;
        }
        if self.solve_from > 0 {
            write!(f, ",solve-from={}", self.solve_from)?;
        }
        Ok(())
    }
}

impl fmt::Display for EngineSpec {
    /// The engine, with all that makes it play as it does but its limit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.name)?;
        match &self.kind {
            Kind::Own(settings) => write!(f, "own:{settings}"),
            Kind::Program {
                protocol,
                line,
                setup,
            } => {
                write!(f, "{}:{line}", protocol.name())?;
                setup
                    .iter()
                    .try_for_each(|command| write!(f, " [{command}]"))
            }
        }
    }
}

impl EngineSpec {
    /// Whether the engine can be told its limit.
    ///
    /// # Errors
    ///
    /// When the protocol cannot carry it, or our own engine has none.
    pub fn check(&self) -> Result<(), LimitError> {
        let error = |expected| LimitError {
            name: self.name.clone(),
            limit: self.limit,
            expected,
        };
        let expected = match &self.kind {
            Kind::Own(_) if self.limit == Limit::default() => "a limit",
            Kind::Own(_) => return Ok(()),
            Kind::Program { protocol, .. } => match protocol.carries(&self.limit) {
                Ok(()) => return Ok(()),
                Err(expected) => expected,
            },
        };
        Err(error(expected))
    }

    /// The threads that work while it thinks, as far as it is known.
    pub fn threads(&self) -> usize {
        match &self.kind {
            Kind::Own(settings) => settings.threads.get(),
            Kind::Program { .. } => 1,
        }
    }
}

/// The text is no file of engines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct EngineFileError(#[from] toml::de::Error);

/// Reads a file of engines: TOML with a table `[[engine]]` for each.
///
/// # Errors
///
/// When the text is not that; the error names the line and what was expected.
///
/// # Examples
///
/// ```
/// let engines = othello_match::engine::read_file(
///     r#"
///     [[engine]]
///     name = "ours"
///     protocol = "own"
///     threads = 2
///     limit = "move:100ms"
///
///     [[engine]]
///     name = "peer"
///     protocol = "gtp"
///     command = "edax -gtp -l 10"
///     directory = "/opt/edax/bin"
///     "#,
/// )?;
/// assert_eq!(engines[0].to_string(), "ours=own:hash=16,threads=2");
/// assert_eq!(engines[1].name, "peer");
/// # Ok::<(), othello_match::engine::EngineFileError>(())
/// ```
pub fn read_file(text: &str) -> Result<Vec<EngineSpec>, EngineFileError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        engine: Vec<EngineSpec>,
    }
    Ok(toml::from_str::<File>(text)?.engine)
}

/// An engine as the file has it.
#[derive(Deserialize)]
#[serde(tag = "protocol", rename_all = "lowercase", deny_unknown_fields)]
enum Entry {
    Own(OwnEntry),
    Gtp(ProgramEntry),
    Nboard(ProgramEntry),
    Sloan(ProgramEntry),
    Lth(ProgramEntry),
    Codewarriors(ProgramEntry),
    Guibot(ProgramEntry),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct OwnEntry {
    name: String,
    #[serde(default)]
    limit: Limit,
    hash: Option<usize>,
    threads: Option<NonZeroUsize>,
    tier: Option<String>,
    solve_from: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramEntry {
    name: String,
    #[serde(default)]
    limit: Limit,
    command: String,
    directory: Option<PathBuf>,
    #[serde(default)]
    setup: Vec<String>,
}

impl<'de> Deserialize<'de> for EngineSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (protocol, entry) = match Entry::deserialize(deserializer)? {
            Entry::Own(entry) => return entry.spec().map_err(de::Error::custom),
            Entry::Gtp(entry) => (Protocol::Gtp, entry),
            Entry::Nboard(entry) => (Protocol::Nboard, entry),
            Entry::Sloan(entry) => (Protocol::Sloan, entry),
            Entry::Lth(entry) => (Protocol::Lth, entry),
            Entry::Codewarriors(entry) => (Protocol::Codewarriors, entry),
            Entry::Guibot(entry) => (Protocol::Guibot, entry),
        };
        entry.spec(protocol).map_err(de::Error::custom)
    }
}

impl OwnEntry {
    fn spec(self) -> Result<EngineSpec, EngineSpecError> {
        let parts = [
            self.hash.map(|mib| format!("hash={mib}")),
            self.threads.map(|threads| format!("threads={threads}")),
            self.tier.map(|tier| format!("tier={tier}")),
            self.solve_from
                .map(|empties| format!("solve-from={empties}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let named = format!("{}=own:{}", self.name, parts.join(","));
        Ok(EngineSpec {
            limit: self.limit,
            ..named.parse()?
        })
    }
}

impl ProgramEntry {
    fn spec(self, protocol: Protocol) -> Result<EngineSpec, EngineSpecError> {
        let named = format!("{}={}:{}", self.name, protocol.name(), self.command);
        let mut spec: EngineSpec = named.parse()?;
        spec.limit = self.limit;
        if let Kind::Program { line, setup, .. } = &mut spec.kind {
            line.set_directory(self.directory);
            *setup = self.setup;
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<EngineSpec>().unwrap_err().to_string()
    }

    #[test]
    fn an_engine_prints_as_it_is_read() {
        for text in [
            "a=own:hash=16,threads=1",
            "a=own:hash=1,threads=3,tier=portable,solve-from=14",
            "b=gtp:edax -gtp -l 6",
            "c=lth:'my client' '{host}:{port}'",
        ] {
            assert_eq!(text.parse::<EngineSpec>().unwrap().to_string(), text);
        }
        let bare: EngineSpec = "a=own".parse().unwrap();
        assert_eq!(bare.kind, Kind::Own(OwnSettings::default()));
    }

    #[test]
    fn what_is_no_engine_is_refused_with_what_was_expected() {
        assert!(refused("edax -gtp").contains("expected NAME=PROTOCOL:COMMAND"));
        assert!(refused("=own").contains("expected NAME=PROTOCOL:COMMAND"));
        assert!(refused("a=uci:x").contains("found \"uci\""));
        assert!(refused("a=gtp:").contains("the command of a: expected a program"));
        assert!(refused("a=own:depth=3").contains("found \"depth=3\""));
        assert!(refused("a=own:hash=0").contains("found \"hash=0\""));
        assert!(refused("a=own:threads=0").contains("found \"threads=0\""));
    }

    #[test]
    fn a_limit_that_the_protocol_cannot_carry_is_refused() {
        for (engine, limit, expected) in [
            ("a=own", "", "expected a limit"),
            ("a=gtp:x", "depth:8", "expected whole seconds"),
            ("a=gtp:x", "move:1500ms", "expected whole seconds"),
            ("a=nboard:x", "move:1s", "expected depth:N"),
            ("a=sloan:x", "move:1s", "expected game:TIME"),
            ("a=guibot:x", "nodes:5", "expected move:TIME"),
        ] {
            let mut spec: EngineSpec = engine.parse().unwrap();
            spec.limit = limit.parse().unwrap_or_default();
            let error = spec.check().unwrap_err().to_string();
            assert!(error.contains(expected), "{engine} {limit}: {error}");
        }
        for (engine, limit) in [
            ("a=own", "nodes:5"),
            ("a=gtp:x", "move:2s"),
            ("a=nboard:x", "game:60s+1s,depth:9"),
            ("a=lth:x", ""),
        ] {
            let mut spec: EngineSpec = engine.parse().unwrap();
            spec.limit = limit.parse().unwrap_or_default();
            assert_eq!(spec.check(), Ok(()), "{engine} {limit}");
        }
    }

    #[test]
    fn a_file_says_where_it_is_wrong() {
        for (text, expected) in [
            ("[[engine]]\nname = 'a'\n", "protocol"),
            (
                "[[engine]]\nname = 'a'\nprotocol = 'own'\ndepht = 3\n",
                "depht",
            ),
            (
                "[[engine]]\nname = 'a'\nprotocol = 'own'\nlimit = 'fast'\n",
                "expected limits such as",
            ),
            (
                "[[engine]]\nname = 'a'\nprotocol = 'gtp'\ncommand = \"x 'y\"\n",
                "expected a closing quote",
            ),
            ("[[engine]\n", "line 1"),
        ] {
            let error = read_file(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
