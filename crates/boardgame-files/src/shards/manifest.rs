//! Manifests: work, and the checksums of its parts.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::shards::{Difference, PartReader, Shard, ShardError, Work};

/// The largest size of a manifest in bytes.
const MAX_SIZE: u64 = 16 * crate::MIB;

/// A manifest: everything that the result of some work depends on, and the checksums of the existing parts.
///
/// It is stored as TOML, possibly in place of the parts, since the same work reproduces them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The work.
    pub work: Work,
    /// The parts, in the order of their shards; none for work still to be done.
    pub shards: Vec<ShardEntry>,
}

/// A part in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardEntry {
    /// The shard.
    pub shard: Shard,
    /// The number of records.
    pub records: u64,
    /// The checksum of the records in hexadecimal digits: a CRC-32 as computed in [`Manifest::of`].
    pub crc32: String,
}

/// The TOML form of a manifest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    command: String,
    settings: std::collections::BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    shards: Vec<ShardEntry>,
}

impl Manifest {
    /// Returns the manifest of parts, complete or not. `checksum` computes the checksum of a part's records:
    /// usually [`PartReader::checksum`], or one that depends on the meaning of the records instead of their form.
    ///
    /// # Errors
    ///
    /// Fails if there are no parts, one is damaged, or they belong to different work or have items in common.
    pub fn of(
        files: &[PathBuf],
        checksum: impl Fn(&mut PartReader) -> Result<u32, ShardError>,
    ) -> Result<Self, ShardError> {
        let mut first: Option<Work> = None;
        let mut shards: Vec<(&PathBuf, ShardEntry)> = Vec::new();
        for path in files {
            let mut reader = PartReader::open(path)?;
            let shard = reader.shard();
            let work = first.get_or_insert_with(|| reader.work().clone());
            if let Some(difference) = work.difference(reader.work()) {
                let path = path.clone();
                return Err(ShardError::Mixed { path, difference });
            }
            let mut others = shards.iter();
            if let Some((other, _)) = others.find(|(_, entry)| entry.shard.overlaps(shard)) {
                let (path, other) = (path.clone(), (*other).clone());
                return Err(ShardError::Common { path, other });
            }
            let crc32 = format!("{:08x}", checksum(&mut reader)?);
            let records = reader.records();
            shards.push((
                path,
                ShardEntry {
                    shard,
                    records,
                    crc32,
                },
            ));
        }
        shards.sort_by_key(|(_, entry)| (entry.shard.count(), entry.shard.index()));
        Ok(Self {
            work: first.ok_or(ShardError::Empty)?,
            shards: shards.into_iter().map(|(_, entry)| entry).collect(),
        })
    }

    /// Parses a manifest.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a manifest.
    pub fn parse(text: &str) -> Result<Self, ShardError> {
        let document: Document =
            toml::from_str(text).map_err(|error| ShardError::Syntax(Box::new(error)))?;
        let Document {
            command,
            settings,
            shards,
        } = document;
        let work = Work { command, settings };
        Ok(Self { work, shards })
    }

    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not a manifest.
    pub fn read(path: &Path) -> Result<Self, ShardError> {
        let io = |source| ShardError::Io {
            path: path.into(),
            source,
        };
        let text = crate::read_to_string(path, MAX_SIZE).map_err(io)?;
        Self::parse(&text).map_err(|error| ShardError::File {
            path: path.into(),
            error: Box::new(error),
        })
    }

    /// Checks that work matches the manifest in a file, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the work differs, or the file cannot be read.
    pub fn check_work(path: &Path, work: &Work) -> Result<(), ShardError> {
        if !path.exists() {
            return Ok(());
        }
        match Self::read(path)?.work.difference(work) {
            None => Ok(()),
            Some(difference) => Err(ShardError::File {
                path: path.into(),
                error: Box::new(ShardError::Differs(difference)),
            }),
        }
    }

    /// Checks that work matches the manifest in a file, or writes the file if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if the work differs, or the file cannot be read or written.
    pub fn keep(path: &Path, work: &Work) -> Result<(), ShardError> {
        let manifest = Self {
            work: work.clone(),
            shards: Vec::new(),
        };
        crate::create(path, manifest.to_string().as_bytes()).map_err(|source| ShardError::Io {
            path: path.into(),
            source,
        })?;
        Self::check_work(path, work)
    }

    /// Returns the number of records of all parts.
    pub fn records(&self) -> u64 {
        self.shards.iter().map(|shard| shard.records).sum()
    }

    /// Returns the manifest without some settings, such as those that do not decide the records.
    #[must_use]
    pub fn without(&self, settings: &[&str]) -> Self {
        let mut manifest = self.clone();
        let kept = |name: &String| !settings.contains(&name.as_str());
        manifest.work.settings.retain(|name, _| kept(name));
        manifest
    }

    /// Checks that another manifest is the same.
    ///
    /// # Errors
    ///
    /// Fails with the first difference.
    pub fn check(&self, found: &Self) -> Result<(), ShardError> {
        let difference = self.work.difference(&found.work);
        let difference = difference.or_else(|| {
            let (expected, found) = (self.to_string(), found.to_string());
            let mut lines = values(&expected).zip(values(&found));
            let (expected, found) = lines.find(|(expected, found)| expected != found)?;
            Some(Difference {
                expected: expected.into(),
                found: found.into(),
            })
        });
        difference.map_or(Ok(()), |difference| Err(ShardError::Differs(difference)))
    }
}

impl fmt::Display for Manifest {
    /// Writes the manifest as TOML, as [`Manifest::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Numbers, texts and lists of them are the same in JSON as in TOML.
        writeln!(f, "command = {:?}\n\n[settings]", self.work.command)?;
        for (name, value) in &self.work.settings {
            writeln!(f, "{name} = {value}")?;
        }
        for ShardEntry {
            shard,
            records,
            crc32,
        } in &self.shards
        {
            writeln!(f, "\n[[shards]]\nshard = \"{shard}\"")?;
            writeln!(f, "records = {records}\ncrc32 = \"{crc32}\"")?;
        }
        Ok(())
    }
}

/// Returns the lines of a manifest that have a value, and a last one.
fn values(text: &str) -> impl Iterator<Item = &str> {
    let values = text.lines().filter(|line| line.contains('='));
    values.chain(["no more shards"])
}
