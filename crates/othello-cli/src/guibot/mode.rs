//! The choice of the form of the GUI's protocol.

use std::{env, io, path::PathBuf};

use clap::ValueEnum;
use othello_proto::gui;

/// The environment variable that chooses a mode.
pub(crate) const VARIABLE: &str = "OTHELLO_GUI_MODE";

/// The bytes that a configuration may have.
const MAX_CONFIG: u64 = 64 << 10;

/// A form of the GUI's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Find out: `released` when the GUI sends at once, else `document`
    Auto,
    /// The version line, one board, one move
    Document,
    /// No version line; one board, one move and a line of notes
    Released,
    /// The version line, then board and move until the input ends
    Stay,
}

/// The error of a configuration file that chooses no mode.
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
    /// The file names no mode.
    #[error("{}: expected a line `mode = auto`, `document`, `released` or `stay`; found {found:?}", file.display())]
    NoMode {
        /// The file.
        file: PathBuf,
        /// The line that was found there.
        found: String,
    },
}

impl Mode {
    /// The mode of a program that was given none on the command line or in the environment: by
    /// the name it was started under, else by the first configuration file that exists, else
    /// [`Mode::Auto`].
    ///
    /// # Errors
    ///
    /// Fails if that file cannot be read or does not name a mode.
    pub fn find() -> Result<Self, ConfigError> {
        let name = env::args_os().next().map(PathBuf::from).unwrap_or_default();
        let stem = name
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match Self::of_program(&stem) {
            Some(mode) => Ok(mode),
            None => Ok(Self::of_files(config_files())?.unwrap_or(Self::Auto)),
        }
    }

    /// The mode after the last `-` of a program's name, as in `othello-guibot-released`.
    fn of_program(stem: &str) -> Option<Self> {
        let (_, word) = stem.rsplit_once('-')?;
        Self::from_str(word, true).ok()
    }

    fn of_files(files: impl IntoIterator<Item = PathBuf>) -> Result<Option<Self>, ConfigError> {
        for file in files {
            match boardgame_files::read_to_string(&file, MAX_CONFIG) {
                Ok(text) => {
                    let mode = Self::of_config(&text);
                    return mode.map_err(|found| ConfigError::NoMode { file, found });
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(reason) => return Err(ConfigError::Unreadable { file, reason }),
            }
        }
        Ok(None)
    }

    /// The mode of a configuration, `None` of an empty one, or the line that is not understood.
    fn of_config(text: &str) -> Result<Option<Self>, String> {
        let lines = othello_core::without_byte_order_mark(text)
            .lines()
            .map(str::trim);
        let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(line) = lines.next() else {
            return Ok(None);
        };
        let value = match line.split_once('=') {
            Some((key, value)) if key.trim() == "mode" => value.trim().trim_matches('"'),
            _ => return Err(line.to_owned()),
        };
        let mode = Self::from_str(value, true).map_err(|_| line.to_owned())?;
        match lines.next() {
            Some(more) => Err(more.to_owned()),
            None => Ok(Some(mode)),
        }
    }
}

/// The files that may name the mode: `othello-guibot.conf` beside the program, then
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

impl From<Mode> for gui::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Auto => Self::Auto,
            Mode::Document => Self::Document,
            Mode::Released => Self::Released,
            Mode::Stay => Self::Stay,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_programs_name_chooses_a_mode() {
        assert_eq!(
            Mode::of_program("othello-guibot-released"),
            Some(Mode::Released)
        );
        assert_eq!(Mode::of_program("My-AI-Stay"), Some(Mode::Stay));
        assert_eq!(Mode::of_program("othello-guibot"), None);
        assert_eq!(Mode::of_program("released"), None);
    }

    #[test]
    fn the_first_file_that_exists_chooses_a_mode() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("one"), "# which GUI\n\n mode = \"stay\"\r\n").unwrap();
        fs::write(file("two"), "\u{feff}mode = document").unwrap();
        let files = |names: &[&str]| Mode::of_files(names.iter().map(|name| file(name)));
        assert_eq!(files(&["none", "one", "two"]).unwrap(), Some(Mode::Stay));
        assert_eq!(files(&["two", "one"]).unwrap(), Some(Mode::Document));
        assert_eq!(files(&["none"]).unwrap(), None);
    }

    #[test]
    fn a_file_that_names_no_mode_is_an_error_that_shows_the_line() {
        let folder = tempfile::tempdir().unwrap();
        for (text, shown) in [
            ("mode = quick", "mode = quick"),
            ("released", "released"),
            ("mode = stay\nthreads = 2", "threads = 2"),
        ] {
            let file = folder.path().join("guibot.conf");
            fs::write(&file, text).unwrap();
            let error = Mode::of_files([file.clone()]).unwrap_err().to_string();
            assert!(error.ends_with(&format!("found {shown:?}")), "{error}");
        }
        assert_eq!(Mode::of_config("# nothing\n"), Ok(None));
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
        let error = Mode::of_files([file]).unwrap_err().to_string();
        assert!(
            error.contains("guibot.conf: expected a configuration in UTF-8"),
            "{error}"
        );
    }
}
