//! The file of tallies by id.

mod guard;

use std::{
    collections::HashMap,
    hash::{BuildHasher as _, RandomState},
    io,
    path::{Path, PathBuf},
};

use boardgame_files::sync_folder;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition, TableError};

/// The number of games won, drawn and lost, and of evaluations among them, by id.
const TALLIES: TableDefinition<'_, &str, (u64, u64, u64, u64)> = TableDefinition::new("tallies");

/// One row: the store's name, and the number of the last game counted.
const COUNTED: TableDefinition<'_, &str, u64> = TableDefinition::new("counted");

/// The number of games of an id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games won.
    pub wins: u64,
    /// The number of games drawn.
    pub draws: u64,
    /// The number of games lost.
    pub losses: u64,
    /// The number of these games that were evaluations.
    pub evaluations: u64,
}

/// A result from the point of view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum GameResult {
    Won,
    Drawn,
    Lost,
}

impl Tally {
    /// Counts a game.
    pub const fn add(&mut self, result: GameResult, evaluation: bool) {
        let count = match result {
            GameResult::Won => &mut self.wins,
            GameResult::Drawn => &mut self.draws,
            GameResult::Lost => &mut self.losses,
        };
        *count = count.saturating_add(1);
        self.evaluations = self.evaluations.saturating_add(evaluation as u64);
    }

    const fn from_row((wins, draws, losses, evaluations): (u64, u64, u64, u64)) -> Self {
        Self {
            wins,
            draws,
            losses,
            evaluations,
        }
    }

    const fn row(self) -> (u64, u64, u64, u64) {
        (self.wins, self.draws, self.losses, self.evaluations)
    }
}

/// The error of a store of results.
#[derive(Debug, thiserror::Error)]
#[error("the store of results {}: {cause}", path.display())]
pub struct StoreError {
    path: PathBuf,
    cause: StoreFault,
}

/// The cause of a [`StoreError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreFault {
    /// Another process has the file open.
    #[error("another program has it open")]
    InUse,
    /// The file cannot be opened, read or written.
    #[error("{0}")]
    Io(io::Error),
    /// The file is damaged, or no store at all.
    #[error(
        "expected a store, but the file is damaged or another kind of file ({0}); put a copy of it back, \
         or move it away: a new store counts the games of the log"
    )]
    Damaged(String),
    /// Another store has replaced the one that was opened.
    #[error("another store has replaced it")]
    Replaced,
    /// Any other failure of the database.
    #[error("{0}")]
    Database(redb::Error),
}

impl From<redb::Error> for StoreFault {
    fn from(error: redb::Error) -> Self {
        use redb::Error::{
            Corrupted, DatabaseAlreadyOpen, Io, RepairAborted, TableIsMultimap, TableTypeMismatch,
            TypeDefinitionChanged, UpgradeRequired,
        };
        match error {
            DatabaseAlreadyOpen => Self::InUse,
            // A truncated file is reported in both ways.
            Io(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData
                ) =>
            {
                Self::Damaged(error.to_string())
            }
            Io(error) => Self::Io(error),
            Corrupted(_)
            | RepairAborted
            | TableIsMultimap(_)
            | TableTypeMismatch { .. }
            | TypeDefinitionChanged { .. }
            | UpgradeRequired(_) => Self::Damaged(error.to_string()),
            error => Self::Database(error),
        }
    }
}

/// The contents of a store that was just opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The tallies by id.
    pub tallies: HashMap<String, Tally>,
    /// The number of the last game counted.
    pub counted: u64,
    /// True if the store is new: no game was ever counted in it.
    pub is_new: bool,
}

/// A function that opens the file, or creates it if the flag is set.
type OpenFile = fn(&Path, bool) -> Result<Database, redb::Error>;

/// The tallies of all ids, in one file.
///
/// When [`write`](Self::write) returns, its tallies are on disk: a crash of the program or of the machine loses
/// at most a write in progress. Games are numbered by the caller; the number of the last game counted is
/// written in one transaction with the tallies.
///
/// # Examples
///
/// ```
/// use othello_lth_server::store::{GameResult, Store, Tally};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("results.redb");
/// let (mut store, _) = Store::open(&path)?;
/// let mut tally = Tally::default();
/// tally.add(GameResult::Won, true);
/// store.write([("da7308ca", tally)], 1)?;
/// drop(store);
/// let (_, contents) = Store::open(&path)?;
/// assert_eq!((contents.tallies["da7308ca"], contents.counted), (tally, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    open: OpenFile,
    /// `None` after a failure, until the file is opened again.
    database: Option<Database>,
    name: String,
}

impl Store {
    /// Opens the store, or creates it.
    ///
    /// # Errors
    ///
    /// When the file can be neither opened nor created, is no store, is damaged, or is in use.
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, Contents), StoreError> {
        Self::open_by(path.as_ref(), open_file)
    }

    fn open_by(path: &Path, open: OpenFile) -> Result<(Self, Contents), StoreError> {
        let opened = guard::catch(|| {
            let mut database = open(path, true)?;
            // The folder's entry of a new file must be on disk before the file is relied on.
            sync_folder(path).map_err(redb::Error::from)?;
            // Opening alone does not check every page.
            if !database.check_integrity().map_err(redb::Error::from)? {
                tracing::warn!(path = %path.display(), "the store of results was repaired");
            }
            let (name, contents) = read(&database)?;
            Ok((database, name, contents))
        });
        let (database, name, contents) = opened.map_err(|cause| StoreError {
            path: path.to_owned(),
            cause,
        })?;
        let store = Self {
            path: path.to_owned(),
            open,
            database: Some(database),
            name: name.unwrap_or_else(random_name),
        };
        Ok((store, contents))
    }

    /// Returns the name of the store, which no other store has.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes the tallies of some ids, and the number of the last game counted in them, in one transaction.
    ///
    /// After a failure the file is opened again at the next call. It may be an older copy of itself then: pass
    /// all tallies when the store [is not open](Self::is_open).
    ///
    /// # Errors
    ///
    /// When the transaction cannot be written to disk.
    pub fn write<'a>(
        &mut self,
        tallies: impl IntoIterator<Item = (&'a str, Tally)>,
        counted: u64,
    ) -> Result<(), StoreError> {
        let (database, name) = (self.database.take(), &self.name);
        let written = guard::catch(|| {
            let database = match database {
                Some(database) => database,
                None => reopen(self.open, &self.path, name)?,
            };
            write_rows(&database, tallies, name, counted)?;
            Ok(database)
        });
        let database = written.map_err(|cause| StoreError {
            path: self.path.clone(),
            cause,
        })?;
        // After an error the database takes nothing more until it is opened again.
        self.database = Some(database);
        Ok(())
    }

    /// Returns true if the file is open; after a failure it is closed until the next successful write.
    pub const fn is_open(&self) -> bool {
        self.database.is_some()
    }

    /// Puts the store into the state after a failure, with another path for its file.
    #[cfg(test)]
    pub(crate) fn forget_file(&mut self, path: PathBuf) {
        self.database = None;
        self.path = path;
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let database = self.database.take();
        // What was written is on disk even if closing the file fails.
        let _ = guard::catch(|| {
            drop(database);
            Ok(())
        });
    }
}

fn open_file(path: &Path, create: bool) -> Result<Database, redb::Error> {
    if create {
        Ok(Database::create(path)?)
    } else {
        Ok(Database::open(path)?)
    }
}

/// Opens the file after a failure, unless another store has replaced it. A store in which nothing was ever
/// written has no name yet.
fn reopen(open: OpenFile, path: &Path, name: &str) -> Result<Database, StoreFault> {
    let database = open(path, false)?;
    match read(&database)? {
        (Some(found), _) if found == name => Ok(database),
        (None, contents) if contents.is_new => Ok(database),
        _ => Err(StoreFault::Replaced),
    }
}

/// Returns the name of the store, unless it has none yet, and its contents.
fn read(database: &Database) -> Result<(Option<String>, Contents), redb::Error> {
    let reading = database.begin_read()?;
    let mut contents = Contents {
        is_new: true,
        ..Contents::default()
    };
    if let Some(table) = open_existing(reading.open_table(TALLIES))? {
        contents.is_new = false;
        for row in table.iter()? {
            let (id, tally) = row?;
            let tally = Tally::from_row(tally.value());
            contents.tallies.insert(id.value().to_owned(), tally);
        }
    }
    let mut name = None;
    if let Some(table) = open_existing(reading.open_table(COUNTED))?
        && let Some((row, counted)) = table.first()?
    {
        contents.is_new = false;
        contents.counted = counted.value();
        name = Some(row.value().to_owned());
    }
    Ok((name, contents))
}

/// Returns a table, or `None` if there is none with its name.
fn open_existing<T>(opened: Result<T, TableError>) -> Result<Option<T>, TableError> {
    match opened {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn write_rows<'a>(
    database: &Database,
    tallies: impl IntoIterator<Item = (&'a str, Tally)>,
    name: &str,
    counted: u64,
) -> Result<(), redb::Error> {
    let writing = database.begin_write()?;
    {
        let mut table = writing.open_table(TALLIES)?;
        for (id, tally) in tallies {
            table.insert(id, tally.row())?;
        }
        writing.open_table(COUNTED)?.insert(name, counted)?;
    }
    writing.commit()?;
    Ok(())
}

/// Returns a name that no other store has.
pub(crate) fn random_name() -> String {
    format!("{:016x}", RandomState::new().hash_one(()))
}

#[cfg(test)]
mod tests;
