use std::{
    fs::OpenOptions,
    sync::atomic::{AtomicBool, Ordering},
};

use redb::{StorageBackend, backends::FileBackend};

use super::*;

fn tally(wins: u64, draws: u64, losses: u64, evaluations: u64) -> Tally {
    Tally {
        wins,
        draws,
        losses,
        evaluations,
    }
}

/// A file on a disk that is full while [`FULL`] is set.
#[derive(Debug)]
struct FillingDisk(FileBackend);

static FULL: AtomicBool = AtomicBool::new(false);

fn room() -> Result<(), io::Error> {
    if FULL.load(Ordering::Relaxed) {
        return Err(io::ErrorKind::StorageFull.into());
    }
    Ok(())
}

impl StorageBackend for FillingDisk {
    fn len(&self) -> Result<u64, io::Error> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> Result<(), io::Error> {
        room()?;
        self.0.set_len(len)
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        room()?;
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        room()?;
        self.0.write(offset, data)
    }

    fn close(&self) -> Result<(), io::Error> {
        self.0.close()
    }
}

fn on_filling_disk(path: &Path, make: bool) -> Result<Database, redb::Error> {
    let mut options = OpenOptions::new();
    let file = options
        .read(true)
        .write(true)
        .create(make)
        .truncate(false)
        .open(path)?;
    let backend = FillingDisk(FileBackend::new(file)?);
    Ok(Database::builder().create_with_backend(backend)?)
}

#[test]
fn what_was_written_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.redb");
    let (mut store, contents) = Store::open(&path).unwrap();
    assert!(contents.is_new && contents.tallies.is_empty());
    let (a, b) = (tally(2, 1, 1, 1), tally(0, 0, 1, 0));
    store
        .write([("a", tally(1, 1, 1, 1)), ("b", b)], 3)
        .unwrap();
    store.write([("a", a)], 4).unwrap();
    let name = store.name().to_owned();
    let told = Store::open(&path).unwrap_err().to_string();
    assert!(told.contains("another program has it open"), "{told}");
    assert!(told.contains("results.redb"), "{told}");
    drop(store);
    let (store, contents) = Store::open(&path).unwrap();
    let tallies = HashMap::from([("a".to_owned(), a), ("b".to_owned(), b)]);
    let expected = Contents {
        tallies,
        counted: 4,
        is_new: false,
    };
    assert_eq!((store.name(), contents), (name.as_str(), expected));
}

#[test]
fn a_store_of_an_older_version_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.redb");
    {
        let database = Database::create(&path).unwrap();
        let writing = database.begin_write().unwrap();
        let mut table = writing.open_table(TALLIES).unwrap();
        table.insert("a", (1, 2, 3, 4)).unwrap();
        drop(table);
        writing.commit().unwrap();
    }
    let (mut store, contents) = Store::open(&path).unwrap();
    let name = store.name().to_owned();
    let of_a = tally(1, 2, 3, 4);
    assert_eq!(contents.tallies, HashMap::from([("a".to_owned(), of_a)]));
    assert_eq!((contents.counted, contents.is_new), (0, false));
    store.write([], 1).unwrap();
    drop(store);
    assert_eq!(Store::open(&path).unwrap().0.name(), name);
}

#[test]
fn a_full_disk_is_left_behind_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.redb");
    let (mut store, _) = Store::open_by(&path, on_filling_disk).unwrap();
    store.write([("a", tally(1, 0, 0, 0))], 1).unwrap();
    FULL.store(true, Ordering::Relaxed);
    for _ in 0..3 {
        let told = store
            .write([("a", tally(2, 0, 0, 0))], 2)
            .unwrap_err()
            .to_string();
        assert!(!told.contains("Previous I/O error"), "{told}");
        assert!(told.contains("results.redb: "), "{told}");
    }
    FULL.store(false, Ordering::Relaxed);
    store.write([("a", tally(3, 0, 0, 0))], 3).unwrap();
    drop(store);
    let (_, contents) = Store::open(&path).unwrap();
    assert_eq!((contents.tallies["a"].wins, contents.counted), (3, 3));
}

#[test]
fn another_store_in_its_place_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.redb");
    let other = folder.path().join("other.redb");
    let (mut store, _) = Store::open(&path).unwrap();
    store.write([("a", tally(1, 0, 0, 0))], 1).unwrap();
    Store::open(&other).unwrap().0.write([], 7).unwrap();
    store.forget_file(path.clone());
    std::fs::rename(&other, &path).unwrap();
    let told = store
        .write([("a", tally(2, 0, 0, 0))], 2)
        .unwrap_err()
        .to_string();
    assert!(told.contains("another store has replaced it"), "{told}");
    // One of an older version has no name; it is another one too.
    std::fs::rename(&path, &other).unwrap();
    let database = Database::create(&path).unwrap();
    let writing = database.begin_write().unwrap();
    drop(writing.open_table(TALLIES).unwrap());
    writing.commit().unwrap();
    drop(database);
    assert!(store.write([], 2).is_err());
    std::fs::rename(&other, &path).unwrap();
    drop(store);
    let (_, contents) = Store::open(&path).unwrap();
    assert!(contents.tallies.is_empty());
}

#[test]
fn a_file_that_is_no_store_is_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.redb");
    for text in [
        "not a store, and long enough to be looked at",
        "no",
        &"redb".repeat(5000),
    ] {
        std::fs::write(&path, text).unwrap();
        let told = Store::open(&path).unwrap_err().to_string();
        assert!(told.contains("results.redb: expected a store"), "{told}");
        assert!(told.contains("move it away"), "{told}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

/// Numbers that look random and are the same at every run (xorshift, after Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Damages a file in one of four ways.
fn damage(file: &mut Vec<u8>, random: &mut Random) {
    const PAGE: usize = 4096;
    let page = random.below(file.len() / PAGE) * PAGE;
    match random.below(4) {
        0 => file.truncate(1 + random.below(file.len() - 1)),
        1 => file[page..page + PAGE].fill(0),
        2 => file[page..page + PAGE].fill_with(|| random.below(256) as u8),
        _ => {
            for _ in 0..100 {
                let at = random.below(file.len());
                file[at] = random.below(256) as u8;
            }
        }
    }
}

#[test]
fn a_damaged_store_is_refused_or_holds_what_it_held() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.redb");
    let ids: Vec<String> = (0..300).map(|number| format!("id {number}")).collect();
    let (mut store, _) = Store::open(&path).unwrap();
    for counted in 1..=3 {
        let tallies = ids.iter().map(|id| (id.as_str(), tally(7, 0, 0, 0)));
        store.write(tallies, counted).unwrap();
    }
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    let mut random = Random(0x5eed);
    let mut refused = 0;
    for _ in 0..100 {
        let mut file = whole.clone();
        damage(&mut file, &mut random);
        std::fs::write(&path, &file).unwrap();
        match Store::open(&path) {
            Ok((mut store, contents)) => {
                assert!(
                    contents
                        .tallies
                        .values()
                        .all(|&held| held == tally(7, 0, 0, 0))
                );
                // It may still fail later, but in order.
                let _ = store.write([("new", tally(1, 0, 0, 0))], 4);
            }
            Err(error) => {
                refused += 1;
                let told = error.to_string();
                assert!(told.contains("results.redb: expected a store"), "{told}");
            }
        }
    }
    assert!(refused > 20, "{refused} of 100 are refused");
}
