//! Files that are damaged, and places where no file can be.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use othello_analysis::{Store as _, Stored};
use othello_core::Position;
use othello_store::{DiskStore, Size, StoreError, StoreFault};
use tempfile::TempDir;

use common::{entry, positions};

fn entries() -> Vec<(Position, Stored)> {
    let positions = positions(30).into_iter();
    positions
        .map(|position| (position, entry(position, 9)))
        .collect()
}

fn open(path: &Path) -> Result<DiskStore, StoreError> {
    DiskStore::open(path, "test", Size::default())
}

/// A file with entries that no process has open.
fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("analyses.sqlite");
    let mut store = open(&path).unwrap();
    for (position, stored) in entries() {
        store.put(position, stored);
    }
    assert!(store.failure().is_none());
    (folder, path)
}

/// Returns the number of entries found, all of which are right, and whether the store reports damage.
fn look(path: &Path) -> (usize, bool) {
    let Ok(mut store) = open(path) else {
        return (0, true);
    };
    let mut found = 0;
    for (position, expected) in entries() {
        if let Some(stored) = store.get(position) {
            assert_eq!(stored, expected);
            found += 1;
        }
    }
    (
        found,
        store.failure().is_some() || store.damaged_entries() > 0,
    )
}

#[test]
fn no_changed_byte_makes_a_wrong_value() {
    let (_folder, path) = file();
    let whole = fs::read(&path).unwrap();
    assert_eq!(look(&path), (entries().len(), false));
    let mut told = 0;
    for at in (0..whole.len()).step_by(41) {
        for bits in [0xff, 0x01] {
            let mut bytes = whole.clone();
            bytes[at] ^= bits;
            fs::write(&path, bytes).unwrap();
            let (_, failed) = look(&path);
            told += usize::from(failed);
        }
    }
    assert!(told > 0, "no change was noticed");
}

#[test]
fn a_damaged_entry_is_deleted_and_replaced() {
    for damage in [
        "UPDATE entries SET value = x'00'",
        "UPDATE entries SET value = 'text'",
        "UPDATE entries SET used = 'text'",
    ] {
        let (_folder, path) = file();
        let connection = rusqlite::Connection::open(&path).unwrap();
        let sql = format!("{damage} WHERE rowid IN (SELECT rowid FROM entries LIMIT 2)");
        assert_eq!(connection.execute(&sql, []), Ok(2));
        drop(connection);
        let mut store = open(&path).unwrap();
        let found = |store: &mut DiskStore| {
            let entries = entries().into_iter();
            let found = entries.filter(|(position, _)| store.get(*position).is_some());
            found.count()
        };
        let count = entries().len();
        assert_eq!(found(&mut store), count - 2, "{damage}");
        assert_eq!(found(&mut store), count - 2, "{damage}");
        assert_eq!(store.damaged_entries(), 2, "{damage}");
        assert!(store.failure().is_none(), "{damage}");
        for (position, stored) in entries() {
            store.put(position, stored);
        }
        assert_eq!(look(&path), (count, false), "{damage}");
    }
}

#[test]
fn a_damaged_entry_is_replaced_without_being_read() {
    let (_folder, path) = file();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let damage = "UPDATE entries SET value = x'0011223344556677'";
    assert_eq!(connection.execute(damage, []), Ok(entries().len()));
    drop(connection);
    let mut store = open(&path).unwrap();
    for (position, stored) in entries() {
        store.put(position, stored);
    }
    assert_eq!(store.damaged_entries(), entries().len() as u64);
    assert_eq!(look(&path), (entries().len(), false));
}

#[test]
fn a_file_that_was_cut_is_told_to_be_damaged() {
    let (_folder, path) = file();
    let whole = fs::read(&path).unwrap();
    for length in [100, 4096, 5000, whole.len() - 4096] {
        fs::write(&path, &whole[..length]).unwrap();
        let (found, failed) = look(&path);
        assert!(failed, "{length} bytes, {found} found");
    }
}

#[test]
fn after_an_error_nothing_more_is_found_or_kept() {
    let (_folder, path) = file();
    let mut store = open(&path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // The first page, which has the tables, stays as it was.
    bytes[4096..].fill(0x5a);
    fs::write(&path, bytes).unwrap();
    let (position, stored) = entries().remove(0);
    assert_eq!(store.get(position), None);
    let failure = store.failure().unwrap().to_string();
    assert!(failure.contains("analyses.sqlite: damaged ("), "{failure}");
    store.put(position, stored);
    assert_eq!(store.get(position), None);
    assert_eq!(store.failure().unwrap().to_string(), failure);
}

#[test]
fn a_place_where_no_file_can_be_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let fault = |path: &Path| open(path).unwrap_err().cause;
    assert!(matches!(fault(folder.path()), StoreFault::Open));
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("analyses.sqlite");
    assert!(matches!(fault(&below), StoreFault::Folder(_)));
}
