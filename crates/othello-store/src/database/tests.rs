//! Tests of the file.

use std::path::PathBuf;

use othello_core::{Bitboard, Square};
use tempfile::TempDir;

use super::*;

/// A folder with the path of a file that is not there yet.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("caches").join("analyses.sqlite");
    (folder, path)
}

fn open(path: &Path, evaluator: &str) -> Database {
    Database::open(path, evaluator, Size::MIN).unwrap()
}

/// A different position for each number.
fn numbered(number: u64) -> Position {
    Position::new(Bitboard(number), Bitboard(!number & (1 << 40))).unwrap()
}

fn put(database: &mut Database, position: Position, now: i64, value: &[u8]) {
    database
        .update(position, now, |_| Ok(Some(value.to_vec())))
        .unwrap();
}

/// The bytes of all files of the database.
fn files_size(path: &Path) -> u64 {
    let files = fs::read_dir(path.parent().unwrap()).unwrap();
    files
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum()
}

#[test]
fn entries_belong_to_a_position_and_an_evaluator() {
    let (_folder, path) = place();
    let after = Position::START.play_unchecked(Square::F5);
    put(&mut open(&path, "a"), Position::START, 0, b"start");
    put(&mut open(&path, "b"), Position::START, 0, b"other");
    put(&mut open(&path, "a"), after, 0, b"");
    let mut database = open(&path, "a");
    assert_eq!(database.get(Position::START, 0).unwrap().unwrap(), b"start");
    assert_eq!(database.get(after, 0).unwrap().unwrap(), b"");
    assert_eq!(open(&path, "b").get(after, 0).unwrap(), None);
}

#[test]
fn a_change_sees_what_was_there_and_may_leave_it() {
    let (_folder, path) = place();
    let mut database = open(&path, "a");
    put(&mut database, Position::START, 0, b"one");
    let mut seen = Vec::new();
    database
        .update(Position::START, 0, |known| {
            seen.extend_from_slice(known.unwrap());
            Ok(None)
        })
        .unwrap();
    assert_eq!(seen, b"one");
    assert_eq!(database.get(Position::START, 0).unwrap().unwrap(), b"one");
}

#[test]
fn the_files_keep_to_their_size_and_lose_what_was_not_used_for_longest() {
    let (_folder, path) = place();
    let mut database = open(&path, "a");
    let value = [7; 600];
    for number in 0..8000 {
        put(&mut database, numbered(number), number as i64, &value);
        if number % 100 == 0 {
            database
                .get(numbered(0), number as i64 + USE_RESOLUTION)
                .unwrap();
        }
        let size = files_size(&path);
        assert!(size <= Size::MIN.bytes(), "{size} bytes at {number}");
    }
    let mut kept = |number| database.get(numbered(number), 8000).unwrap().is_some();
    assert!(kept(0), "the entry that was used was deleted");
    let first = (1..8000).find(|&number| kept(number)).unwrap();
    assert!((2000..7000).contains(&first), "the first kept is {first}");
    assert!((first..8000).all(kept), "a later one was deleted");
}

#[test]
fn a_file_shrinks_to_a_smaller_size() {
    let (_folder, path) = place();
    let large = Size::from_mib(16).unwrap();
    let mut database = Database::open(&path, "a", large).unwrap();
    for number in 0..10_000 {
        put(&mut database, numbered(number), number as i64, &[7; 1000]);
    }
    drop(database);
    assert!(files_size(&path) > 2 * Size::MIN.bytes());
    let mut database = open(&path, "a");
    assert!(database.get(numbered(9999), 0).unwrap().is_some());
    assert!(database.get(numbered(0), 0).unwrap().is_none());
    drop(database);
    let size = files_size(&path);
    assert!(size <= Size::MIN.bytes(), "{size} bytes");
}

#[test]
fn several_pages_are_freed_at_once() {
    let (_folder, path) = place();
    let mut database = open(&path, "a");
    for number in 0..100 {
        put(&mut database, numbered(number), 0, &[7; 1000]);
    }
    let free = |database: &Database| pragma(&database.connection, "freelist_count").unwrap();
    database
        .connection
        .execute("DELETE FROM entries", [])
        .unwrap();
    let before = free(&database);
    database.free_pages(10).unwrap();
    assert_eq!(free(&database), before - 10);
}

#[test]
fn a_file_whose_pages_cannot_be_freed_stays_as_large() {
    let (_folder, path) = place();
    let large = Size::from_mib(16).unwrap();
    let mut database = Database::open(&path, "a", large).unwrap();
    for number in 0..5000 {
        put(&mut database, numbered(number), 0, &[7; 1000]);
    }
    let change = "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM";
    database.connection.execute_batch(change).unwrap();
    assert_eq!(pragma(&database.connection, "auto_vacuum").unwrap(), 0);
    drop(database);
    let database = open(&path, "a");
    assert!(pages_used(&database.connection).unwrap() <= database.max_pages);
}

#[test]
fn a_database_whose_pages_cannot_be_freed_does_not_become_a_store() {
    let (_folder, path) = place();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("CREATE TABLE t (a); DROP TABLE t")
        .unwrap();
    drop(other);
    let fault = Database::open(&path, "a", Size::MIN).unwrap_err();
    assert!(matches!(fault, StoreFault::OtherFile), "{fault}");
}

#[test]
fn a_value_is_read_although_its_use_cannot_be_written() {
    let (_folder, path) = place();
    let mut database = open(&path, "a");
    put(&mut database, Position::START, 0, b"start");
    database.connection.busy_timeout(Duration::ZERO).unwrap();
    let read = |database: &mut Database| database.get(Position::START, USE_RESOLUTION).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(read(&mut database).unwrap(), b"start");
    other.execute_batch("COMMIT").unwrap();
    let connection = &database.connection;
    connection.pragma_update(None, "query_only", true).unwrap();
    assert_eq!(read(&mut database).unwrap(), b"start");
}

#[test]
fn a_time_of_use_that_was_changed_is_no_failure() {
    let (_folder, path) = place();
    let mut database = open(&path, "a");
    put(&mut database, Position::START, 0, b"start");
    for used in [i64::MAX, i64::MIN] {
        let changed = database
            .connection
            .execute("UPDATE entries SET used = ?1", [used]);
        assert_eq!(changed, Ok(1));
        let value = database.get(Position::START, 0).unwrap();
        assert_eq!(value.unwrap(), b"start");
    }
}

#[test]
fn files_of_another_kind_or_version_are_refused_and_left_alone() {
    let (_folder, path) = place();
    drop(open(&path, "a"));
    let set = |name, number: i32| {
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, name, number).unwrap();
    };
    let fault = |path: &Path| {
        let before = fs::read(path).unwrap();
        let fault = Database::open(path, "a", Size::MIN).unwrap_err();
        assert_eq!(fs::read(path).unwrap(), before);
        fault
    };
    set("user_version", 2);
    assert!(matches!(
        fault(&path),
        StoreFault::Version {
            expected: 1,
            found: 2
        }
    ));
    set("application_id", 0);
    assert!(matches!(fault(&path), StoreFault::OtherFile));
    let text = path.with_extension("txt");
    fs::write(&text, "a".repeat(5000)).unwrap();
    assert!(matches!(fault(&text), StoreFault::OtherFile));
}

#[test]
fn an_empty_file_becomes_a_store() {
    let (_folder, path) = place();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "").unwrap();
    let mut database = open(&path, "a");
    put(&mut database, Position::START, 0, b"start");
    assert!(database.get(Position::START, 0).unwrap().is_some());
}
