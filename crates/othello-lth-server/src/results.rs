//! The results of all games: in memory, in the log of games, and in the store.
//!
//! A result is counted in memory first, then written to the log and to the store; a write that fails is
//! tried again later. A game that is only in the log is counted when the store is opened the next time: each
//! line names its store and its number there, and the store holds the last number that it has counted.
//! Without a store each run of the server numbers its games under a name of its own.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::{Path, PathBuf},
};

use othello_host::record::{self, GameRecord, Journal, JournalError, Serial, Winner};
use othello_proto::lth::BUILT_IN_PLAYER_NAME;

use crate::store::{Contents, GameResult, Store, StoreError, Tally, random_name};

/// The event of games on the testing port.
pub(crate) const TESTING: &str = "testing";

/// The event of games on the evaluation port.
pub(crate) const EVALUATION: &str = "evaluation";

/// The event of games between two clients.
pub(crate) const COMPETITION: &str = "competition";

/// The error of a file of results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log of games failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The games that were recovered from the log when a server was set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The number of games of the log that the store had not counted, and now has.
    pub games: u64,
    /// The number of lines of the log that are no games.
    pub unreadable: u64,
    /// True if the store is new.
    pub is_new: bool,
}

/// The bounds on the memory and the disk that results take. Beyond them clients are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultBounds {
    /// The number of ids; beyond it only those that are known may play.
    pub ids: usize,
    /// The size of the log of games in bytes.
    pub log_size: u64,
    /// The number of games that a file lacks, as while the disk is full.
    pub unwritten: usize,
}

impl ResultBounds {
    /// The defaults: 100,000 ids, 4 GiB, and 10,000 games.
    pub const DEFAULT: Self = Self {
        ids: 100_000,
        log_size: 4 << 30,
        unwritten: 10_000,
    };
}

/// The reason that a client is refused, as it is told: there is no room for its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoRoom {
    /// There are [`ResultBounds::ids`].
    #[error("The server takes no more names. Bye!")]
    Ids,
    /// The log has [`ResultBounds::log_size`], or a file lacks [`ResultBounds::unwritten`].
    #[error("The server takes no more games. Bye!")]
    Games,
}

/// The results of all games.
#[derive(Debug)]
pub(crate) struct Results {
    bounds: ResultBounds,
    tallies: HashMap<String, Tally>,
    /// The name that games are numbered under: the store's, or one of this run.
    name: String,
    /// The number of the last game.
    number: u64,
    store: Option<Store>,
    log: Option<Log>,
    /// Games that the log lacks, oldest first.
    unlogged: VecDeque<GameRecord>,
    /// Games that the store lacks.
    unstored: Vec<GameRecord>,
}

/// The log of games, which is opened again after a failure.
#[derive(Debug)]
struct Log {
    path: PathBuf,
    /// `None` after a failure, until the file is opened again.
    journal: Option<Journal>,
}

/// The outcome of [`Results::flush`].
#[derive(Debug, Default)]
pub(crate) struct FlushOutcome {
    /// True if every result would survive a crash: it is in one file at least, where there are files.
    pub(crate) is_durable: bool,
    /// The failure, if there was one.
    pub(crate) error: Option<StorageError>,
}

impl Results {
    /// Returns results without files.
    fn in_memory() -> Self {
        Self {
            bounds: ResultBounds::DEFAULT,
            tallies: HashMap::new(),
            name: random_name(),
            number: 0,
            store: None,
            log: None,
            unlogged: VecDeque::new(),
            unstored: Vec::new(),
        }
    }

    /// Opens the files and counts what the store lacks of the log's games; a new store lacks all.
    pub(crate) fn open(
        store: Option<&Path>,
        log: Option<&Path>,
    ) -> Result<(Self, Recovered), StorageError> {
        let mut results = Self::in_memory();
        let mut recovered = Recovered::default();
        if let Some(path) = log {
            results.log = Some(Log {
                path: path.to_owned(),
                journal: Some(Journal::open(path)?),
            });
        }
        if let Some(path) = store {
            let (mut store, contents) = Store::open(path)?;
            recovered.is_new = contents.is_new;
            store.name().clone_into(&mut results.name);
            results.load(contents);
            if let Some(path) = log {
                results.recover(path, &mut recovered)?;
            }
            let all = results.tallies.iter();
            store.write(all.map(|(id, &tally)| (id.as_str(), tally)), results.number)?;
            results.store = Some(store);
        }
        Ok((results, recovered))
    }

    fn load(&mut self, contents: Contents) {
        self.tallies = contents.tallies;
        self.number = contents.counted;
    }

    /// Counts what the store lacks of the log's games.
    fn recover(&mut self, log: &Path, recovered: &mut Recovered) -> Result<(), JournalError> {
        let counted = self.number;
        // A line may be in the log twice after a failure of the disk.
        let mut seen = HashSet::new();
        for line in record::read(log)? {
            let Some(record) = line? else {
                recovered.unreadable += 1;
                continue;
            };
            let number = match &record.serial {
                Some(serial) if serial.store == self.name => serial.game,
                _ => 0,
            };
            let lacks = recovered.is_new || number > counted;
            if lacks
                && record
                    .serial
                    .clone()
                    .is_none_or(|serial| seen.insert(serial))
            {
                recovered.games += 1;
                self.count(&record);
            }
            self.number = self.number.max(number);
        }
        Ok(())
    }

    /// Sets the bounds, which are those by [default](ResultBounds::DEFAULT) before.
    pub(crate) const fn set_bounds(&mut self, bounds: ResultBounds) {
        self.bounds = bounds;
    }

    /// Returns the reason that an id may not play, if there is one.
    pub(crate) fn no_room(&self, id: &str) -> Option<NoRoom> {
        let bounds = self.bounds;
        let journal = self.log.as_ref().and_then(|log| log.journal.as_ref());
        // A log that cannot be looked at lacks games.
        let log_size = journal.and_then(|journal| journal.size().ok());
        let unwritten = self.unlogged.len().max(self.unstored.len());
        if log_size.is_some_and(|size| size >= bounds.log_size) || unwritten >= bounds.unwritten {
            return Some(NoRoom::Games);
        }
        let is_new = self.tallies.len() >= bounds.ids && !self.tallies.contains_key(id);
        is_new.then_some(NoRoom::Ids)
    }

    /// Returns the games of an id.
    pub(crate) fn tally(&self, id: &str) -> Tally {
        self.tallies.get(id).copied().unwrap_or_default()
    }

    /// Counts a game in memory, to be written by [`flush`](Self::flush).
    pub(crate) fn add(&mut self, mut record: GameRecord) {
        self.number += 1;
        self.count(&record);
        record.serial = Some(Serial {
            store: self.name.clone(),
            game: self.number,
        });
        if self.store.is_some() {
            self.unstored.push(record.clone());
        }
        if self.log.is_some() {
            self.unlogged.push_back(record);
        }
    }

    fn count(&mut self, record: &GameRecord) {
        for (id, result) in client_results(record) {
            let tally = self.tallies.entry(id.to_owned()).or_default();
            tally.add(result, record.event == EVALUATION);
        }
    }

    /// True if a file lacks a game.
    pub(crate) fn is_behind(&self) -> bool {
        !(self.unlogged.is_empty() && self.unstored.is_empty())
    }

    /// Writes the games that the files lack.
    pub(crate) fn flush(&mut self) -> FlushOutcome {
        let logged = self.flush_log();
        let stored = self.flush_store();
        let is_lost =
            (self.log.is_none() || logged.is_err()) && (self.store.is_none() || stored.is_err());
        let has_files = self.log.is_some() || self.store.is_some();
        let stored = stored.err().map(StorageError::from);
        FlushOutcome {
            is_durable: !(has_files && is_lost),
            error: stored.or(logged.err().map(StorageError::from)),
        }
    }

    fn flush_log(&mut self) -> Result<(), JournalError> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        if self.unlogged.is_empty() {
            return Ok(());
        }
        let mut journal = match log.journal.take() {
            Some(journal) => journal,
            None => Journal::open(&log.path)?,
        };
        journal.write(&mut self.unlogged)?;
        log.journal = Some(journal);
        Ok(())
    }

    fn flush_store(&mut self) -> Result<(), StoreError> {
        let Some(store) = &mut self.store else {
            return Ok(());
        };
        if self.unstored.is_empty() {
            return Ok(());
        }
        let is_written = store.is_open() && {
            let ids = self
                .unstored
                .iter()
                .flat_map(client_results)
                .map(|(id, _)| id);
            let changed = ids.filter_map(|id| Some((id, *self.tallies.get(id)?)));
            store.write(changed, self.number).is_ok()
        };
        if !is_written {
            // After a failure the file may be an older copy of itself, so that all is written.
            let all = self.tallies.iter().map(|(id, &tally)| (id.as_str(), tally));
            store.write(all, self.number)?;
        }
        self.unstored.clear();
        Ok(())
    }

    /// Returns the games that the log lacks or, without a log, the store.
    pub(crate) fn into_unsaved(self) -> Vec<GameRecord> {
        if self.log.is_some() {
            self.unlogged.into()
        } else {
            self.unstored
        }
    }
}

/// Returns the clients of a game with the result of each; none where the game counts for no client.
fn client_results(record: &GameRecord) -> impl Iterator<Item = (&str, GameResult)> {
    let counts = match record.event.as_str() {
        COMPETITION => [true, true],
        TESTING | EVALUATION => [
            record.black != BUILT_IN_PLAYER_NAME,
            record.white != BUILT_IN_PLAYER_NAME,
        ],
        _ => [false, false],
    };
    let winner = record.winner;
    let seats = [
        (counts[0], record.black.as_str(), Winner::Black),
        (counts[1], record.white.as_str(), Winner::White),
    ];
    seats
        .into_iter()
        .filter(move |(counts, ..)| *counts && winner != Winner::None)
        .map(move |(_, id, own)| {
            let result = match winner {
                Winner::Draw => GameResult::Drawn,
                winner if winner == own => GameResult::Won,
                _ => GameResult::Lost,
            };
            (id, result)
        })
}

#[cfg(test)]
mod tests;
