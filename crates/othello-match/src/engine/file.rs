//! Files of engines.

use std::{num::NonZeroUsize, path::PathBuf};

use serde::{Deserialize, Deserializer, de};

use super::{EngineSpec, EngineSpecError, Kind};
use boardgame_match::limit::Limit;

/// The error of a text that is no file of engines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct EngineFileError(#[from] toml::de::Error);

/// Reads a file of engines: TOML with a table `[[engine]]` for each.
///
/// # Errors
///
/// When the text is no such file; the error names the line and what was expected.
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

/// An engine as the file has it: our own or a program, with the keys of one or of the other.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Entry {
    name: String,
    protocol: String,
    #[serde(default)]
    limit: Limit,
    // Of a program.
    command: Option<String>,
    directory: Option<PathBuf>,
    setup: Option<Vec<String>>,
    // Of our own engine.
    hash: Option<usize>,
    threads: Option<NonZeroUsize>,
    tier: Option<String>,
    solve_from: Option<u32>,
    selective: Option<bool>,
    weights: Option<String>,
}

impl<'de> Deserialize<'de> for EngineSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entry = Entry::deserialize(deserializer)?;
        let name = entry.name.clone();
        let spec = entry.spec();
        spec.map_err(|error| de::Error::custom(format_args!("engine {name:?}: {error}")))
    }
}

impl Entry {
    fn spec(self) -> Result<EngineSpec, EntryError> {
        let own = self.protocol == "own";
        let of_a_program = [
            ("command", self.command.is_some()),
            ("directory", self.directory.is_some()),
            ("setup", self.setup.is_some()),
        ];
        let of_ours = [
            ("hash", self.hash.is_some()),
            ("threads", self.threads.is_some()),
            ("tier", self.tier.is_some()),
            ("solve-from", self.solve_from.is_some()),
            ("selective", self.selective.is_some()),
            ("weights", self.weights.is_some()),
        ];
        let foreign = if own { &of_a_program[..] } else { &of_ours[..] };
        if let Some(&(key, _)) = foreign.iter().find(|(_, given)| *given) {
            let protocol = self.protocol;
            return Err(EntryError::Key { key, protocol });
        }
        if own {
            return Ok(self.own()?);
        }
        let Some(command) = &self.command else {
            return Err(EntryError::NoCommand);
        };
        let mut spec = self.named(command)?;
        if let Kind::Program { line, setup, .. } = &mut spec.kind {
            line.set_directory(self.directory);
            *setup = self.setup.unwrap_or_default();
        }
        Ok(spec)
    }

    fn own(&self) -> Result<EngineSpec, EngineSpecError> {
        let empties = self.solve_from;
        let settings = [
            self.hash.map(|mib| format!("hash={mib}")),
            self.threads.map(|threads| format!("threads={threads}")),
            self.tier.as_ref().map(|tier| format!("tier={tier}")),
            empties.map(|empties| format!("solve-from={empties}")),
            self.selective.map(|may| format!("selective={may}")),
            self.weights.as_ref().map(|path| format!("weights={path}")),
        ];
        let settings: Vec<String> = settings.into_iter().flatten().collect();
        self.named(&settings.join(","))
    }

    /// The engine that the command line would name so.
    fn named(&self, command: &str) -> Result<EngineSpec, EngineSpecError> {
        let named = format!("{}={}:{command}", self.name, self.protocol);
        Ok(EngineSpec {
            limit: self.limit,
            ..named.parse()?
        })
    }
}

/// The keys of an engine do not go together.
#[derive(Debug, thiserror::Error)]
enum EntryError {
    #[error(transparent)]
    Spec(#[from] EngineSpecError),
    #[error("expected the key `command` of a program")]
    NoCommand,
    #[error("expected no key `{key}` with the protocol {protocol:?}")]
    Key { key: &'static str, protocol: String },
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (
                "[[engine]]\nname = 'a'\nprotocol = 'gtp'\n",
                "expected the key `command`",
            ),
            (
                "[[engine]]\nname = 'a'\nprotocol = 'gtp'\ncommand = 'x'\nhash = 3\n",
                "no key `hash`",
            ),
            (
                "[[engine]]\nname = 'a'\nprotocol = 'own'\nsetup = []\n",
                "no key `setup`",
            ),
        ] {
            let error = read_file(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
