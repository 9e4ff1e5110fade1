//! Merging of parts.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    io::BufReader,
    ops::Range,
    path::PathBuf,
};

use crate::shards::{
    BriefFile, Difference, ManifestError, Part, PartError, PartReader, Parts, Shard, Work,
};

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

/// The error of parts that do not make up some whole work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum MergeError {
    /// A part cannot be read or is damaged.
    #[error(transparent)]
    Part(#[from] PartError),
    /// The work differs from its manifest.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// There is no part.
    #[error("expected parts, found none")]
    Empty,
    /// There is no part in a folder.
    #[error("{}: expected parts, found none", folder.display())]
    EmptyFolder { folder: PathBuf },
    /// A part is not complete.
    #[error("{}: expected a complete part, found one with {records} records", path.display())]
    Incomplete {
        path: PathBuf,
        /// The number of its records.
        records: u64,
    },
    /// The parts belong to another command.
    #[error("{}: expected parts of {expected}, found one of {found}", path.display())]
    Command {
        path: PathBuf,
        expected: &'static str,
        /// The command of the part.
        found: String,
    },
    /// A part belongs to other work.
    #[error("{} is of other work: {difference}", path.display())]
    Mixed {
        path: PathBuf,
        /// The difference from the work expected, or from that of the first part.
        difference: Difference,
    },
    /// The work of a part is divided into another number of shards.
    #[error("{}: expected one of {expected} shards, found {found}", path.display())]
    Count {
        path: PathBuf,
        /// The number of shards of the first part.
        expected: u32,
        found: Shard,
    },
    /// Two parts belong to one shard.
    #[error("{} is of shard {shard}, as is {}", path.display(), other.display())]
    Overlap {
        /// The later of the two files.
        path: PathBuf,
        other: PathBuf,
        shard: Shard,
    },
    /// Shards have no part.
    #[error("expected parts of all shards, found none of {}", list(shards, *more))]
    Missing {
        /// The first of the shards.
        shards: Vec<Shard>,
        /// The number of further ones.
        more: u64,
    },
    /// A merged part exists and has other records.
    #[error("{}: expected the merged records, but record {number} differs", path.display())]
    Written {
        path: PathBuf,
        /// The number of the first record that differs, from 1.
        number: u64,
    },
}

impl Merged {
    /// Reads and checks the parts of all shards of a command's work.
    ///
    /// # Errors
    ///
    /// Fails if the work belongs to another command, if a part is damaged or incomplete, if the parts belong to
    /// different work or different numbers of shards, or if there is not exactly one of each shard.
    pub fn read(files: &[PathBuf], command: &'static str) -> Result<Self, MergeError> {
        let first = files.first().ok_or(MergeError::Empty)?;
        let work = PartReader::open(first)?.work().clone();
        if work.command != command {
            return Err(MergeError::Command {
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
    pub fn of(parts: &Parts, work: &Work) -> Result<Self, MergeError> {
        let files = parts.files()?;
        if files.is_empty() {
            let folder = parts.folder().into();
            return Err(MergeError::EmptyFolder { folder });
        }
        Self::read_of(&files, work.clone())
    }

    fn read_of(files: &[PathBuf], work: Work) -> Result<Self, MergeError> {
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
                return Err(MergeError::Incomplete { path, records });
            }
            match parts.entry(shard) {
                Entry::Vacant(place) => place.insert(path.clone()),
                Entry::Occupied(place) => {
                    let (path, other) = (path.clone(), place.get().clone());
                    return Err(MergeError::Overlap { path, other, shard });
                }
            };
        }
        check_all(&parts)?;
        let items = work.items().ok_or_else(|| PartError::Items {
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
    pub fn records(&self) -> Result<Records, PartError> {
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
    pub fn write(&self, out: &Parts) -> Result<Part, MergeError> {
        let mut whole = out.open(&self.work, Shard::WHOLE)?;
        let mut records = self.records()?;
        for (number, written) in (1..).zip(PartReader::open(whole.file())?) {
            let (written, record) = (written?, records.next().transpose()?);
            if record.as_ref() != Some(&written) {
                let path = whole.file().to_owned();
                return Err(MergeError::Written { path, number });
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
    type Item = Result<String, PartError>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.items.next()?;
        let shard = (item % self.parts.len() as u64) as usize;
        let part = &mut self.parts[shard];
        let record = part.next().unwrap_or_else(|| {
            // The part was complete when it was checked.
            Err(PartError::Line {
                path: part.path().into(),
                line: part.records() + 2,
                expected: "the record of the shard's next item",
            })
        });
        Some(record)
    }
}

/// Checks that a part fits the first one.
fn check(reader: &PartReader, work: &Work, count: u32) -> Result<(), MergeError> {
    let (path, found) = (reader.path().to_owned(), reader.shard());
    if let Some(difference) = work.difference(reader.work()) {
        return Err(MergeError::Mixed { path, difference });
    }
    if found.count() != count {
        let expected = count;
        return Err(MergeError::Count {
            path,
            expected,
            found,
        });
    }
    Ok(())
}

/// Checks that there is a part of each shard.
fn check_all(parts: &BTreeMap<Shard, PathBuf>) -> Result<(), MergeError> {
    let count = parts.keys().next().map_or(0, |first| first.count());
    let missing = u64::from(count) - parts.len() as u64;
    if missing == 0 {
        return Ok(());
    }
    let shards = (0..count).filter_map(|index| Shard::new(index, count).ok());
    let shards = shards.filter(|shard| !parts.contains_key(shard));
    let shards: Vec<Shard> = shards.take(MAX_LISTED).collect();
    let more = missing - shards.len() as u64;
    Err(MergeError::Missing { shards, more })
}

/// The maximum number of shards that an error lists.
const MAX_LISTED: usize = 20;

/// Returns the names of shards, and the number of more.
fn list(shards: &[Shard], more: u64) -> String {
    let names: Vec<String> = shards.iter().map(Shard::to_string).collect();
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
