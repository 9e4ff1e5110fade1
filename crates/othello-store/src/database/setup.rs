//! Creation and settings of the file.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use super::{LOG_PAGES, PAGE};
use crate::StoreFault;

/// The number that marks a file of `SQLite` as a store of analyses: `OthA` in ASCII.
const APPLICATION: i64 = 0x4f74_6841;

/// The version of the format of the file.
const VERSION: i64 = 1;

/// The mode of `auto_vacuum` in which free pages are cut off the file when that is asked for.
const INCREMENTAL: i64 = 2;

const SCHEMA: &str = "
CREATE TABLE evaluators (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE entries (
    position BLOB NOT NULL,
    evaluator INTEGER NOT NULL,
    used INTEGER NOT NULL,
    value BLOB NOT NULL,
    UNIQUE (position, evaluator)
);
CREATE INDEX entries_by_use ON entries (used);
";

/// Gives a file without content its tables, and checks that of any other file.
pub(super) fn create_if_empty(connection: &mut Connection) -> Result<(), StoreFault> {
    if is_empty(connection)? {
        // Has an effect only before there are tables.
        connection.pragma_update(None, "auto_vacuum", INCREMENTAL)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have been faster.
        if is_empty(&transaction)? {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.commit()?;
            return Ok(());
        }
    }
    if pragma(connection, "application_id")? != APPLICATION {
        return Err(StoreFault::OtherFile);
    }
    let found = pragma(connection, "user_version")?;
    if found != VERSION {
        let expected = VERSION;
        return Err(StoreFault::Version { expected, found });
    }
    Ok(())
}

/// Returns `true` if the database has no tables, nobody has marked it as theirs, and its free pages can be cut off.
fn is_empty(connection: &Connection) -> Result<bool, StoreFault> {
    let sql = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(tables == 0
        && pragma(connection, "application_id")? == 0
        && pragma(connection, "user_version")? == 0
        && (pragma(connection, "page_count")? == 0
            || pragma(connection, "auto_vacuum")? == INCREMENTAL))
}

pub(super) fn configure(connection: &Connection) -> Result<(), StoreFault> {
    // The mode is kept in the file. Where another process prevents the change now, a later one makes it.
    let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
    match mode.map_err(StoreFault::from) {
        Ok(()) | Err(StoreFault::Locked) => {}
        Err(fault) => return Err(fault),
    }
    // A crash of the machine may lose the last entries, but never damages the file.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    connection.pragma_update(None, "journal_size_limit", LOG_PAGES * PAGE)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(())
}

/// Returns the number of an evaluator in the file.
pub(super) fn evaluator_id(connection: &mut Connection, name: &str) -> Result<i64, StoreFault> {
    let select = "SELECT id FROM evaluators WHERE name = ?1";
    let find = |connection: &Connection| {
        connection
            .query_row(select, [name], |row| row.get(0))
            .optional()
    };
    if let Some(id) = find(connection)? {
        return Ok(id);
    }
    connection.execute(
        "INSERT OR IGNORE INTO evaluators (name) VALUES (?1)",
        [name],
    )?;
    let id = find(connection)?;
    id.ok_or_else(|| StoreFault::Damaged("an evaluator that was added is not there".into()))
}

/// Returns a number that the database has of itself.
pub(super) fn pragma(connection: &Connection, name: &str) -> Result<i64, StoreFault> {
    let mut pragma = connection.prepare_cached(&format!("PRAGMA {name}"))?;
    Ok(pragma.query_row([], |row| row.get(0))?)
}
