//! The settings of a player that is given no arguments.

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    ffi::OsString,
    fmt, io,
    num::NonZeroU32,
    path::{Path, PathBuf},
    time::Duration,
};

use boardgame_cli::duration;
use go_core::{Komi, Size};
use go_engine::{WeightsError, WeightsFile};
use go_proto::usenix::{BYO_ROMI, KOMI, MAIN_TIME};
use toml::{Table, Value};

/// The name of the file beside the program.
const FILE: &str = "go-usenix.toml";

/// The beginning of the names of the variables.
const PREFIX: &str = "GO_USENIX_";

/// The bytes that the file may have.
const MAX_FILE: u64 = 64 << 10;

/// The settings of a player of the USENIX format.
///
/// A setting is read from its variable of the environment, else from the file `go-usenix.toml` beside the program. An
/// empty variable is none. In the file, the paths of weights and log are relative to the file's folder.
///
/// | variable | key | setting |
/// |---|---|---|
/// | `GO_USENIX_SIZE` | `size` | the lines of the board, 1 to 25 |
/// | `GO_USENIX_KOMI` | `komi` | White's bonus in points |
/// | `GO_USENIX_MAIN_TIME` | `main-time` | the user CPU time for the game |
/// | `GO_USENIX_BYO_ROMI` | `byo-romi` | the user CPU time for each move in byo-romi |
/// | `GO_USENIX_PLAYOUTS` | `playouts` | the largest number of playouts for a move |
/// | `GO_USENIX_MOVE_TIME` | `move-time` | the longest CPU time for a move |
/// | `GO_USENIX_MEMORY` | `memory` | the size of the search tree in MiB, 1 to 65536 |
/// | `GO_USENIX_SEED` | `seed` | the seed of random choices |
/// | `GO_USENIX_WEIGHTS` | `weights` | a file of weights for the search |
/// | `GO_USENIX_LOG` | `log` | the file of the log |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The size of the board; 19x19 by default.
    pub size: Size,
    /// White's bonus; 5.5 by default.
    pub komi: Komi,
    /// The user CPU time for the game before byo-romi; an hour by default.
    pub main_time: Duration,
    /// The user CPU time for each move in byo-romi; 10 s by default.
    pub byo_romi: Duration,
    /// The settings of the engine.
    pub engine: go_engine::Settings,
    /// The file of the log; `None` for one in the user's state folder.
    pub log: Option<PathBuf>,
}

impl Default for Settings {
    /// The settings of the tournament.
    fn default() -> Self {
        Self {
            size: Size::default(),
            komi: KOMI,
            main_time: MAIN_TIME,
            byo_romi: BYO_ROMI,
            engine: go_engine::Settings::default(),
            log: None,
        }
    }
}

/// A setting by its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// The variable of the environment.
    pub(super) variable: &'static str,
    /// The key in the file.
    name: &'static str,
    /// The meaning, for `--help`.
    pub(super) meaning: &'static str,
}

const SIZE: Key = Key {
    variable: "GO_USENIX_SIZE",
    name: "size",
    meaning: "size: the lines of the board, 1 to 25 [default: 19]",
};
const KOMI_KEY: Key = Key {
    variable: "GO_USENIX_KOMI",
    name: "komi",
    meaning: "komi: White's bonus [default: 5.5]",
};
const MAIN: Key = Key {
    variable: "GO_USENIX_MAIN_TIME",
    name: "main-time",
    meaning: "main-time: the CPU time for a game [default: 60m]",
};
const BYO: Key = Key {
    variable: "GO_USENIX_BYO_ROMI",
    name: "byo-romi",
    meaning: "byo-romi: the CPU time for each later move [default: 10s]",
};
const PLAYOUTS: Key = Key {
    variable: "GO_USENIX_PLAYOUTS",
    name: "playouts",
    meaning: "playouts: the most playouts for a move [default: as its time allows]",
};
const MOVE_TIME: Key = Key {
    variable: "GO_USENIX_MOVE_TIME",
    name: "move-time",
    meaning: "move-time: the most CPU time for a move [default: as the clock allows]",
};
const MEMORY: Key = Key {
    variable: "GO_USENIX_MEMORY",
    name: "memory",
    meaning: "memory: the size of the search tree, in MiB [default: 128]",
};
const SEED: Key = Key {
    variable: "GO_USENIX_SEED",
    name: "seed",
    meaning: "seed: the seed of random choices [default: 1]",
};
const WEIGHTS: Key = Key {
    variable: "GO_USENIX_WEIGHTS",
    name: "weights",
    meaning: "weights: a file of weights for the search [default: the built-in ones]",
};
const LOG: Key = Key {
    variable: "GO_USENIX_LOG",
    name: "log",
    meaning: "log: the file of the log [default: one in the user's state folder]",
};

/// All settings.
pub(super) const KEYS: [Key; 10] = [
    SIZE, KOMI_KEY, MAIN, BYO, PLAYOUTS, MOVE_TIME, MEMORY, SEED, WEIGHTS, LOG,
];

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A value is not valid for its setting.
    #[error("{place}: {reason}, not {found}")]
    Value {
        /// The place of the value.
        place: Place,
        /// What was expected.
        reason: Box<dyn Error + Send + Sync>,
        /// The value.
        found: String,
    },
    /// A file of weights cannot be used.
    #[error("{place}: {reason}")]
    Weights {
        /// The place of its path.
        place: Place,
        /// The reason.
        reason: WeightsError,
    },
    /// A variable of the environment has the prefix of settings and names none.
    #[error("expected the variables {}, not {found}", KEYS.map(|key| key.variable).join(", "))]
    UnknownVariable {
        /// The name of the variable.
        found: String,
    },
    /// The file has a key that names no setting.
    #[error("{}: expected the keys {}, not {found}", file.display(), KEYS.map(|key| key.name).join(", "))]
    UnknownKey {
        /// The file.
        file: PathBuf,
        /// The key.
        found: String,
    },
    /// The file has an integer that TOML cannot hold.
    #[error("{}: expected quotes around a number above {}, as in seed = \"{found}\"", file.display(), i64::MAX)]
    LargeNumber {
        /// The file.
        file: PathBuf,
        /// The number.
        found: u64,
    },
    /// The file is not TOML.
    #[error("{}: expected lines such as size = 9: {reason}", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// The place of the error in it.
        reason: Box<toml::de::Error>,
    },
    /// The file is there and cannot be read.
    #[error("cannot read {}: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
}

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable of the environment.
    Variable(&'static str),
    /// A key of a file.
    Key(PathBuf, &'static str),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::Key(file, key) => write!(f, "{}: {key}", file.display()),
        }
    }
}

/// An error in the text of a number of playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of playouts from 1 to {}", u32::MAX)]
struct ParsePlayoutsError;

/// An error in the text of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a seed from 0 to {}", u64::MAX)]
struct ParseSeedError;

/// The error of a value of a file that is neither text nor a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected text or a number")]
struct ValueTypeError;

/// The error of a value of a file that is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected text")]
struct NoTextError;

/// The error of a variable that is no Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected text in UTF-8")]
struct EncodingError;

impl Settings {
    /// Returns the settings of this process.
    ///
    /// # Errors
    ///
    /// When a value is none of its setting, or the file cannot be used.
    pub fn find() -> Result<Self, SettingsError> {
        let program = env::current_exe().ok();
        let file = program.map(|program| program.with_file_name(FILE));
        Self::of(env::vars_os(), file.as_deref())
    }

    /// Returns the settings of an environment and a file, which need not exist.
    fn of(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        file: Option<&Path>,
    ) -> Result<Self, SettingsError> {
        let sources = Sources {
            variables: own_variables(variables)?,
            file: match file {
                Some(file) => read(file)?.map(|table| (file, table)),
                None => None,
            },
        };
        let mut settings = Self::default();
        sources.set(SIZE, &mut settings.size, str::parse)?;
        sources.set(KOMI_KEY, &mut settings.komi, str::parse)?;
        sources.set(MAIN, &mut settings.main_time, duration)?;
        sources.set(BYO, &mut settings.byo_romi, duration)?;
        let engine = &mut settings.engine;
        sources.set(PLAYOUTS, &mut engine.playouts, playouts)?;
        sources.set(MOVE_TIME, &mut engine.move_time, |text| {
            duration(text).map(Some)
        })?;
        sources.set(MEMORY, &mut engine.memory, str::parse)?;
        sources.set(SEED, &mut engine.seed, seed)?;
        engine.weights = sources.weights()?;
        settings.log = sources.path(LOG)?.map(|(_, path)| path);
        Ok(settings)
    }
}

fn playouts(text: &str) -> Result<Option<u32>, ParsePlayoutsError> {
    let number: NonZeroU32 = text.parse().map_err(|_| ParsePlayoutsError)?;
    Ok(Some(number.get()))
}

fn seed(text: &str) -> Result<u64, ParseSeedError> {
    text.parse().map_err(|_| ParseSeedError)
}

/// Returns the variables that are settings and not empty.
fn own_variables(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<BTreeMap<&'static str, OsString>, SettingsError> {
    let mut own = BTreeMap::new();
    for (name, value) in variables {
        let name = name.to_string_lossy();
        if !name.starts_with(PREFIX) || value.is_empty() {
            continue;
        }
        let key = KEYS.iter().find(|key| key.variable == name);
        let key = key.ok_or_else(|| SettingsError::UnknownVariable {
            found: name.into_owned(),
        })?;
        own.insert(key.variable, value);
    }
    Ok(own)
}

/// Reads the file; `None` if there is none.
fn read(file: &Path) -> Result<Option<Table>, SettingsError> {
    let text = match boardgame_files::read_to_string(file, MAX_FILE) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(reason) => {
            let file = file.to_owned();
            return Err(SettingsError::Unreadable { file, reason });
        }
    };
    let table: Table = text
        .parse()
        .map_err(|reason| syntax_error(file, &text, reason))?;
    let is_unknown = |key: &&String| KEYS.iter().all(|known| known.name != **key);
    match table.keys().find(is_unknown) {
        Some(key) => Err(SettingsError::UnknownKey {
            file: file.to_owned(),
            found: key.clone(),
        }),
        None => Ok(Some(table)),
    }
}

/// Returns the error of a file with this text.
fn syntax_error(file: &Path, text: &str, reason: toml::de::Error) -> SettingsError {
    let file = file.to_owned();
    let found = reason.span().and_then(|span| text.get(span));
    let number = found.and_then(|found| found.parse::<u64>().ok());
    match number.filter(|&number| i64::try_from(number).is_err()) {
        Some(found) => SettingsError::LargeNumber { file, found },
        None => SettingsError::Syntax {
            file,
            reason: Box::new(reason),
        },
    }
}

/// The sources of settings.
struct Sources<'a> {
    variables: BTreeMap<&'static str, OsString>,
    file: Option<(&'a Path, Table)>,
}

impl Sources<'_> {
    /// Returns the weights, if one of the sources names a file of them.
    fn weights(&self) -> Result<Option<WeightsFile>, SettingsError> {
        let Some((place, path)) = self.path(WEIGHTS)? else {
            return Ok(None);
        };
        match WeightsFile::read(&path) {
            Ok(weights) => Ok(Some(weights)),
            Err(reason) => Err(SettingsError::Weights { place, reason }),
        }
    }

    /// Returns a path and the place where it is set, if one of the sources has it.
    fn path(&self, key: Key) -> Result<Option<(Place, PathBuf)>, SettingsError> {
        let found = self.text(key)?;
        Ok(found.map(|(place, text)| {
            let path = match &place {
                Place::Key(file, _) => file.parent().unwrap_or(Path::new("")).join(text),
                Place::Variable(_) => text.into(),
            };
            (place, path)
        }))
    }

    /// Reads a setting, if one of the sources has it.
    fn set<T, E: Error + Send + Sync + 'static>(
        &self,
        key: Key,
        setting: &mut T,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<(), SettingsError> {
        if let Some((place, text)) = self.text(key)? {
            *setting = parse(&text).map_err(|reason| SettingsError::Value {
                place,
                reason: Box::new(reason),
                found: format!("{text:?}"),
            })?;
        }
        Ok(())
    }

    /// Returns the text of a setting and its place.
    fn text(&self, key: Key) -> Result<Option<(Place, String)>, SettingsError> {
        let (place, text) = if let Some(value) = self.variables.get(key.variable) {
            let text = value
                .clone()
                .into_string()
                .map_err(|value| (EncodingError.into(), value.display().to_string()));
            (Place::Variable(key.variable), text)
        } else if let Some((file, table)) = &self.file
            && let Some(value) = table.get(key.name)
        {
            let place = Place::Key((*file).to_owned(), key.name);
            (
                place,
                plain(key, value).map_err(|reason| (reason, value.type_str().to_owned())),
            )
        } else {
            return Ok(None);
        };
        match text {
            Ok(text) => Ok(Some((place, text))),
            Err((reason, found)) => Err(SettingsError::Value {
                place,
                reason,
                found,
            }),
        }
    }
}

/// Returns a value of a key as the environment would have it.
fn plain(key: Key, value: &Value) -> Result<String, Box<dyn Error + Send + Sync>> {
    match value {
        Value::String(text) => Ok(text.clone()),
        _ if key == LOG || key == WEIGHTS => Err(NoTextError.into()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        _ => Err(ValueTypeError.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::MemorySize;

    /// The settings of variables and of a file with this text, or the error. The file's folder is not named.
    fn settings(variables: &[(&str, &str)], text: Option<&str>) -> Result<Settings, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let variables = variables
            .iter()
            .map(|&(name, value)| (name.into(), value.into()));
        let prefix = format!("{}/", folder.path().display());
        let mut settings = Settings::of(variables, Some(&file))
            .map_err(|error| error.to_string().replace(&prefix, ""))?;
        settings.log = settings.log.map(|log| match log.strip_prefix(&folder) {
            Ok(name) => Path::new("FOLDER").join(name),
            Err(_) => log,
        });
        Ok(settings)
    }

    const ALL: &str = "size = 9\nkomi = 0.5\nmain-time = '30m'\nbyo-romi = '2s'\nplayouts = 50\n\
        move-time = '500ms'\nmemory = 16\nseed = 7\nlog = 'a.log'";

    fn all() -> Settings {
        Settings {
            size: Size::NINE,
            komi: Komi::from_half_points(1),
            main_time: Duration::from_mins(30),
            byo_romi: Duration::from_secs(2),
            engine: go_engine::Settings {
                seed: 7,
                playouts: Some(50),
                move_time: Some(Duration::from_millis(500)),
                memory: MemorySize::new(16).unwrap(),
                weights: None,
            },
            log: Some("a.log".into()),
        }
    }

    #[test]
    fn without_settings_the_tournaments_hold() {
        assert_eq!(settings(&[], None), Ok(Settings::default()));
        assert_eq!(
            settings(&[("GO_USENIX_SIZE", "")], Some("# none\n")),
            Ok(Settings::default())
        );
    }

    #[test]
    fn every_setting_is_read_from_both_places() {
        let of_file = Settings {
            log: Some("FOLDER/a.log".into()),
            ..all()
        };
        assert_eq!(settings(&[], Some(ALL)), Ok(of_file));
        let variables = [
            ("PATH", "/bin"),
            ("GO_USENIX_OTHER", ""),
            ("GO_USENIX_SIZE", "9x9"),
            ("GO_USENIX_KOMI", "0.5"),
            ("GO_USENIX_MAIN_TIME", "30m"),
            ("GO_USENIX_BYO_ROMI", "2s"),
            ("GO_USENIX_PLAYOUTS", "50"),
            ("GO_USENIX_MOVE_TIME", "500ms"),
            ("GO_USENIX_MEMORY", "16"),
            ("GO_USENIX_SEED", "7"),
            ("GO_USENIX_LOG", "a.log"),
        ];
        assert_eq!(settings(&variables, None), Ok(all()));
        let names: Vec<_> = variables[2..].iter().map(|(name, _)| *name).collect();
        let others = KEYS.into_iter().filter(|key| *key != WEIGHTS);
        assert_eq!(names, others.map(|key| key.variable).collect::<Vec<_>>());
    }

    #[test]
    fn weights_are_read_from_the_file_that_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (file, weights) = (folder.path().join(FILE), folder.path().join("a.weights"));
        std::fs::write(&file, "weights = 'a.weights'").unwrap();
        let read = || Settings::of([], Some(&file)).map(|it| it.engine.weights);
        let prefix = format!("{}/", folder.path().display());
        let error = || read().unwrap_err().to_string().replace(&prefix, "");
        assert!(error().starts_with("go-usenix.toml: weights: a.weights: "));
        std::fs::write(&weights, "feature distance-5 x\n").unwrap();
        assert_eq!(
            error(),
            "go-usenix.toml: weights: a.weights, line 1: expected a number from 1e-9 to 1e9"
        );
        std::fs::write(&weights, "feature distance-5 1.25\n").unwrap();
        let expected = WeightsFile::read(&weights).unwrap();
        assert_eq!(read().unwrap().as_ref(), Some(&expected));
        let variable = ("GO_USENIX_WEIGHTS".into(), weights.into());
        let settings = Settings::of([variable], None).unwrap();
        assert_eq!(settings.engine.weights, Some(expected));
    }

    #[test]
    fn the_environment_comes_before_the_file() {
        let read = settings(&[("GO_USENIX_SIZE", "13")], Some(ALL)).unwrap();
        assert_eq!((read.size.lines(), read.komi), (13, all().komi));
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (name, value, expected) in [
            (
                "GO_USENIX_SIZE",
                "26",
                "expected the size of a square board, 1x1 to 25x25",
            ),
            (
                "GO_USENIX_KOMI",
                "x",
                "expected a komi of whole or half points, such as 6.5",
            ),
            (
                "GO_USENIX_MAIN_TIME",
                "60",
                "expected a time such as 500ms, 2s or 30m",
            ),
            ("GO_USENIX_BYO_ROMI", "0s", "expected a time longer than 0"),
            (
                "GO_USENIX_PLAYOUTS",
                "0",
                "expected a number of playouts from 1 to 4294967295",
            ),
            ("GO_USENIX_MOVE_TIME", "0s", "expected a time longer than 0"),
            (
                "GO_USENIX_MEMORY",
                "65537",
                "expected a number of MiB from 1 to 65536",
            ),
            (
                "GO_USENIX_SEED",
                "-1",
                "expected a seed from 0 to 18446744073709551615",
            ),
        ] {
            let error = settings(&[(name, value)], None).unwrap_err();
            assert_eq!(error, format!("{name}: {expected}, not {value:?}"));
        }
        for (text, expected) in [
            (
                "size = 0",
                "go-usenix.toml: size: expected the size of a square board, 1x1 to 25x25, not \"0\"",
            ),
            (
                "log = true",
                "go-usenix.toml: log: expected text, not boolean",
            ),
            ("log = 7", "go-usenix.toml: log: expected text, not integer"),
            (
                "size = true",
                "go-usenix.toml: size: expected text or a number, not boolean",
            ),
            (
                "size = 9\nseed = 9223372036854775808",
                "go-usenix.toml: expected quotes around a number above 9223372036854775807, as in \
                 seed = \"9223372036854775808\"",
            ),
            (
                "sizes = 9",
                "go-usenix.toml: expected the keys size, komi, main-time, byo-romi, playouts, move-time, memory, seed, \
                 weights, log, not sizes",
            ),
        ] {
            assert_eq!(settings(&[], Some(text)).unwrap_err(), expected);
        }
        assert_eq!(
            settings(&[("GO_USENIX_BYO_YOMI", "10s")], None).unwrap_err(),
            "expected the variables GO_USENIX_SIZE, GO_USENIX_KOMI, GO_USENIX_MAIN_TIME, GO_USENIX_BYO_ROMI, \
             GO_USENIX_PLAYOUTS, GO_USENIX_MOVE_TIME, GO_USENIX_MEMORY, GO_USENIX_SEED, GO_USENIX_WEIGHTS, \
             GO_USENIX_LOG, not GO_USENIX_BYO_YOMI"
        );
        for text in ["komi = 5.5\nsize", "komi = 5.5\nseed = 1 2"] {
            let error = settings(&[], Some(text)).unwrap_err();
            let expected =
                "go-usenix.toml: expected lines such as size = 9: TOML parse error at line 2";
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = Settings::of([], Some(folder.path())).unwrap_err();
        assert!(matches!(error, SettingsError::Unreadable { .. }), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_variable_that_is_no_text_is_an_error() {
        use std::os::unix::ffi::OsStringExt as _;
        let variable = ("GO_USENIX_SIZE".into(), OsString::from_vec(vec![0xff]));
        let error = Settings::of([variable], None).unwrap_err().to_string();
        assert_eq!(
            error,
            "GO_USENIX_SIZE: expected text in UTF-8, not \u{fffd}"
        );
    }
}
