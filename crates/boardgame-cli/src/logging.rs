//! The log: a file, never the streams that a protocol uses.

use std::{
    env,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

use boardgame_files::{AppendFile, AppendOptions};
use tracing_subscriber::{
    filter::Targets, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

/// The filter of the log unless the variable of the environment is set.
const DEFAULT_FILTER: &str = "info";
/// The size in bytes at which a default log is renamed to `NAME.log.old`.
const MAX_SIZE: u64 = 4 << 20;

/// The log of the programs that play a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogConfig {
    /// The environment variable that sets the filter.
    pub variable: &'static str,
    /// The folder of the default logs, in the user's state folder.
    pub folder: &'static str,
    /// The prefix of the game's crates in log targets.
    pub crates: &'static str,
}

/// The requested log file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the log {}: {reason}", path.display())]
pub struct LogError {
    /// The file.
    path: PathBuf,
    /// The error of the system.
    reason: io::Error,
}

impl LogConfig {
    /// Sends the log to `file`, or without one to the player's [default](Self::default_file).
    ///
    /// Lines are appended. The variable holds a filter such as `info,boardgame_io=trace`; an invalid one is
    /// reported in the log and replaced by `info`. If the default file cannot be written, nothing is logged.
    ///
    /// # Errors
    ///
    /// When the requested file cannot be written.
    pub fn start(&self, file: Option<&Path>, player: &str) -> Result<(), LogError> {
        if let Some(path) = file {
            let opened = append(path).map_err(|reason| LogError {
                path: path.to_owned(),
                reason,
            });
            self.install(opened?);
        } else if let Some(path) = self.default_file(player)
            && let Ok(file) = BoundedLog::open(path, MAX_SIZE)
        {
            self.install(file);
        }
        Ok(())
    }

    /// Returns the default log of `player`: `PLAYER.log` in the game's folder under `$XDG_STATE_HOME`, otherwise
    /// under `~/.local/state`, on Windows under `%LOCALAPPDATA%`; `None` if none of them is known.
    pub fn default_file(&self, player: &str) -> Option<PathBuf> {
        let absolute = |name| {
            env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let state = if cfg!(windows) {
            absolute("LOCALAPPDATA")?
        } else {
            absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?
        };
        Some(state.join(self.folder).join(format!("{player}.log")))
    }

    /// Returns the variable with its meaning, for `--help`.
    pub const fn variable_help(&self) -> (&'static str, &'static str) {
        let meaning = "how much to log, such as debug [default: info]";
        (self.variable, meaning)
    }

    fn install(&self, file: impl Write + Send + 'static) {
        let wanted = env::var(self.variable).ok().filter(|text| !text.is_empty());
        let filter = self.filter(wanted.as_deref().unwrap_or(DEFAULT_FILTER));
        let layer = tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .with_writer(Mutex::new(file));
        let understood = filter.is_some();
        let filter = filter.unwrap_or_else(|| Targets::new().with_default(tracing::Level::INFO));
        // A second player in one process keeps the first one's log.
        let _ = tracing_subscriber::registry()
            .with(layer)
            .with(filter)
            .try_init();
        if !understood {
            let (variable, wanted) = (self.variable, wanted.unwrap_or_default());
            tracing::warn!(
                "{variable}: expected a filter such as info or boardgame_io=trace, not {wanted:?}"
            );
        }
        tracing::info!(process = std::process::id(), "started");
    }

    /// Parses a filter. Returns `None` if it is invalid, or affects no part of this program, such as a single word
    /// that is not a level.
    fn filter(&self, text: &str) -> Option<Targets> {
        let targets: Targets = text.parse().ok()?;
        let ours = targets
            .iter()
            .any(|(target, _)| target.starts_with(self.crates) || target.starts_with("boardgame"));
        (ours || targets.default_level().is_some()).then_some(targets)
    }
}

/// A default log: when full it is renamed, replacing the previous one, so that at most two files are kept. Several
/// processes may write it.
struct BoundedLog {
    path: PathBuf,
    file: AppendFile,
    max_size: u64,
}

impl BoundedLog {
    fn open(path: PathBuf, max_size: u64) -> io::Result<Self> {
        let file = Self::open_file(&path)?;
        let mut log = Self {
            path,
            file,
            max_size,
        };
        log.make_room()?;
        Ok(log)
    }

    fn open_file(path: &Path) -> io::Result<AppendFile> {
        let options = AppendOptions {
            create_folder: true,
            ..AppendOptions::default()
        };
        Ok(AppendFile::open(path, options)?)
    }

    /// Renames the file if it is full and no other process has done so, and starts a new one.
    fn make_room(&mut self) -> io::Result<()> {
        if self.file.size()? < self.max_size {
            return Ok(());
        }
        if self.file.is_at(&self.path)? {
            fs::rename(&self.path, self.path.with_extension("log.old"))?;
        }
        self.file = Self::open_file(&self.path)?;
        Ok(())
    }
}

impl Write for BoundedLog {
    /// Appends bytes; those without room are dropped.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.make_room().is_ok() {
            self.file.append(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: LogConfig = LogConfig {
        variable: "GO_LOG",
        folder: "go",
        crates: "go_",
    };

    #[test]
    fn a_level_that_is_spelt_wrong_is_no_filter() {
        for text in [
            "info",
            "debug,boardgame_io=trace",
            "boardgame_io=trace",
            "go_engine=debug",
            "off",
        ] {
            assert!(LOG.filter(text).is_some(), "{text}");
        }
        for text in [
            "dbug",
            "[[[",
            "tokio=debug",
            "go_core=loud",
            "othello_core=debug",
        ] {
            assert!(LOG.filter(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_full_default_log_is_set_aside_at_the_start_and_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/player.log");
        let old = path.with_extension("log.old");
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        let open = || BoundedLog::open(path.clone(), 10).unwrap();
        let (mut log, mut other) = (open(), open());
        log.write_all(b"first line\n").unwrap();
        assert!(!old.exists());
        log.write_all(b"second\n").unwrap();
        assert_eq!(
            (read(&old), read(&path)),
            ("first line\n".into(), "second\n".into())
        );
        // It writes to the new file too, and does not set it aside before it is full.
        other.write_all(b"third\n").unwrap();
        assert_eq!(read(&path), "second\nthird\n");
        open();
        assert_eq!(
            (read(&old), read(&path)),
            ("second\nthird\n".into(), String::new())
        );
    }

    #[test]
    fn a_log_that_was_asked_for_and_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = LOG.start(Some(folder.path()), "player").unwrap_err();
        assert_eq!(error.path, folder.path());
        assert!(error.to_string().starts_with("cannot write the log "));
    }
}
