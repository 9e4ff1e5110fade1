//! Writing of parts.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::shards::{
    Shard, ShardError,
    line::{Checksum, END, MAX_LINE, line_length},
};
use crate::{AppendFile, sync_folder};

/// The time after the last sync from which the next append syncs the file.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// The part of a shard: a file of records in the order of their items, locked while it is being written.
///
/// With the record of the last item the file is complete and gets its final name.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    shard: Shard,
    records: u64,
    items: u64,
    /// The file, while incomplete.
    begun: Option<Begun>,
    /// The time when the file was last synced, initially opened.
    synced: Instant,
}

/// An incomplete file.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) path: PathBuf,
    pub(crate) file: AppendFile,
    pub(crate) checksum: Checksum,
    /// The length of all whole lines in bytes.
    pub(crate) length: u64,
}

impl Part {
    /// Returns a complete part.
    pub(crate) fn complete(path: &Path, shard: Shard, records: u64) -> Self {
        Self {
            path: path.into(),
            shard,
            records,
            items: 0,
            begun: None,
            synced: Instant::now(),
        }
    }

    /// Returns an incomplete part, and completes it if it has all records.
    pub(crate) fn open(
        path: &Path,
        begun: Begun,
        shard: Shard,
        records: u64,
        items: u64,
    ) -> Result<Self, ShardError> {
        let mut part = Self {
            path: path.into(),
            shard,
            records,
            items,
            begun: Some(begun),
            synced: Instant::now(),
        };
        part.complete_if_full()?;
        Ok(part)
    }

    /// Returns the final path of the part, even if it is not complete yet.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the current path of the part.
    pub(crate) fn file(&self) -> &Path {
        match &self.begun {
            Some(begun) => &begun.path,
            None => &self.path,
        }
    }

    /// The number of records.
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Returns `true` if all records are there.
    pub const fn is_complete(&self) -> bool {
        self.begun.is_none()
    }

    /// Returns the number of the item to append next, or `None` if the shard has no more.
    pub const fn next_item(&self) -> Option<u64> {
        if self.records < self.shard.share_of(self.items) {
            Some(self.shard.item(self.records))
        } else {
            None
        }
    }

    /// Appends the record of the [next item](Self::next_item). It then survives a kill of this process. It survives a
    /// crash of the machine once it is synced: by an append five seconds after the last sync, by the last record, or
    /// by [`sync`](Self::sync). The last record completes the part.
    ///
    /// # Errors
    ///
    /// Fails if the record's line, including its checksum and item number, is longer than 16 MiB, or cannot be
    /// written; the file is then truncated to its whole lines if possible.
    ///
    /// # Panics
    ///
    /// Panics if there is no next item, or the record has more than one line.
    pub fn append(&mut self, record: &str) -> Result<(), ShardError> {
        assert!(!record.contains('\n'), "a record is one line");
        let item = self.next_item().expect("a shard that is not complete");
        if let Some(begun) = &mut self.begun {
            begun.append_record(item, record)?;
        }
        self.records += 1;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
            self.synced = Instant::now();
        }
        self.complete_if_full()
    }

    /// Waits until all records are on disk, where they survive a crash of the machine.
    ///
    /// # Errors
    ///
    /// Fails if the system reports an error.
    pub fn sync(&self) -> Result<(), ShardError> {
        match &self.begun {
            Some(begun) => begun.sync(),
            None => Ok(()),
        }
    }

    /// Writes the last line and gives the file its final name if it has exactly all records.
    fn complete_if_full(&mut self) -> Result<(), ShardError> {
        if self.records != self.shard.share_of(self.items) {
            return Ok(());
        }
        if let Some(begun) = &mut self.begun {
            begun.append(&format!("{END}{}", self.records))?;
            begun.sync()?;
            fs::rename(&begun.path, &self.path)
                .and_then(|()| sync_folder(&self.path))
                .map_err(|source| ShardError::io(&self.path, source))?;
        }
        self.begun = None;
        Ok(())
    }
}

impl Begun {
    /// Appends the record of an item.
    fn append_record(&mut self, item: u64, record: &str) -> Result<(), ShardError> {
        let text = format!("{item} {record}");
        let found = line_length(&text);
        if found > MAX_LINE {
            return Err(ShardError::TooLong {
                path: self.path.clone(),
                item,
                max: MAX_LINE,
                found,
            });
        }
        self.append(&text)
    }

    /// Appends a line.
    pub(crate) fn append(&mut self, text: &str) -> Result<(), ShardError> {
        let mut checksum = self.checksum.clone();
        let line = checksum.print(text);
        self.file.append(line.as_bytes()).map_err(|source| {
            // If this fails, the next writer that opens the part truncates it.
            let _ = self.file.truncate(self.length);
            ShardError::io(&self.path, source)
        })?;
        self.checksum = checksum;
        self.length += line.len() as u64;
        Ok(())
    }

    fn sync(&self) -> Result<(), ShardError> {
        let synced = self.file.sync();
        synced.map_err(|source| ShardError::io(&self.path, source))
    }
}
