//! What is kept of every id: games won, drawn and lost, on disk, whatever happens.

use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};

/// Games won, drawn and lost, and the evaluations among them, by id.
const TALLIES: TableDefinition<'_, &str, (u64, u64, u64, u64)> = TableDefinition::new("tallies");

/// What an id has played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The games of these that were evaluations.
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

/// What a game adds to the tally of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The id.
    pub id: &'a str,
    /// How the game ended for it.
    pub result: GameResult,
    /// Whether the game was an evaluation.
    pub evaluation: bool,
}

/// The store failed.
#[derive(Debug, thiserror::Error)]
#[error("the store of results: {0}")]
pub struct StoreError(Box<redb::Error>);

impl<E: Into<redb::Error>> From<E> for StoreError {
    fn from(error: E) -> Self {
        Self(Box::new(error.into()))
    }
}

/// The tallies of all ids, in one file.
///
/// What [`add`](Self::add) has returned from is on disk: a crash at any moment, of the program or
/// of the machine, loses at most what was being added.
///
/// # Examples
///
/// ```
/// use othello_arena::store::{Entry, GameResult, Store};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("results.redb");
/// let store = Store::open(&path)?;
/// store.add(&[Entry { id: "da7308ca", result: GameResult::Won, evaluation: true }])?;
/// assert_eq!(store.tally("da7308ca")?.wins, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Store {
    database: Database,
}

impl Store {
    /// Opens the store, or makes it.
    ///
    /// # Errors
    ///
    /// When the file can be neither opened nor made, is no store, or is in use.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::prepare(Database::create(path)?)
    }

    /// A store that is gone with this value.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    pub fn in_memory() -> Result<Self, StoreError> {
        let memory = redb::backends::InMemoryBackend::new();
        Self::prepare(Database::builder().create_with_backend(memory)?)
    }

    fn prepare(database: Database) -> Result<Self, StoreError> {
        let writing = database.begin_write()?;
        writing.open_table(TALLIES)?;
        writing.commit()?;
        Ok(Self { database })
    }

    /// What an id has played: nothing, if it is new.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn tally(&self, id: &str) -> Result<Tally, StoreError> {
        let reading = self.database.begin_read()?;
        let table = reading.open_table(TALLIES)?;
        let kept = table.get(id)?.map(|kept| Tally::from_row(kept.value()));
        Ok(kept.unwrap_or_default())
    }

    /// Adds a game: all its entries or, should the machine fail, none.
    ///
    /// # Errors
    ///
    /// When it cannot be written to disk.
    pub fn add(&self, game: &[Entry<'_>]) -> Result<(), StoreError> {
        let writing = self.database.begin_write()?;
        {
            let mut table = writing.open_table(TALLIES)?;
            for entry in game {
                let kept = table
                    .get(entry.id)?
                    .map(|kept| Tally::from_row(kept.value()));
                let tally = kept.unwrap_or_default().with(entry);
                table.insert(entry.id, tally.row())?;
            }
        }
        writing.commit()?;
        Ok(())
    }

    /// All ids and what they have played, in the order of the ids.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn all(&self) -> Result<Vec<(String, Tally)>, StoreError> {
        let reading = self.database.begin_read()?;
        let table = reading.open_table(TALLIES)?;
        table
            .iter()?
            .map(|row| {
                let (id, tally) = row?;
                Ok((id.value().to_owned(), Tally::from_row(tally.value())))
            })
            .collect()
    }
}

impl Tally {
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

    fn with(mut self, entry: &Entry<'_>) -> Self {
        let count = match entry.result {
            GameResult::Won => &mut self.wins,
            GameResult::Drawn => &mut self.draws,
            GameResult::Lost => &mut self.losses,
        };
        *count += 1;
        self.evaluations += u64::from(entry.evaluation);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_counts_for_both_and_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.redb");
        let entry = |id, result, evaluation| Entry {
            id,
            result,
            evaluation,
        };
        {
            let store = Store::open(&path).unwrap();
            let won = entry("a", GameResult::Won, false);
            store
                .add(&[won, entry("b", GameResult::Lost, false)])
                .unwrap();
            store.add(&[entry("a", GameResult::Drawn, true)]).unwrap();
            // The same id on both sides counts twice.
            store
                .add(&[won, entry("a", GameResult::Lost, false)])
                .unwrap();
            assert!(Store::open(&path).is_err(), "the file is in use");
        }
        let all = Store::open(&path).unwrap().all().unwrap();
        let tally = |wins, draws, losses, evaluations| Tally {
            wins,
            draws,
            losses,
            evaluations,
        };
        let expected = [("a", tally(2, 1, 1, 1)), ("b", tally(0, 0, 1, 0))];
        assert_eq!(all, expected.map(|(id, tally)| (id.to_owned(), tally)));
    }

    #[test]
    fn a_file_that_is_no_store_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.redb");
        std::fs::write(&path, "not a store, and long enough to be looked at").unwrap();
        assert!(Store::open(&path).is_err());
    }
}
