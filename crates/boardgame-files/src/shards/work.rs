//! Work: everything that decides the result of all shards.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// Work that can be divided: a command, and everything that determines its result, including the number of items.
///
/// # Examples
///
/// ```
/// use boardgame_files::shards::Work;
///
/// #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Settings { seed: u64, depth: u8 }
///
/// let work = Work::new("play", 100, &Settings { seed: 1, depth: 4 })?;
/// assert_eq!(work.items(), Some(100));
/// assert_eq!(work.settings::<Settings>()?, Settings { seed: 1, depth: 4 });
/// let other = Work::new("play", 200, &Settings { seed: 1, depth: 4 })?;
/// let difference = work.difference(&other).expect("another number of items");
/// assert_eq!(difference.to_string(), "expected 100 items, found 200 items");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The command, such as `othello solve`.
    pub command: String,
    /// The settings, versions and checksums by name, and the number of items under the name `items`.
    pub settings: BTreeMap<String, Value>,
}

/// The name of the number of items among the settings.
const ITEMS: &str = "items";

/// The difference of two works.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct Difference {
    /// The expected settings as in a manifest, or the number of items in words.
    pub expected: String,
    /// What was found.
    pub found: String,
}

impl Work {
    /// Creates the work of a command from the total number of items and its settings, a struct with a field for
    /// each; a `None` field is left out.
    ///
    /// # Errors
    ///
    /// Fails if the settings are not a struct, or a field cannot be written as JSON.
    pub fn new(command: &str, items: u64, settings: &impl Serialize) -> serde_json::Result<Self> {
        let mut settings: BTreeMap<String, Value> =
            serde_json::from_value(serde_json::to_value(settings)?)?;
        settings.retain(|_, value| !value.is_null());
        settings.insert(ITEMS.into(), items.into());
        Ok(Self {
            command: command.into(),
            settings,
        })
    }

    /// Returns the total number of items, or `None` for work of earlier versions, which did not state it.
    pub fn items(&self) -> Option<u64> {
        self.settings.get(ITEMS)?.as_u64()
    }

    /// Returns the settings as the type that they were made from.
    ///
    /// # Errors
    ///
    /// Fails if they are not those of this type.
    pub fn settings<S: DeserializeOwned>(&self) -> serde_json::Result<S> {
        let settings = self.settings.clone().into_iter();
        serde_json::from_value(settings.filter(|(name, _)| name != ITEMS).collect())
    }

    /// Returns the difference of another work from this one: its command, or all settings that differ.
    pub fn difference(&self, found: &Self) -> Option<Difference> {
        if self.command != found.command {
            let line = |work: &Self| format!("command = {:?}", work.command);
            return Some(Difference {
                expected: line(self),
                found: line(found),
            });
        }
        let names: BTreeSet<&String> = self.settings.keys().chain(found.settings.keys()).collect();
        let differ = |name: &&String| self.settings.get(*name) != found.settings.get(*name);
        let names: Vec<&String> = names.into_iter().filter(differ).collect();
        let lines = |work: &Self| {
            let lines: Vec<String> = names.iter().map(|name| work.line(name)).collect();
            lines.join(", ")
        };
        (!names.is_empty()).then(|| Difference {
            expected: lines(self),
            found: lines(found),
        })
    }

    /// Returns a setting as in a manifest, or the number of items in words.
    fn line(&self, name: &str) -> String {
        match self.settings.get(name) {
            Some(items) if name == ITEMS && *items == 1 => "1 item".into(),
            Some(items) if name == ITEMS => format!("{items} items"),
            Some(value) => format!("{name} = {value}"),
            None => format!("no {name}"),
        }
    }
}

/// Returns the identity of the running program: a version, and a checksum of its file. It belongs in the settings of
/// work whose result depends on details of the program, such as node counts.
///
/// # Errors
///
/// Fails if the program's file cannot be read.
pub fn program_version(version: &str) -> io::Result<String> {
    let program = env::current_exe().and_then(fs::read)?;
    let checksum = crc32fast::hash(&program);
    Ok(format!("{version}-{checksum:08x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Settings {
        seed: u64,
        weights: Option<&'static str>,
    }

    #[test]
    fn differences_are_named() {
        let work =
            |command, seed, weights| Work::new(command, 9, &Settings { seed, weights }).unwrap();
        let base = work("a", 1, None);
        assert_eq!(base.difference(&base.clone()), None);
        for (other, expected) in [
            (
                work("b", 1, None),
                r#"expected command = "a", found command = "b""#,
            ),
            (work("a", 2, None), "expected seed = 1, found seed = 2"),
            (
                work("a", 1, Some("x")),
                r#"expected no weights, found weights = "x""#,
            ),
            (
                work("a", 3, Some("x")),
                r#"expected seed = 1, no weights, found seed = 3, weights = "x""#,
            ),
        ] {
            assert_eq!(base.difference(&other).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn settings_are_a_struct() {
        assert!(Work::new("a", 9, &1).is_err());
    }

    #[test]
    fn the_program_has_the_same_version_whenever_it_is_asked() {
        let version = program_version("1.2").unwrap();
        assert_eq!(program_version("1.2").unwrap(), version);
        assert_eq!((&version[..4], version.len()), ("1.2-", 12));
    }
}
