//! The settings of a player that gets no arguments from a GUI: from the environment, the program's name or a file.

use std::{env, path::PathBuf};

use boardgame_cli::{Config, ConfigError};
use clap::{Command, ValueEnum as _};

use super::Mode;

/// Sets missing options from their variables, else from the program's name, else from the first configuration file that
/// exists.
pub(super) fn configured(command: Command) -> Result<Command, ConfigError> {
    let config = Config {
        settings: &[
            ("mode", "OTHELLO_GUI_MODE"),
            ("threads", "OTHELLO_GUI_THREADS"),
            ("hash", "OTHELLO_GUI_HASH"),
            ("reserve", "OTHELLO_GUI_RESERVE"),
        ],
        prefix: None,
        example: "mode = released",
        files: config_files(),
    };
    let command = config.apply(command)?;
    let name = env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    Ok(match mode_of_program(&stem) {
        Some(mode) => command.mut_arg("mode", |option| option.default_value(&*mode.leak())),
        None => command,
    })
}

/// Returns the mode after the last `-` of a program's name, as in `othello-guibot-released`.
fn mode_of_program(stem: &str) -> Option<String> {
    let (_, word) = stem.rsplit_once('-')?;
    Mode::from_str(word, true)
        .is_ok()
        .then(|| word.to_ascii_lowercase())
}

/// Returns the files that may have settings: `othello-guibot.conf` next to the program, then `othello/guibot.conf` in
/// the user's configuration folder.
fn config_files() -> Vec<PathBuf> {
    let absolute = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let folder = if cfg!(windows) {
        absolute("APPDATA")
    } else {
        absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))
    };
    let of_user = folder.map(|folder| folder.join("othello").join("guibot.conf"));
    let beside = Config::beside_program("othello-guibot.conf");
    beside.into_iter().chain(of_user).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_name_chooses_a_mode() {
        let mode = |stem| mode_of_program(stem);
        assert_eq!(mode("othello-guibot-released").as_deref(), Some("released"));
        assert_eq!(mode("My-AI-Stay").as_deref(), Some("stay"));
        assert_eq!(mode("othello-guibot"), None);
        assert_eq!(mode("released"), None);
    }
}
