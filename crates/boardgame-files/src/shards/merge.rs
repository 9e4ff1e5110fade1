//! Merging of parts.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    io::BufReader,
    ops::Range,
    path::PathBuf,
};

use crate::shards::{BriefFile, Part, PartReader, Parts, Shard, ShardError, Work};

/// The complete parts of all shards of some work, whose records can be read in the order of their items.
///
/// There is exactly one record of each item: every part has one for each item of its shard, and every shard has one
/// part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    work: Work,
    items: u64,
    /// The part of each shard, in order.
    parts: Vec<PathBuf>,
}

impl Merged {
    /// Reads and checks the parts of all shards of a command's work.
    ///
    /// # Errors
    ///
    /// Fails if the work belongs to another command, if a part is damaged or incomplete, if the parts belong to
    /// different work or different numbers of shards, or if there is not exactly one of each shard.
    pub fn read(files: &[PathBuf], command: &'static str) -> Result<Self, ShardError> {
        let first = files.first().ok_or(ShardError::Empty)?;
        let work = PartReader::open(first)?.work().clone();
        if work.command != command {
            return Err(ShardError::Command {
                path: first.clone(),
                expected: command,
                found: work.command,
            });
        }
        Self::read_of(files, work)
    }

    /// Reads and checks the parts of some work in a folder.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read), and if the parts belong to other work.
    pub fn of(parts: &Parts, work: &Work) -> Result<Self, ShardError> {
        let files = parts.files()?;
        if files.is_empty() {
            let folder = parts.folder().into();
            return Err(ShardError::EmptyFolder { folder });
        }
        Self::read_of(&files, work.clone())
    }

    fn read_of(files: &[PathBuf], work: Work) -> Result<Self, ShardError> {
        let mut parts: BTreeMap<Shard, PathBuf> = BTreeMap::new();
        for path in files {
            let mut reader = PartReader::open(path)?;
            let shard = reader.shard();
            let count = parts
                .keys()
                .next()
                .map_or(shard.count(), |first| first.count());
            check(&reader, &work, count)?;
            reader.checksum()?;
            if !reader.is_complete() {
                let (path, records) = (path.clone(), reader.records());
                return Err(ShardError::Incomplete { path, records });
            }
            match parts.entry(shard) {
                Entry::Vacant(place) => place.insert(path.clone()),
                Entry::Occupied(place) => {
                    let (path, other) = (path.clone(), place.get().clone());
                    return Err(ShardError::Twice { path, other, shard });
                }
            };
        }
        check_all(&parts)?;
        let items = work.items().ok_or_else(|| ShardError::Items {
            path: files[0].clone(),
        })?;
        Ok(Self {
            work,
            items,
            parts: parts.into_values().collect(),
        })
    }

    /// The work.
    pub const fn work(&self) -> &Work {
        &self.work
    }

    /// Returns the number of items, which is the number of records.
    pub const fn items(&self) -> u64 {
        self.items
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the records in the order of their items. They are read from all parts alternately, a few KiB at a
    /// time.
    ///
    /// # Errors
    ///
    /// Fails if a part can no longer be read.
    pub fn records(&self) -> Result<Records, ShardError> {
        let open = |path: &PathBuf| PartReader::open_one_of(path, self.parts.len());
        Ok(Records {
            parts: self.parts.iter().map(open).collect::<Result<_, _>>()?,
            items: 0..self.items,
        })
    }

    /// Writes the records as a part of the undivided work, byte for byte as if it had never been divided.
    ///
    /// # Errors
    ///
    /// Fails if the part cannot be written, or one exists for other work or with other records.
    pub fn write(&self, out: &Parts) -> Result<Part, ShardError> {
        let mut whole = out.open(&self.work, Shard::WHOLE)?;
        let mut records = self.records()?;
        for (number, written) in (1..).zip(PartReader::open(whole.file())?) {
            let (written, record) = (written?, records.next().transpose()?);
            if record.as_ref() != Some(&written) {
                let path = whole.file().to_owned();
                return Err(ShardError::Written { path, number });
            }
        }
        for record in records {
            whole.append(&record?)?;
        }
        Ok(whole)
    }
}

/// An iterator over the records of all shards in the order of their items.
#[derive(Debug)]
pub struct Records {
    parts: Vec<PartReader<BufReader<BriefFile>>>,
    /// The items whose records are not yet read.
    items: Range<u64>,
}

impl Iterator for Records {
    type Item = Result<String, ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.items.next()?;
        let shard = (item % self.parts.len() as u64) as usize;
        let part = &mut self.parts[shard];
        let record = part.next().unwrap_or_else(|| {
            // The part was complete when it was checked.
            Err(ShardError::Line {
                path: part.path().into(),
                line: part.records() + 2,
                expected: "the record of the shard's next item",
            })
        });
        Some(record)
    }
}

/// Checks that a part fits the first one.
fn check(reader: &PartReader, work: &Work, count: u32) -> Result<(), ShardError> {
    let (path, found) = (reader.path().to_owned(), reader.shard());
    if let Some(difference) = work.difference(reader.work()) {
        return Err(ShardError::Mixed { path, difference });
    }
    if found.count() != count {
        let expected = count;
        return Err(ShardError::Count {
            path,
            expected,
            found,
        });
    }
    Ok(())
}

/// Checks that there is a part of each shard.
fn check_all(parts: &BTreeMap<Shard, PathBuf>) -> Result<(), ShardError> {
    let count = parts.keys().next().map_or(0, |first| first.count());
    let missing = u64::from(count) - parts.len() as u64;
    if missing == 0 {
        return Ok(());
    }
    let shards = (0..count).filter_map(|index| Shard::new(index, count).ok());
    let shards = shards.filter(|shard| !parts.contains_key(shard));
    let shards: Vec<Shard> = shards.take(MAX_LISTED).collect();
    let more = missing - shards.len() as u64;
    Err(ShardError::Missing { shards, more })
}

/// The maximum number of shards that an error lists.
const MAX_LISTED: usize = 20;
