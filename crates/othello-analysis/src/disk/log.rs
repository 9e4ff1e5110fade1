//! The file of a store: a log of entries, with its index in memory.
//!
//! After a first line the file is a sequence of entries. An updated entry is appended, and the last one of a key
//! counts. An entry:
//!
//! | bytes | content |
//! |---|---|
//! | 2 | the length of the value, little-endian |
//! | 4 | the CRC-32 of key and value, little-endian |
//! | 4 | the hour of the last use, little-endian; overwritten in place |
//! | 20 | the key |
//! | … | the value |
//!
//! Processes that use one file at once take turns: each locks it, reads what the others appended, and then reads or
//! appends. When the file is too large, the process that notices writes a new one without the least recently used
//! entries, and truncates the old one to one byte, which shows the other processes that it was replaced.

use std::{
    cmp::Reverse,
    collections::HashMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use boardgame_files::{ReplaceError, Replacement};

use super::Size;

/// The first line of a file, with the version of the format.
const FIRST_LINE: &[u8] = b"othello analyses 1\n";

/// The length of a replaced file.
const REPLACED: u64 = 1;

/// The number of times that a file is opened again because another process has replaced it.
const MAX_REOPENED: usize = 10;

/// The length of an entry without its value.
const HEAD: usize = 30;

/// The offset of the hour of the last use in an entry.
const USED: usize = 6;

/// The maximum length of a value.
const MAX_VALUE: usize = 4096;

/// The number of bytes that are read at once.
const CHUNK: u64 = 1 << 20;

/// The maximum wait for other processes, and the time between two tries.
const MAX_WAIT: Duration = Duration::from_millis(if cfg!(test) { 100 } else { 5000 });
const PAUSE: Duration = Duration::from_millis(1);

/// The CRC-32 of an evaluator's name, and a position.
pub(super) type Key = [u8; 20];

/// The cause of a [`StoreError`](super::StoreError).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreFault {
    /// The file or its folder cannot be created, read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file cannot be replaced by a smaller one.
    #[error("cannot make the file smaller: {0}")]
    Replace(#[from] ReplaceError),
    /// The file is of another kind, or of another version of the format.
    #[error(
        "expected a store of analyses of this version, found another kind of file; name another file, or delete this \
         one to begin a new store"
    )]
    OtherFile,
    /// Another process keeps the file locked.
    #[error("another process has kept it locked for {} s", MAX_WAIT.as_secs())]
    Locked,
}

/// An open file.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    max_size: u64,
    index: HashMap<Key, Entry>,
    /// The offset after the last entry that was read.
    end: u64,
    damaged: u64,
}

/// The place of an entry in the file.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: u64,
    length: usize,
    used: u32,
}

impl Log {
    /// Opens the file, or creates it with its folder.
    pub(super) fn open(path: &Path, size: Size) -> Result<Self, StoreFault> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut log = Self {
            path: path.into(),
            file: open(path)?,
            max_size: size.bytes(),
            index: HashMap::new(),
            end: 0,
            damaged: 0,
        };
        log.locked(|log| {
            if log.damaged > 0 || log.is_too_large() {
                log.compact()?;
            }
            Ok(())
        })?;
        Ok(log)
    }

    /// Returns the number of places with damaged entries found since the file was opened.
    pub(super) const fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Returns the value of a key, which then counts as used in this hour.
    pub(super) fn get(&mut self, key: &Key, hour: u32) -> Result<Option<Vec<u8>>, StoreFault> {
        self.locked(|log| log.value(key, hour))
    }

    /// Appends the result of `change` for the value of a key, if any. No other process writes in between.
    pub(super) fn update(
        &mut self,
        key: &Key,
        hour: u32,
        change: impl FnOnce(Option<Vec<u8>>) -> Option<Vec<u8>>,
    ) -> Result<(), StoreFault> {
        self.locked(|log| {
            let known = log.value(key, hour)?;
            match change(known) {
                Some(value) if value.len() <= MAX_VALUE => log.append(key, hour, &value),
                _ => Ok(()),
            }
        })
    }

    /// Runs `act` on the locked file, after reading what others appended.
    fn locked<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<T, StoreFault>,
    ) -> Result<T, StoreFault> {
        lock(&self.file)?;
        let done = self.catch_up().and_then(|()| act(self));
        // A replaced file is no longer open.
        let _ = self.file.unlock();
        done
    }

    /// Reads the entries that other processes appended, from the replacement of this file if there is one.
    fn catch_up(&mut self) -> Result<(), StoreFault> {
        for _ in 0..MAX_REOPENED {
            let length = self.file.metadata()?.len();
            if length == REPLACED || length < self.end {
                self.file = open(&self.path)?;
                lock(&self.file)?;
                self.index.clear();
                self.end = 0;
                continue;
            }
            if self.end == 0 {
                self.begin(length)?;
            }
            if length > self.end {
                self.damaged += self.scan()?;
            }
            return Ok(());
        }
        Err(StoreFault::OtherFile)
    }

    /// Reads the first line, or writes it to an empty file.
    fn begin(&mut self, length: u64) -> Result<(), StoreFault> {
        self.file.rewind()?;
        if length == 0 {
            self.file.write_all(FIRST_LINE)?;
        } else {
            let mut line = Vec::new();
            let limit = FIRST_LINE.len() as u64;
            (&self.file).take(limit).read_to_end(&mut line)?;
            if line != FIRST_LINE {
                return Err(StoreFault::OtherFile);
            }
        }
        self.end = FIRST_LINE.len() as u64;
        Ok(())
    }

    /// Adds the entries after the last one read to the index, and returns the number of places between them that are
    /// not entries.
    fn scan(&mut self) -> io::Result<u64> {
        let mut damaged = 0;
        let mut start = self.end;
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(start))?;
        loop {
            let read = (&self.file).take(CHUNK).read_to_end(&mut bytes)?;
            let mut at = 0;
            while let Some(length) = bytes.get(at..).and_then(entry_length) {
                let Some(entry) = bytes.get(at..at + length) else {
                    if read > 0 {
                        break;
                    }
                    at += 1;
                    continue;
                };
                let Some((key, used)) = check(entry) else {
                    at += 1;
                    continue;
                };
                let place = start + at as u64;
                damaged += u64::from(place > self.end);
                self.end = place + length as u64;
                let entry = Entry {
                    at: place,
                    length,
                    used,
                };
                self.index.insert(key, entry);
                at += length;
            }
            if read == 0 {
                return Ok(damaged);
            }
            bytes.drain(..at);
            start += at as u64;
        }
    }

    /// Returns the value of a key, unless it is damaged.
    fn value(&mut self, key: &Key, hour: u32) -> Result<Option<Vec<u8>>, StoreFault> {
        let Some(&entry) = self.index.get(key) else {
            return Ok(None);
        };
        let mut bytes = self.read(entry)?;
        if check(&bytes).is_none_or(|(found, _)| found != *key) {
            self.damaged += 1;
            self.index.remove(key);
            return Ok(None);
        }
        if entry.used < hour {
            self.file.seek(SeekFrom::Start(entry.at + USED as u64))?;
            self.file.write_all(&hour.to_le_bytes())?;
            let used = Entry {
                used: hour,
                ..entry
            };
            self.index.insert(*key, used);
        }
        Ok(Some(bytes.split_off(HEAD)))
    }

    fn read(&self, entry: Entry) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; entry.length];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(entry.at))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn append(&mut self, key: &Key, used: u32, value: &[u8]) -> Result<(), StoreFault> {
        let mut bytes = (value.len() as u16).to_le_bytes().to_vec();
        bytes.extend(checksum(key, value));
        bytes.extend(used.to_le_bytes());
        bytes.extend(key);
        bytes.extend(value);
        // A killed process may have left an incomplete entry.
        if self.file.metadata()?.len() > self.end {
            self.file.set_len(self.end)?;
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&bytes)?;
        let entry = Entry {
            at: self.end,
            length: bytes.len(),
            used,
        };
        self.index.insert(*key, entry);
        self.end += bytes.len() as u64;
        if self.is_too_large() {
            self.compact()?;
        }
        Ok(())
    }

    /// Returns `true` if the file may be larger than its limit after one more entry.
    const fn is_too_large(&self) -> bool {
        self.end + (HEAD + MAX_VALUE) as u64 > self.max_size
    }

    /// Writes a new file with the last entry of each key, and retires the old one. The new one is at most three
    /// quarters of the limit, with the most recently used entries.
    fn compact(&mut self) -> Result<(), StoreFault> {
        // Other processes may have used entries since they were read.
        self.index.clear();
        self.end = FIRST_LINE.len() as u64;
        self.scan()?;
        let mut entries: Vec<Entry> = self.index.values().copied().collect();
        entries.sort_unstable_by_key(|entry| Reverse((entry.used, entry.at)));
        let mut room = self.max_size / 4 * 3;
        let fits = |entry: &Entry| {
            let left = room.checked_sub(entry.length as u64);
            room = left.unwrap_or(0);
            left.is_some()
        };
        let mut kept: Vec<Entry> = entries.into_iter().take_while(fits).collect();
        kept.sort_unstable_by_key(|entry| entry.at);
        let mut new = Replacement::begin(&self.path, FIRST_LINE)?;
        new.write_all(FIRST_LINE)?;
        for entry in kept {
            new.write_all(&self.read(entry)?)?;
        }
        new.finish()?;
        self.file.set_len(REPLACED)?;
        self.file = open(&self.path)?;
        self.index.clear();
        self.end = 0;
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path)
}

/// Locks a file; waits for other processes for a bounded time.
fn lock(file: &File) -> Result<(), StoreFault> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error.into()),
            Err(TryLockError::WouldBlock) if start.elapsed() > MAX_WAIT => {
                return Err(StoreFault::Locked);
            }
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    }
}

/// Returns the length of the entry at the start of bytes, or `None` if they are too few for its head.
fn entry_length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.first_chunk::<HEAD>()?;
    Some(HEAD + usize::from(u16::from_le_bytes([head[0], head[1]])))
}

/// Returns the key and the hour of the last use of an entry, if the bytes are one.
fn check(entry: &[u8]) -> Option<(Key, u32)> {
    let (head, value) = entry.split_first_chunk::<HEAD>()?;
    let (key, used) = (head.last_chunk()?, head[USED..].first_chunk()?);
    let is_whole = value.len() <= MAX_VALUE && checksum(key, value) == head[2..USED];
    is_whole.then_some((*key, u32::from_le_bytes(*used)))
}

fn checksum(key: &Key, value: &[u8]) -> [u8; 4] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    hasher.update(value);
    hasher.finalize().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn numbered(number: u32) -> Key {
        let mut key = [0; 20];
        let bytes = number.to_le_bytes();
        (key[0], key[1], key[2]) = (bytes[0], bytes[1], bytes[2]);
        key
    }

    fn put(log: &mut Log, number: u32, hour: u32, value: &[u8]) {
        let put = log.update(&numbered(number), hour, |_| Some(value.to_vec()));
        put.unwrap();
    }

    fn has(log: &mut Log, number: u32) -> bool {
        log.get(&numbered(number), 0).unwrap().is_some()
    }

    #[test]
    fn the_file_keeps_to_its_size_and_loses_what_was_not_used_for_longest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let mut log = Log::open(&path, Size::MIN).unwrap();
        // Another process, which notices the replaced files.
        let mut other = Log::open(&path, Size::MIN).unwrap();
        for number in 0..20_000 {
            put(&mut log, number, number, &[7; 600]);
            if number % 100 == 0 {
                assert!(other.get(&numbered(0), number).unwrap().is_some());
                assert!(has(&mut other, number));
            }
            let size = fs::metadata(&path).unwrap().len();
            assert!(size <= Size::MIN.bytes(), "{size} bytes at {number}");
        }
        assert!(
            has(&mut log, 0),
            "the entry that the other process used is gone"
        );
        let first = (1..20_000).find(|&number| has(&mut log, number)).unwrap();
        assert!(
            (13_000..17_000).contains(&first),
            "the first kept is {first}"
        );
        assert!((first..20_000).all(|number| has(&mut log, number)));
        assert_eq!((log.damaged(), other.damaged()), (0, 0));
    }

    #[test]
    fn a_file_becomes_smaller_where_a_smaller_size_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let mut log = Log::open(&path, Size::default()).unwrap();
        for number in 0..10_000 {
            put(&mut log, number, number, &[7; 1000]);
        }
        let mut log = Log::open(&path, Size::MIN).unwrap();
        assert!(has(&mut log, 9999) && !has(&mut log, 0));
        assert!(fs::metadata(&path).unwrap().len() <= Size::MIN.bytes());
    }

    #[test]
    fn what_a_killed_process_left_is_overwritten_and_what_is_damaged_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let mut log = Log::open(&path, Size::MIN).unwrap();
        for number in 0..3 {
            put(&mut log, number, 1, b"value");
        }
        let whole = fs::read(&path).unwrap();
        for cut in 1..HEAD + 5 {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let mut log = Log::open(&path, Size::MIN).unwrap();
            assert!(has(&mut log, 1) && !has(&mut log, 2), "{cut}");
            put(&mut log, 2, 1, b"value");
            assert_eq!(fs::read(&path).unwrap(), whole);
            assert_eq!(log.damaged(), 0);
        }
        let second = FIRST_LINE.len() + HEAD + 5;
        for at in second..second + HEAD + 5 {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x80;
            fs::write(&path, bytes).unwrap();
            let mut log = Log::open(&path, Size::MIN).unwrap();
            let is_used = (USED..USED + 4).contains(&(at - second));
            assert!(has(&mut log, 0) && has(&mut log, 2), "{at}");
            assert_eq!(
                (has(&mut log, 1), log.damaged()),
                (is_used, !is_used as u64)
            );
            let damaged = Log::open(&path, Size::MIN).unwrap().damaged();
            assert_eq!(damaged, 0, "the file was written again without it");
        }
    }

    #[test]
    fn an_entry_that_is_damaged_while_the_file_is_open_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let mut log = Log::open(&path, Size::MIN).unwrap();
        put(&mut log, 1, 1, b"value");
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        assert!(!has(&mut log, 1));
        assert_eq!(log.damaged(), 1);
        put(&mut log, 1, 1, b"other");
        let found = log.get(&numbered(1), 1).unwrap();
        assert_eq!(found.as_deref(), Some(&b"other"[..]));
    }

    #[test]
    fn an_empty_file_becomes_a_store_and_others_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        fs::write(&path, "").unwrap();
        put(&mut Log::open(&path, Size::MIN).unwrap(), 1, 1, b"value");
        assert!(has(&mut Log::open(&path, Size::MIN).unwrap(), 1));
        for other in ["o", "othello analyses 2\n", "SQLite format 3\0", "text"] {
            fs::write(&path, other).unwrap();
            let fault = Log::open(&path, Size::MIN).unwrap_err();
            assert!(matches!(fault, StoreFault::OtherFile), "{fault}");
            assert_eq!(fs::read_to_string(&path).unwrap(), other);
        }
        let fault = Log::open(folder.path(), Size::MIN).unwrap_err();
        assert!(matches!(fault, StoreFault::Io(_)), "{fault}");
    }

    #[test]
    fn a_process_that_keeps_the_file_locked_is_not_waited_for_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let mut log = Log::open(&path, Size::MIN).unwrap();
        let other = File::open(&path).unwrap();
        other.lock().unwrap();
        let fault = log.get(&numbered(1), 1).unwrap_err();
        assert!(matches!(fault, StoreFault::Locked), "{fault}");
        drop(other);
        assert!(!has(&mut log, 1));
    }
}
