//! The file: a database of `SQLite` with an entry for each position and evaluator.

mod setup;
#[cfg(test)]
mod tests;

use std::{fs, path::Path, time::Duration};

use othello_core::Position;
use rusqlite::{
    Connection, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior, params,
};

use self::setup::{configure, create_if_empty, evaluator_id, pragma};
use crate::{Size, StoreFault};

/// The longest wait for other processes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The time of use of an entry is written again only after as many seconds, so that reading seldom writes.
const USE_RESOLUTION: i64 = 3600;

/// The entries that are deleted by one transaction when the file is too large.
const DELETED_AT_ONCE: u32 = 16;

/// The size of a page of the file in bytes.
const PAGE: i64 = 4096;

/// The pages that the write-ahead log may have before it is copied into the file.
const LOG_PAGES: i64 = 256;

/// The pages kept free of the size: for the log, its index, and what one transaction adds.
const RESERVED_PAGES: i64 = 2 * LOG_PAGES;

/// An open file.
#[derive(Debug)]
pub(crate) struct Database {
    connection: Connection,
    evaluator: Evaluator,
    max_pages: i64,
}

/// What the values of a position depend on besides it.
#[derive(Clone, Debug)]
struct Evaluator {
    id: i64,
    name: String,
}

impl Database {
    /// Opens the file, or creates it with its folder.
    pub(crate) fn open(path: &Path, evaluator: &str, size: Size) -> Result<Self, StoreFault> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(StoreFault::Folder)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        create_if_empty(&mut connection)?;
        configure(&connection)?;
        let evaluator = Evaluator {
            id: evaluator_id(&mut connection, evaluator)?,
            name: evaluator.to_owned(),
        };
        let mut database = Self {
            connection,
            evaluator,
            max_pages: size.bytes() as i64 / PAGE - RESERVED_PAGES,
        };
        database.shrink()?;
        Ok(database)
    }

    /// Returns the value of a position, which then counts as used at `now`, in seconds.
    pub(crate) fn get(
        &mut self,
        position: Position,
        now: i64,
    ) -> Result<Option<Vec<u8>>, StoreFault> {
        let Some(entry) = self.evaluator.entry(&self.connection, position)? else {
            return Ok(None);
        };
        if now.saturating_sub(entry.used) >= USE_RESOLUTION {
            match self.mark_used(entry.row, now) {
                // The value is read all the same.
                Err(StoreFault::Locked | StoreFault::DiskFull | StoreFault::ReadOnly) => {}
                marked => marked?,
            }
        }
        Ok(Some(entry.value))
    }

    /// Writes the time of use of an entry.
    fn mark_used(&self, row: i64, now: i64) -> Result<(), StoreFault> {
        let sql = "UPDATE entries SET used = ?1 WHERE rowid = ?2";
        let mut update = self.connection.prepare_cached(sql)?;
        update.execute(params![now, row])?;
        Ok(())
    }

    /// Replaces the value of a position by what `change` makes of it, if anything, and deletes the entries that were
    /// not used for longest, if the file is too large. No other process writes in between.
    pub(crate) fn update(
        &mut self,
        position: Position,
        now: i64,
        change: impl FnOnce(Option<&[u8]>) -> Result<Option<Vec<u8>>, StoreFault>,
    ) -> Result<(), StoreFault> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let before = self.evaluator.entry(&transaction, position)?;
        let before = before.as_ref().map(|entry| entry.value.as_slice());
        let Some(value) = change(before)? else {
            return Ok(());
        };
        if pages_used(&transaction)? > self.max_pages {
            delete_oldest(&transaction)?;
        }
        self.evaluator.insert(&transaction, position, now, &value)?;
        transaction.commit()?;
        Ok(())
    }

    /// Deletes the entry of a position.
    pub(crate) fn delete(&self, position: Position) -> Result<(), StoreFault> {
        let sql = "DELETE FROM entries WHERE position = ?1 AND evaluator = ?2";
        let mut delete = self.connection.prepare_cached(sql)?;
        delete.execute(params![key(position), self.evaluator.id])?;
        Ok(())
    }

    /// Deletes entries until the file has the size that it may have: it may have been made with a larger one.
    fn shrink(&mut self) -> Result<(), StoreFault> {
        while pages_used(&self.connection)? > self.max_pages {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let deleted = delete_oldest(&transaction)?;
            transaction.commit()?;
            if deleted == 0 {
                break;
            }
        }
        loop {
            let pages = pragma(&self.connection, "page_count")?;
            let free = pragma(&self.connection, "freelist_count")?;
            let freed = (pages - self.max_pages).min(free).min(LOG_PAGES);
            if freed <= 0 {
                return Ok(());
            }
            self.free_pages(freed)?;
            if pragma(&self.connection, "freelist_count")? >= free {
                return Ok(());
            }
        }
    }

    /// Cuts free pages off the file in one transaction.
    fn free_pages(&self, count: i64) -> Result<(), StoreFault> {
        let sql = format!("PRAGMA incremental_vacuum({count})");
        let mut vacuum = self.connection.prepare(&sql)?;
        let mut steps = vacuum.query([])?;
        // Each step frees a page.
        while steps.next()?.is_some() {}
        Ok(())
    }
}

/// An entry of the file.
struct Entry {
    row: i64,
    used: i64,
    value: Vec<u8>,
}

impl Evaluator {
    /// Returns the entry of a position.
    fn entry(
        &self,
        connection: &Connection,
        position: Position,
    ) -> Result<Option<Entry>, StoreFault> {
        let sql = "SELECT rowid, used, value FROM entries WHERE position = ?1 AND evaluator = ?2";
        let mut select = connection.prepare_cached(sql)?;
        let entry = select
            .query_row(params![key(position), self.id], |row| {
                Ok(Entry {
                    row: row.get(0)?,
                    used: row.get(1)?,
                    value: row.get(2)?,
                })
            })
            .optional();
        let entry = entry.map_err(|error| match error.sqlite_error_code() {
            // A column has another type.
            None => StoreFault::DamagedEntry(error.to_string()),
            Some(_) => error.into(),
        })?;
        let Some(mut entry) = entry else {
            return Ok(None);
        };
        let checksum = entry.value.split_off(entry.value.len().saturating_sub(4));
        if checksum != self.checksum(position, &entry.value) {
            let damage = "it does not match its checksum";
            return Err(StoreFault::DamagedEntry(damage.into()));
        }
        Ok(Some(entry))
    }

    fn insert(
        &self,
        transaction: &Transaction<'_>,
        position: Position,
        now: i64,
        value: &[u8],
    ) -> Result<(), StoreFault> {
        let mut bytes = value.to_vec();
        bytes.extend(self.checksum(position, value));
        let sql = "INSERT OR REPLACE INTO entries (position, evaluator, used, value)
                   VALUES (?1, ?2, ?3, ?4)";
        let mut insert = transaction.prepare_cached(sql)?;
        insert.execute(params![key(position), self.id, now, bytes])?;
        Ok(())
    }

    /// The CRC-32 of a value and of what it belongs to.
    fn checksum(&self, position: Position, value: &[u8]) -> [u8; 4] {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&key(position));
        hasher.update(self.name.as_bytes());
        hasher.update(value);
        hasher.finalize().to_le_bytes()
    }
}

/// The bytes of a position: the discs of the side to move, then those of the other side.
fn key(position: Position) -> [u8; 16] {
    let discs = u128::from(position.own().0) << 64 | u128::from(position.opponent().0);
    discs.to_be_bytes()
}

/// Returns the number of pages that have data.
fn pages_used(connection: &Connection) -> Result<i64, StoreFault> {
    Ok(pragma(connection, "page_count")? - pragma(connection, "freelist_count")?)
}

/// Deletes the entries that were not used for longest, of all evaluators, and returns their number.
fn delete_oldest(transaction: &Transaction<'_>) -> Result<usize, StoreFault> {
    let sql = "DELETE FROM entries
               WHERE rowid IN (SELECT rowid FROM entries ORDER BY used LIMIT ?1)";
    let mut delete = transaction.prepare_cached(sql)?;
    Ok(delete.execute([DELETED_AT_ONCE])?)
}
