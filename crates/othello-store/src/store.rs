//! The store as an analysis uses it.

use std::{
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use othello_analysis::{Store, Stored};
use othello_core::Position;

use crate::{Size, StoreError, StoreFault, database::Database, encoding};

/// A store of analyses in a file, which several processes may use at once.
///
/// After a [failure](Self::failure) it finds and keeps nothing more, so that the analysis goes on without it. An entry
/// that is damaged is no failure: it is deleted.
#[derive(Debug)]
pub struct DiskStore {
    path: PathBuf,
    /// The file, or why it is not used any more.
    database: Result<Database, StoreError>,
    damaged_entries: u64,
}

impl DiskStore {
    /// Opens the file, or creates it with its folder.
    ///
    /// `evaluator` names everything that values depend on besides the position and the effort, such as the evaluation's
    /// weights and the version of the search. Entries of other evaluators are left alone. A file that is larger than
    /// `size` loses the entries that were not used for longest.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened or created, or is no store of this version. A file of another kind or version
    /// is not changed.
    pub fn open(path: &Path, evaluator: &str, size: Size) -> Result<Self, StoreError> {
        let database = Database::open(path, evaluator, size).map_err(|fault| fault.of(path))?;
        Ok(Self {
            path: path.into(),
            database: Ok(database),
            damaged_entries: 0,
        })
    }

    /// The first error since the file was opened, after which it was not used any more.
    pub fn failure(&self) -> Option<&StoreError> {
        self.database.as_ref().err()
    }

    /// The number of damaged entries that were found, and deleted, since the file was opened.
    pub const fn damaged_entries(&self) -> u64 {
        self.damaged_entries
    }

    /// Does something with the entry of a position, unless the file failed before. An entry that is damaged is deleted
    /// first.
    fn with<T>(
        &mut self,
        position: Position,
        mut act: impl FnMut(&mut Database) -> Result<T, StoreFault>,
    ) -> Option<T> {
        let database = self.database.as_mut().ok()?;
        let mut done = act(database);
        if let Err(StoreFault::DamagedEntry(_)) = done {
            self.damaged_entries += 1;
            done = database.delete(position).and_then(|()| act(database));
        }
        match done {
            Ok(done) => Some(done),
            Err(fault) => {
                self.database = Err(fault.of(&self.path));
                None
            }
        }
    }
}

impl Store for DiskStore {
    fn get(&mut self, position: Position) -> Option<Stored> {
        let found = self.with(position, |database| {
            let bytes = database.get(position, now())?;
            bytes.map(|bytes| decode(&bytes, position)).transpose()
        });
        found.flatten()
    }

    fn put(&mut self, position: Position, stored: Stored) {
        self.with(position, |database| {
            database.update(position, now(), |known| {
                let known = known.map(|bytes| decode(bytes, position)).transpose()?;
                let replaces = known.is_none_or(|known| stored.replaces(&known));
                Ok(replaces.then(|| encoding::encode(&stored)))
            })
        });
    }
}

fn decode(bytes: &[u8], position: Position) -> Result<Stored, StoreFault> {
    encoding::decode(bytes, position)
        .ok_or_else(|| StoreFault::DamagedEntry("it is not one of its position".into()))
}

/// The time in seconds since 1970, by which entries are in the order of their use.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs() as i64)
}
