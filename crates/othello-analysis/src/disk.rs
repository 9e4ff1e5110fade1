//! A store in a file.

mod encoding;
mod log;
mod size;

use std::{
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use othello_core::Position;

use self::log::{Key, Log};
pub use self::{
    log::StoreFault,
    size::{Size, SizeError},
};
use crate::{Store, Stored};

/// Returns the default file of the store, in the user's cache folder: `$XDG_CACHE_HOME/othello` or `~/.cache/othello`
/// on Linux, `~/Library/Caches/othello` on macOS, `%LOCALAPPDATA%\othello` on Windows. `None` if the user has no home.
pub fn default_store_path() -> Option<PathBuf> {
    let caches = choose_native_strategy().ok()?.cache_dir();
    Some(caches.join("othello").join("analyses"))
}

/// Returns the default file of a person's progress in lessons, in the user's data folder: `$XDG_DATA_HOME/othello` or
/// `~/.local/share/othello` on Linux, `~/Library/Application Support/othello` on macOS, `%APPDATA%\othello` on Windows.
/// `None` if the user has no home.
pub fn default_lessons_path() -> Option<PathBuf> {
    let data = choose_native_strategy().ok()?.data_dir();
    Some(data.join("othello").join("lessons"))
}

/// An error of a store of analyses.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
#[allow(missing_docs)]
pub struct StoreError {
    pub path: PathBuf,
    pub cause: StoreFault,
}

/// A store of analyses in a file, which several processes may use at once.
///
/// After a [failure](Self::failure) it finds and stores nothing more, and the analysis continues without it. A damaged
/// entry is not a failure: it is skipped.
///
/// # Examples
///
/// ```
/// use othello_analysis::{Bound, Discs, DiskStore, Effort, MoveValue, Size, Source, Store as _, Stored};
/// use othello_core::{Position, Square};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("analyses");
/// let (canonical, _) = Position::START.canonical();
/// let stored = Stored {
///     effort: Effort::Depth(20),
///     moves: vec![MoveValue {
///         mv: Square::D3.into(),
///         score: Discs::from_hundredths(25),
///         bound: Bound::Exact,
///         source: Source::Depth { depth: 20, confidence: 79 },
///         line: vec![Square::D3.into(), Square::C5.into()],
///     }],
/// };
/// DiskStore::open(&path, "weights 1", Size::default())?.put(canonical, stored.clone());
///
/// let mut store = DiskStore::open(&path, "weights 1", Size::default())?;
/// assert_eq!(store.get(canonical), Some(stored));
/// assert!(store.failure().is_none());
/// let mut other = DiskStore::open(&path, "weights 2", Size::default())?;
/// assert_eq!(other.get(canonical), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DiskStore {
    path: PathBuf,
    /// The CRC-32 of the evaluator's name.
    evaluator: u32,
    log: Log,
    failure: Option<StoreError>,
}

impl DiskStore {
    /// Opens the file, or creates it with its folder.
    ///
    /// `evaluator` identifies everything that values depend on in addition to position and effort, such as the
    /// evaluation's weights and the version of the search. Entries of other evaluators are left alone. A file larger
    /// than `size` loses its least recently used entries.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened or created, or is not a store of this version. A file of another kind or
    /// version is not changed.
    pub fn open(path: &Path, evaluator: &str, size: Size) -> Result<Self, StoreError> {
        let log = Log::open(path, size).map_err(|cause| StoreError {
            path: path.into(),
            cause,
        })?;
        Ok(Self {
            path: path.into(),
            evaluator: crc32fast::hash(evaluator.as_bytes()),
            log,
            failure: None,
        })
    }

    /// Returns the first error since the file was opened; the file is not used after it.
    pub const fn failure(&self) -> Option<&StoreError> {
        self.failure.as_ref()
    }

    /// The number of damaged entries that were found since the file was opened.
    pub const fn damaged_entries(&self) -> u64 {
        self.log.damaged()
    }

    /// Returns a text that was [kept](Self::keep_text) for a position.
    pub fn text(&mut self, position: Position) -> Option<String> {
        let key = self.key(position.canonical().0);
        let found = self.with(|log| log.get(&key, this_hour()))?;
        String::from_utf8(found?).ok()
    }

    /// Keeps a text for a position in any orientation, in place of an earlier one.
    ///
    /// The `evaluator` with which the file was opened must be of texts alone: they take the place of values.
    pub fn keep_text(&mut self, position: Position, text: &str) {
        let key = self.key(position.canonical().0);
        self.with(|log| log.update(&key, this_hour(), |_| Some(text.into())));
    }

    /// Runs `act` on the file, unless it has failed before.
    fn with<T>(&mut self, act: impl FnOnce(&mut Log) -> Result<T, StoreFault>) -> Option<T> {
        if self.failure.is_some() {
            return None;
        }
        let path = self.path.clone();
        let done = act(&mut self.log).map_err(|cause| StoreError { path, cause });
        done.map_err(|error| self.failure = Some(error)).ok()
    }

    fn key(&self, position: Position) -> Key {
        let mut key = [0; 20];
        let discs = u128::from(position.own().0) << 64 | u128::from(position.opponent().0);
        key[..4].copy_from_slice(&self.evaluator.to_be_bytes());
        key[4..].copy_from_slice(&discs.to_be_bytes());
        key
    }
}

impl Store for DiskStore {
    fn get(&mut self, position: Position) -> Option<Stored> {
        let key = self.key(position);
        let found = self.with(|log| log.get(&key, this_hour()))?;
        encoding::decode(&found?, position)
    }

    fn put(&mut self, position: Position, stored: Stored) {
        let key = self.key(position);
        self.with(|log| {
            log.update(&key, this_hour(), |known| {
                let known = known.and_then(|bytes| encoding::decode(&bytes, position));
                let replaces = known.is_none_or(|known| stored.replaces(&known));
                replaces.then(|| encoding::encode(&stored))
            })
        });
    }
}

/// Returns the hours since 1970, which order entries by their use.
fn this_hour() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| (time.as_secs() / 3600) as u32)
}
