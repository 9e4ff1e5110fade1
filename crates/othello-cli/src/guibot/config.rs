//! The settings of a player that a GUI gives no arguments: from the environment, the program's name or a file.

use std::{collections::BTreeMap, env, io, path::PathBuf};

use clap::{Command, CommandFactory as _, ValueEnum as _};

use super::{Args, Mode};

/// The options that are settings too, each with its variable of the environment.
const SETTINGS: [(&str, &str); 4] = [
    ("mode", "OTHELLO_GUI_MODE"),
    ("threads", "OTHELLO_GUI_THREADS"),
    ("hash", "OTHELLO_GUI_HASH"),
    ("reserve", "OTHELLO_GUI_RESERVE"),
];

/// The bytes that a configuration may have.
const MAX_CONFIG: u64 = 64 << 10;

/// The values of options.
type Values = BTreeMap<&'static str, String>;

/// The error of a configuration file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: expected a configuration in UTF-8: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: io::Error,
    },
    /// The file has a line that is no setting.
    #[error("{}: expected lines such as mode = released, with the keys mode, threads, hash and reserve, each once; found {found:?}{reason}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line that was found there.
        found: String,
        /// What is wrong with its value, if that is known.
        reason: String,
    },
}

/// Lets options that are not given be set by their variables, else by the program's name, else by the first
/// configuration file that exists.
pub(super) fn configured(command: Command) -> Result<Command, ConfigError> {
    let mut values = of_files(config_files())?;
    let name = env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    if let Some(mode) = mode_of_program(&stem) {
        values.insert("mode", mode);
    }
    let set = |command: Command, &(name, variable): &(&'static str, &'static str)| {
        let value = values.remove(name);
        command.mut_arg(name, |option| {
            let option = option.env(variable).hide_env_values(true);
            // The command line is read once.
            value.map_or(option.clone(), |value| option.default_value(&*value.leak()))
        })
    };
    Ok(SETTINGS.iter().fold(command, set))
}

/// The mode after the last `-` of a program's name, as in `othello-guibot-released`.
fn mode_of_program(stem: &str) -> Option<String> {
    let (_, word) = stem.rsplit_once('-')?;
    Mode::from_str(word, true)
        .is_ok()
        .then(|| word.to_ascii_lowercase())
}

fn of_files(files: impl IntoIterator<Item = PathBuf>) -> Result<Values, ConfigError> {
    for file in files {
        match boardgame_files::read_to_string(&file, MAX_CONFIG) {
            Ok(text) => {
                let values = of_config(&text);
                return values.map_err(|(found, reason)| ConfigError::Line {
                    file,
                    found,
                    reason,
                });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(reason) => return Err(ConfigError::Unreadable { file, reason }),
        }
    }
    Ok(Values::new())
}

/// The values of a configuration, or the line that is no setting with what is wrong with its value.
fn of_config(text: &str) -> Result<Values, (String, String)> {
    let lines = text.lines().map(str::trim);
    let options = Args::command();
    let mut values = Values::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let unknown = || (line.to_owned(), String::new());
        let (key, value) = line.split_once('=').ok_or_else(unknown)?;
        let setting = SETTINGS.iter().find(|(name, _)| *name == key.trim());
        let &(name, _) = setting.ok_or_else(unknown)?;
        let value = value.trim().trim_matches('"');
        let value = match Mode::from_str(value, true) {
            Ok(_) if name == "mode" => value.to_ascii_lowercase(),
            _ => value.to_owned(),
        };
        let option = options
            .get_arguments()
            .find(|option| option.get_id() == name);
        // The other options have variables of the environment, of which this line says nothing.
        let alone = Command::new("player").args(option.cloned().map(|option| option.env(None)));
        if let Err(error) = alone.try_get_matches_from(["player", &format!("--{name}={value}")]) {
            let error = error.to_string();
            let reason = error.lines().next().unwrap_or_default();
            return Err((line.to_owned(), format!(": {reason}")));
        }
        if values.insert(name, value).is_some() {
            return Err(unknown());
        }
    }
    Ok(values)
}

/// The files that may have settings: `othello-guibot.conf` beside the program, then
/// `othello/guibot.conf` in the user's configuration folder.
fn config_files() -> Vec<PathBuf> {
    let absolute = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let beside = env::current_exe()
        .ok()
        .map(|path| path.with_file_name("othello-guibot.conf"));
    let folder = if cfg!(windows) {
        absolute("APPDATA")
    } else {
        absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))
    };
    let of_user = folder.map(|folder| folder.join("othello").join("guibot.conf"));
    beside.into_iter().chain(of_user).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn values(of: &[(&'static str, &str)]) -> Values {
        let of = of.iter();
        of.map(|&(name, value)| (name, value.to_owned())).collect()
    }

    #[test]
    fn the_programs_name_chooses_a_mode() {
        let mode = |stem| mode_of_program(stem);
        assert_eq!(mode("othello-guibot-released").as_deref(), Some("released"));
        assert_eq!(mode("My-AI-Stay").as_deref(), Some("stay"));
        assert_eq!(mode("othello-guibot"), None);
        assert_eq!(mode("released"), None);
    }

    #[test]
    fn the_first_file_that_exists_has_the_settings() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let text = "# which GUI\n\n mode = \"Stay\"\r\nthreads=2\nhash = 16\nreserve = 30ms\n";
        fs::write(file("one"), text).unwrap();
        fs::write(file("two"), "\u{feff}mode = document").unwrap();
        let files = |names: &[&str]| of_files(names.iter().map(|name| file(name))).unwrap();
        let all = [
            ("mode", "stay"),
            ("threads", "2"),
            ("hash", "16"),
            ("reserve", "30ms"),
        ];
        assert_eq!(files(&["none", "one", "two"]), values(&all));
        assert_eq!(files(&["two", "one"]), values(&[("mode", "document")]));
        assert_eq!(files(&["none"]), Values::new());
    }

    #[test]
    fn a_line_that_is_no_setting_is_an_error_that_shows_it() {
        let folder = tempfile::tempdir().unwrap();
        for (text, shown) in [
            (
                "mode = quick",
                "\"mode = quick\": error: invalid value 'quick'",
            ),
            ("released", "\"released\""),
            (
                "mode = stay\nthreads = 0",
                "\"threads = 0\": error: invalid value '0'",
            ),
            ("reserve = 5", "expected a time such as 500ms"),
            ("hash = 1\nhash = 2", "\"hash = 2\""),
            ("ponder = true", "\"ponder = true\""),
            ("log =", "\"log =\""),
        ] {
            let file = folder.path().join("guibot.conf");
            fs::write(&file, text).unwrap();
            let error = of_files([file.clone()]).unwrap_err().to_string();
            assert!(
                error.contains(shown) && error.contains("guibot.conf: "),
                "{error}"
            );
        }
        assert_eq!(of_config("# nothing\n"), Ok(Values::new()));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("guibot.conf");
        let utf_16: Vec<u8> = "\u{feff}mode = released"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        fs::write(&file, utf_16).unwrap();
        let error = of_files([file]).unwrap_err().to_string();
        assert!(
            error.contains("guibot.conf: expected a configuration in UTF-8"),
            "{error}"
        );
    }
}
