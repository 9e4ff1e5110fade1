//! Files of engines.

use std::{error::Error, path::PathBuf, str::FromStr};

use serde::Deserialize;
use toml::{Table, Value};

use super::text::is_no_part_of_a_name;
use crate::limit::Limit;

/// The protocol of an engine in this process.
const OWN: &str = "own";

/// An engine of a file: a program with a command, or an engine in this process with settings.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    name: String,
    #[serde(default)]
    protocol: String,
    /// The limits of its thinking.
    #[serde(default)]
    pub limit: Limit,
    command: Option<String>,
    /// The working folder of a program.
    pub directory: Option<PathBuf>,
    /// The commands sent to a program before its first game.
    pub setup: Option<Vec<String>>,
    /// All other keys: the settings of an engine in this process.
    #[serde(flatten)]
    settings: Table,
}

/// The error of a text that is not a file of engines.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReadEnginesError {
    /// It is no TOML with tables `[[engine]]`.
    #[error(transparent)]
    File(#[from] toml::de::Error),
    /// The keys of an engine do not name one.
    #[error("engine {name:?}")]
    Engine {
        name: String,
        source: Box<dyn Error + Send + Sync>,
    },
}

/// The keys of an engine do not go together.
#[derive(Debug, thiserror::Error)]
enum KeyError {
    #[error("expected the key `protocol`, own for our engine or what a program speaks")]
    NoProtocol,
    #[error("expected the key `command` of a program")]
    NoCommand,
    #[error("expected no key `{key}` with the protocol {protocol:?}")]
    Key { key: String, protocol: String },
    #[error("expected a text, a number, true or false for the key `{key}`")]
    Value { key: String },
    #[error("expected no comma in the text for the key `{key}`")]
    Comma { key: String },
    #[error("expected a name without `=`, white space and control characters")]
    Name,
}

/// Reads a file of engines: TOML with a table `[[engine]]` for each.
///
/// An engine is first parsed like one on the command line, from the name, the protocol and the command or
/// settings; `complete` adds the rest of its entry.
///
/// # Errors
///
/// Fails if the text is no such file, or an entry names no engine; the error names the place and what was expected.
pub fn read_file<E: FromStr<Err: Error + Send + Sync + 'static>>(
    text: &str,
    complete: impl Fn(E, &Entry) -> E,
) -> Result<Vec<E>, ReadEnginesError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        engine: Vec<Entry>,
    }
    let entries = toml::from_str::<File>(text)?.engine;
    entries.iter().map(|entry| entry.read(&complete)).collect()
}

impl Entry {
    /// Returns the engine.
    pub(crate) fn read<E: FromStr<Err: Error + Send + Sync + 'static>>(
        &self,
        complete: impl Fn(E, &Self) -> E,
    ) -> Result<E, ReadEnginesError> {
        let read = || Ok(complete(self.text()?.parse()?, self));
        read().map_err(|source| ReadEnginesError::Engine {
            name: self.name.clone(),
            source,
        })
    }

    /// Sets the protocol if the entry has none.
    pub(crate) fn or_protocol(&mut self, protocol: Option<&str>) {
        if let (Some(protocol), true) = (protocol, self.protocol.is_empty()) {
            protocol.clone_into(&mut self.protocol);
        }
    }

    /// Returns the text of the engine as on the command line.
    fn text(&self) -> Result<String, KeyError> {
        if (self.name.chars()).any(|letter| letter == '=' || is_no_part_of_a_name(letter)) {
            return Err(KeyError::Name);
        }
        if self.protocol.is_empty() {
            return Err(KeyError::NoProtocol);
        }
        let command = if self.protocol == OWN {
            self.settings()?
        } else {
            self.command()?.to_owned()
        };
        Ok(format!("{}={}:{command}", self.name, self.protocol))
    }

    fn command(&self) -> Result<&str, KeyError> {
        if let Some(key) = self.settings.keys().next() {
            return Err(self.misplaced(key));
        }
        self.command.as_deref().ok_or(KeyError::NoCommand)
    }

    /// Returns the settings with commas between them.
    fn settings(&self) -> Result<String, KeyError> {
        let of_a_program = [
            ("command", self.command.is_some()),
            ("directory", self.directory.is_some()),
            ("setup", self.setup.is_some()),
        ];
        if let Some((key, _)) = of_a_program.iter().find(|(_, given)| *given) {
            return Err(self.misplaced(key));
        }
        let settings = self.settings.iter().map(|(key, value)| setting(key, value));
        Ok(settings.collect::<Result<Vec<_>, _>>()?.join(","))
    }

    fn misplaced(&self, key: &str) -> KeyError {
        KeyError::Key {
            key: key.into(),
            protocol: self.protocol.clone(),
        }
    }
}

fn setting(key: &str, value: &Value) -> Result<String, KeyError> {
    match value {
        Value::String(text) if text.contains(',') => Err(KeyError::Comma { key: key.into() }),
        Value::String(text) => Ok(format!("{key}={text}")),
        Value::Integer(number) => Ok(format!("{key}={number}")),
        Value::Float(number) => Ok(format!("{key}={number}")),
        Value::Boolean(is_set) => Ok(format!("{key}={is_set}")),
        _ => Err(KeyError::Value { key: key.into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineText, EngineTextError};

    /// An engine as named, with the rest of its entry.
    #[derive(Debug)]
    struct Named(String);

    impl FromStr for Named {
        type Err = EngineTextError;

        fn from_str(text: &str) -> Result<Self, Self::Err> {
            EngineText::parse(text).map(|_| Self(text.into()))
        }
    }

    fn read(text: &str) -> Result<Vec<String>, String> {
        let complete = |Named(text), entry: &Entry| {
            let folder = entry.directory.as_ref();
            let folder = folder.map_or(String::new(), |folder| format!(" in {}", folder.display()));
            Named(format!("{text}{folder} {}", entry.limit))
        };
        let engines = read_file(text, complete).map_err(|error| match &error {
            ReadEnginesError::File(_) => error.to_string(),
            ReadEnginesError::Engine { source, .. } => format!("{error}: {source}"),
        });
        engines.map(|engines| engines.into_iter().map(|Named(text)| text).collect())
    }

    #[test]
    fn settings_and_commands_are_as_on_the_command_line() {
        let file = "
            [[engine]]
            name = 'ours'
            protocol = 'own'
            threads = 2
            seen = true
            limit = 'depth:3'
            [[engine]]
            name = 'peer'
            protocol = 'gtp'
            command = 'peer -l 10'
            directory = '/opt/peer'";
        let engines = read(file).unwrap();
        assert_eq!(engines[0], "ours=own:seen=true,threads=2 depth:3");
        assert_eq!(engines[1], "peer=gtp:peer -l 10 in /opt/peer ");
    }

    #[test]
    fn a_file_says_where_it_is_wrong() {
        let own = "[[engine]]\nname = 'a'\nprotocol = 'own'\n";
        let gtp = "[[engine]]\nname = 'a'\nprotocol = 'gtp'\n";
        for (text, expected) in [
            ("[[engine]]\nname = 'a'\n", "protocol"),
            (&format!("{own}limit = 'fast'\n"), "expected limits such as"),
            ("[[engine]\n", "line 1"),
            ("[[player]]\n", "player"),
            (gtp, "engine \"a\": expected the key `command`"),
            (&format!("{gtp}command = 'x'\nhash = 3\n"), "no key `hash`"),
            (&format!("{own}setup = []\n"), "no key `setup`"),
            (
                &format!("{own}hash = []\n"),
                "true or false for the key `hash`",
            ),
            (&format!("{own}weights = 'a,b'\n"), "no comma in the text"),
            (
                "[[engine]]\nname = 'a=b'\nprotocol = 'own'\n",
                "without `=`",
            ),
            (
                "[[engine]]\nname = ''\nprotocol = 'own'\n",
                "expected NAME=",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
