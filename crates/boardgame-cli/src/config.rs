//! Options from the environment or a file, for a player that is started without arguments.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

use clap::{Arg, Command, ValueHint};

/// The maximum size of a configuration file, in bytes.
const MAX_FILE: u64 = 64 << 10;

/// Options that the environment or a configuration file can also set.
///
/// The command line comes first, then a variable, then the file. A file has lines such as `size = 9`; values may be
/// quoted, and `#` begins a comment. Paths in it are relative to its folder.
#[derive(Clone, Debug)]
pub struct Config {
    /// The long names of the options, each with its variable of the environment.
    pub settings: &'static [(&'static str, &'static str)],
    /// The prefix reserved for these variables, if there is one.
    pub prefix: Option<&'static str>,
    /// A line of a file, for messages.
    pub example: &'static str,
    /// The files; the first that exists is read.
    pub files: Vec<PathBuf>,
}

/// An error of a configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: expected a configuration in UTF-8: {reason}", file.display())]
    Unreadable { file: PathBuf, reason: io::Error },
    /// The file has a line that is not a setting; `reason` says what is wrong with its value.
    #[error("{}: expected {expected}, each once; found {found:?}{reason}", file.display())]
    Line {
        file: PathBuf,
        expected: String,
        found: String,
        reason: String,
    },
    /// An environment variable has the prefix but is not a setting.
    #[error("expected the variables {expected}, found {found}")]
    UnknownVariable { expected: String, found: String },
}

/// The values of options by their long names.
type Values = BTreeMap<&'static str, OsString>;

impl Config {
    /// Returns the path of a file next to the running program, if the system reports its location.
    pub fn beside_program(name: &str) -> Option<PathBuf> {
        Some(env::current_exe().ok()?.with_file_name(name))
    }

    /// Returns the command with the variables of its options, and the values of the file as defaults.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or has a line that is not a setting, or a variable is unknown.
    pub fn apply(&self, command: Command) -> Result<Command, ConfigError> {
        let variables = env::vars_os().filter(|(_, value)| !value.is_empty());
        self.check_variables(variables.map(|(name, _)| name.to_string_lossy().into_owned()))?;
        let mut values = self.read(&command)?;
        Ok(command.mut_args(|option| {
            let long = option.get_long().unwrap_or_default();
            let Some((name, variable)) = self.settings.iter().find(|(name, _)| *name == long)
            else {
                return option;
            };
            let option = option.env(variable).hide_env_values(true);
            match values.remove(name) {
                // The command line is read once.
                Some(value) => option.default_value(&*value.leak()),
                None => option,
            }
        }))
    }

    fn check_variables(&self, names: impl Iterator<Item = String>) -> Result<(), ConfigError> {
        let Some(prefix) = self.prefix else {
            return Ok(());
        };
        let is_known = |name: &String| self.settings.iter().any(|(_, known)| known == name);
        let mut names = names.filter(|name| name.starts_with(prefix));
        match names.find(|name| !is_known(name)) {
            None => Ok(()),
            Some(found) => Err(ConfigError::UnknownVariable {
                expected: joined(self.settings.iter().map(|(_, variable)| *variable)),
                found,
            }),
        }
    }

    /// Reads the first file that exists.
    fn read(&self, command: &Command) -> Result<Values, ConfigError> {
        for file in &self.files {
            match boardgame_files::read_to_string(file, MAX_FILE) {
                Ok(text) => return self.parse(command, file, &text),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(reason) => {
                    let file = file.clone();
                    return Err(ConfigError::Unreadable { file, reason });
                }
            }
        }
        Ok(Values::new())
    }

    fn parse(&self, command: &Command, file: &Path, text: &str) -> Result<Values, ConfigError> {
        let mut values = Values::new();
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let refused = |reason| ConfigError::Line {
                file: file.to_owned(),
                expected: format!(
                    "lines such as {}, with the keys {}",
                    self.example,
                    joined(self.settings.iter().map(|(name, _)| *name))
                ),
                found: line.to_owned(),
                reason,
            };
            let (name, value) = self.split(line).ok_or_else(|| refused(String::new()))?;
            let option = command
                .get_arguments()
                .find(|option| option.get_long() == Some(name));
            let value = match option.map(Arg::get_value_hint) {
                None | Some(ValueHint::Unknown) => value.into(),
                Some(_) => file.parent().unwrap_or(Path::new("")).join(value).into(),
            };
            check(option, name, &value).map_err(refused)?;
            if values.insert(name, value).is_some() {
                return Err(refused(String::new()));
            }
        }
        Ok(values)
    }

    /// Returns the name of the setting in a line, and its value.
    fn split<'a>(&self, line: &'a str) -> Option<(&'static str, &'a str)> {
        let (key, value) = line.split_once('=')?;
        let (name, _) = self.settings.iter().find(|(name, _)| *name == key.trim())?;
        let value = value.trim();
        let quote = value.chars().next().filter(|quote| "\"'".contains(*quote));
        let (value, rest) = match quote {
            Some(quote) => value[1..].split_once(quote)?,
            None => (value.split('#').next()?.trim_end(), ""),
        };
        let rest = rest.trim_start();
        (rest.is_empty() || rest.starts_with('#')).then_some((name, value))
    }
}

/// Checks the value of an option on its own; the error says what is wrong with it.
fn check(option: Option<&Arg>, name: &str, value: &OsString) -> Result<(), String> {
    // The variable must not override the line.
    let option = option.cloned().map(|option| option.env(None));
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    let matches = Command::new("player")
        .args(option)
        .try_get_matches_from(["player".into(), word]);
    matches.map(|_| ()).map_err(|error| {
        let error = error.to_string();
        format!(": {}", error.lines().next().unwrap_or_default())
    })
}

fn joined(words: impl Iterator<Item = &'static str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::CommandFactory as _;

    use super::*;

    #[derive(clap::Parser)]
    #[allow(dead_code, reason = "the command is read, not its values")]
    struct Args {
        #[arg(long, value_parser = crate::any_duration)]
        move_time: Option<std::time::Duration>,
        #[arg(long)]
        log: Option<PathBuf>,
        #[arg(long)]
        name: Option<String>,
    }

    fn config(files: Vec<PathBuf>) -> Config {
        Config {
            settings: &[
                ("move-time", "TOY_MOVE_TIME"),
                ("log", "TOY_LOG"),
                ("name", "TOY_NAME"),
            ],
            prefix: Some("TOY_"),
            example: "name = x",
            files,
        }
    }

    /// The values of a file with a text; paths and errors omit the folder.
    fn values(text: &str) -> Result<Vec<(&'static str, String)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("toy.conf");
        fs::write(&file, text).unwrap();
        let prefix = format!("{}/", folder.path().display());
        let plain = |text: String| text.replace(&prefix, "");
        let values = config(vec![folder.path().join("none"), file])
            .read(&Args::command())
            .map_err(|error| plain(error.to_string()))?;
        let values = values.into_iter();
        Ok(values
            .map(|(name, value)| (name, plain(value.into_string().unwrap())))
            .collect())
    }

    #[test]
    fn a_file_has_a_setting_a_line() {
        let text = "\u{feff}# a player\n\n name = \"a # b\" # it\r\nmove-time=2s # long\nlog = 'x'";
        let expected = [("log", "x"), ("move-time", "2s"), ("name", "a # b")];
        assert_eq!(
            values(text),
            Ok(expected.map(|(name, value)| (name, value.into())).into())
        );
        assert_eq!(values("# none"), Ok(vec![]));
    }

    #[test]
    fn a_line_that_is_no_setting_is_an_error_that_shows_it() {
        for (text, shown) in [
            ("size = 9", "found \"size = 9\""),
            ("name", "found \"name\""),
            ("name = 'x' y", "found \"name = 'x' y\""),
            ("name = 'x", "found \"name = 'x\""),
            ("name = a\nname = b", "found \"name = b\""),
            (
                "move-time = 5",
                "found \"move-time = 5\": error: invalid value '5' for '--move-time <MOVE_TIME>': expected a time",
            ),
        ] {
            let error = values(text).unwrap_err();
            let expected = "toy.conf: expected lines such as name = x, with the keys move-time, log, name, each once; ";
            assert!(
                error.starts_with(expected) && error.contains(shown),
                "{error}"
            );
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = config(vec![folder.path().into()]).read(&Args::command());
        assert!(matches!(error, Err(ConfigError::Unreadable { .. })));
        let utf_16: Vec<u8> = "name = x"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let file = folder.path().join("utf-16");
        fs::write(&file, [&[0xff, 0xfe], &utf_16[..]].concat()).unwrap();
        let error = config(vec![file]).read(&Args::command()).unwrap_err();
        assert!(
            error.to_string().contains("a configuration in UTF-8"),
            "{error}"
        );
    }

    #[test]
    fn an_unknown_variable_is_an_error() {
        let check = |name: &str| config(vec![]).check_variables([name.to_owned()].into_iter());
        assert!(check("TOY_LOG").is_ok() && check("PATH").is_ok());
        let error = check("TOY_LOGS").unwrap_err().to_string();
        let expected = "expected the variables TOY_MOVE_TIME, TOY_LOG, TOY_NAME, found TOY_LOGS";
        assert_eq!(error, expected);
    }
}
