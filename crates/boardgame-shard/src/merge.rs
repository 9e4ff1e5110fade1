//! Merging of parts.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{Difference, Part, PartError, PartReader, Parts, Shard, Work};

/// The records of all shards of some work, in the order of their items.
///
/// There is exactly one record of each item: every part has one for each item of its shard, and there is one part of
/// each shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    work: Work,
    items: u64,
    /// The records of each shard.
    parts: Vec<Vec<String>>,
}

/// An error of parts that are not all of some work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A part cannot be read or is damaged.
    #[error(transparent)]
    Part(#[from] PartError),
    /// There is no part.
    #[error("expected parts, found none")]
    Empty,
    /// A part is not complete.
    #[error("{}: expected a complete part, found one with {records} records", path.display())]
    Incomplete {
        /// The file.
        path: PathBuf,
        /// The number of its records.
        records: u64,
    },
    /// A part is of other work.
    #[error("{} is of other work: {difference}", path.display())]
    Mixed {
        /// The file.
        path: PathBuf,
        /// The difference from the work expected, or from that of the first part.
        difference: Difference,
    },
    /// The work of a part is divided into another number of shards.
    #[error("{}: expected one of {expected} shards, found {found}", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// The number of shards of the first part.
        expected: u32,
        /// The shard.
        found: Shard,
    },
    /// A part was made for another number of items of all shards than the others.
    #[error(
        "{}: expected {expected} records, as {items} items have, found {found}",
        path.display()
    )]
    Records {
        /// The file.
        path: PathBuf,
        /// The number of records of all parts.
        items: u64,
        /// The number of records that the shard has of that number of items.
        expected: u64,
        /// The number of records of the part.
        found: u64,
    },
    /// Two parts are of one shard.
    #[error("{} is of shard {shard}, as is {}", path.display(), other.display())]
    Overlap {
        /// The later of the two files.
        path: PathBuf,
        /// The earlier one.
        other: PathBuf,
        /// The shard.
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
    /// There is a merged part with other records.
    #[error("{}: expected the first {items} merged records, found others", path.display())]
    Written {
        /// The file.
        path: PathBuf,
        /// The number of merged records.
        items: u64,
    },
}

impl Merged {
    /// Reads the parts of all shards. They are held in memory.
    ///
    /// # Errors
    ///
    /// Fails if a part is damaged or not complete, if not all are of the same work and number of items, divided into the
    /// same number of shards, or if there is not exactly one of each shard.
    pub fn read(files: &[PathBuf]) -> Result<Self, MergeError> {
        let mut first: Option<(Work, u32)> = None;
        let mut parts: BTreeMap<Shard, (PathBuf, Vec<String>)> = BTreeMap::new();
        for path in files {
            let mut reader = PartReader::open(path)?;
            let (work, count) =
                first.get_or_insert_with(|| (reader.work().clone(), reader.shard().count()));
            check(&reader, work, *count)?;
            let records = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
            if !reader.is_complete() {
                let (path, records) = (path.clone(), reader.records());
                return Err(MergeError::Incomplete { path, records });
            }
            let shard = reader.shard();
            if let Some((other, _)) = parts.insert(shard, (path.clone(), records)) {
                let path = path.clone();
                return Err(MergeError::Overlap { path, other, shard });
            }
        }
        let (work, count) = first.ok_or(MergeError::Empty)?;
        check_all(&parts, count)?;
        let parts: Vec<Vec<String>> = parts.into_values().map(|(_, records)| records).collect();
        Ok(Self {
            work,
            items: parts.iter().map(|records| records.len() as u64).sum(),
            parts,
        })
    }

    /// Checks that the parts are of some work.
    ///
    /// # Errors
    ///
    /// Fails if they are of other work; the error names the first of the `files` that they were read from.
    pub fn check(&self, work: &Work, files: &[PathBuf]) -> Result<(), MergeError> {
        match work.difference(&self.work) {
            None => Ok(()),
            Some(difference) => Err(MergeError::Mixed {
                path: files.first().cloned().unwrap_or_default(),
                difference,
            }),
        }
    }

    /// The work.
    pub const fn work(&self) -> &Work {
        &self.work
    }

    /// The number of items, and of records.
    pub const fn items(&self) -> u64 {
        self.items
    }

    /// The number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the records in the order of their items.
    pub fn records(&self) -> impl Iterator<Item = &str> {
        let count = self.parts.len() as u64;
        (0..self.items).map(move |item| {
            let part = &self.parts[(item % count) as usize];
            part[(item / count) as usize].as_str()
        })
    }

    /// Writes the records as the part of the only shard of the same work: the bytes are those of work that was never
    /// divided.
    ///
    /// # Errors
    ///
    /// Fails if the part cannot be written, or there is one of other work, or with other or more records.
    pub fn write(&self, out: &Parts) -> Result<Part, MergeError> {
        let mut whole = out.open(&self.work, Shard::WHOLE, self.items)?;
        self.check_written(whole.file())?;
        for record in self.records().skip(whole.records() as usize) {
            whole.append(record)?;
        }
        Ok(whole)
    }

    /// Checks that a file has the first of the merged records, or all, and nothing else.
    fn check_written(&self, path: &Path) -> Result<(), MergeError> {
        let mut records = self.records();
        for written in PartReader::open(path)? {
            if records.next() != Some(&*written?) {
                let (path, items) = (path.to_owned(), self.items);
                return Err(MergeError::Written { path, items });
            }
        }
        Ok(())
    }
}

/// Checks that a part goes with the first.
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

/// Checks that there is a part of each shard, and that all have the records of the same items.
fn check_all(
    parts: &BTreeMap<Shard, (PathBuf, Vec<String>)>,
    count: u32,
) -> Result<(), MergeError> {
    let missing = u64::from(count) - parts.len() as u64;
    if missing > 0 {
        let shards = (0..count).filter_map(|index| Shard::new(index, count).ok());
        let shards = shards.filter(|shard| !parts.contains_key(shard));
        let shards: Vec<Shard> = shards.take(MAX_LISTED).collect();
        let more = missing - shards.len() as u64;
        return Err(MergeError::Missing { shards, more });
    }
    let records = |(_, records): &(PathBuf, Vec<String>)| records.len() as u64;
    let items = parts.values().map(records).sum();
    for (shard, part) in parts {
        let (expected, found) = (shard.share_of(items), records(part));
        if found != expected {
            return Err(MergeError::Records {
                path: part.0.clone(),
                items,
                expected,
                found,
            });
        }
    }
    Ok(())
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
