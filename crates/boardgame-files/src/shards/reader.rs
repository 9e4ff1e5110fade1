//! Reading of parts.

use std::{
    error::Error,
    fs::File,
    io::{self, BufRead, BufReader, Read as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::shards::{
    BriefFile, Shard, ShardError, Work,
    brief::{self, buffer_size},
    line::{Checksum, END, MAX_LINE},
};

/// The version of the format.
const FORMAT: u32 = 1;

/// The first line of a part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    format: u32,
    work: Work,
    shard: Shard,
}

impl Header {
    /// Returns the text of the first line.
    pub(crate) fn print(work: &Work, shard: Shard) -> String {
        let header = Self {
            format: FORMAT,
            work: work.clone(),
            shard,
        };
        serde_json::to_string(&header).expect("names and values are JSON")
    }
}

/// An iterator over the records of a part, which checks every line. Another process may append records at the same
/// time; an incomplete line at the end is left out.
#[derive(Debug)]
pub struct PartReader<R = BufReader<File>> {
    path: PathBuf,
    input: R,
    header: Header,
    checksum: Checksum,
    records: u64,
    /// The number of records of a complete part, if the work states the number of items.
    total: Option<u64>,
    /// The length of the header and the records so far in bytes.
    length: u64,
    torn: u64,
    complete: bool,
}

impl PartReader {
    /// Opens a part, under its final name if it was completed since its file was listed.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or does not start like a part.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        let file = brief::open(path).map_err(|source| ShardError::io(path, source))?;
        Self::new(path, BufReader::new(file))
    }
}

impl PartReader<BufReader<BriefFile>> {
    /// Opens one of several parts that are read alternately: its file is open only while it is read, and all buffers
    /// together take about 4 MiB.
    ///
    /// # Errors
    ///
    /// As for [`open`](PartReader::open).
    pub fn open_one_of(path: &Path, parts: usize) -> Result<Self, ShardError> {
        let file = BriefFile::new(path);
        Self::new(path, BufReader::with_capacity(buffer_size(parts), file))
    }
}

impl<R: BufRead> PartReader<R> {
    /// Creates a reader of a part.
    pub(crate) fn new(path: &Path, mut input: R) -> Result<Self, ShardError> {
        let line = read_line(&mut input).map_err(|source| ShardError::io(path, source))?;
        let mut checksum = Checksum::default();
        let header = whole(&line)
            .and_then(|text| checksum.parse(text))
            .and_then(|text| serde_json::from_str::<Header>(text).ok())
            .filter(|header| header.format == FORMAT);
        let header = header.ok_or_else(|| ShardError::NoPart { path: path.into() })?;
        let items = header.work.items();
        Ok(Self {
            path: path.into(),
            input,
            checksum,
            records: 0,
            total: items.map(|items| header.shard.share_of(items)),
            header,
            length: line.len() as u64,
            torn: 0,
            complete: false,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The work.
    pub const fn work(&self) -> &Work {
        &self.header.work
    }

    /// The shard.
    pub const fn shard(&self) -> Shard {
        self.header.shard
    }

    /// The number of records read so far.
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Returns `true` once the end of a complete part was read.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the number of bytes of an incomplete line at the end, once the end has been read.
    pub const fn torn(&self) -> u64 {
        self.torn
    }

    /// Reads the remaining records and returns the CRC-32 of the header and all records.
    ///
    /// # Errors
    ///
    /// Fails if the part is damaged.
    pub fn checksum(&mut self) -> Result<u32, ShardError> {
        self.checksum_up_to(u64::MAX)
    }

    /// Reads the remaining records and returns the CRC-32 of these alone, each with a newline. Unlike
    /// [`checksum`](Self::checksum) it does not depend on the settings and the format of the part.
    ///
    /// # Errors
    ///
    /// Fails if the part is damaged.
    pub fn records_checksum(&mut self) -> Result<u32, ShardError> {
        let mut hasher = crc32fast::Hasher::new();
        for record in self {
            hasher.update(record?.as_bytes());
            hasher.update(b"\n");
        }
        Ok(hasher.finalize())
    }

    /// Reads up to a total of `records` records, and returns the CRC-32 of the header and these records.
    ///
    /// # Errors
    ///
    /// Fails if the part is damaged up to there.
    pub fn checksum_up_to(&mut self, records: u64) -> Result<u32, ShardError> {
        while self.records < records
            && let Some(record) = self.next()
        {
            record?;
        }
        Ok(self.checksum.value())
    }

    /// Returns the error of work that does not fit the command that reads it.
    pub fn header_error(&self, reason: impl Into<Box<dyn Error + Send + Sync>>) -> ShardError {
        self.error_in(1, reason)
    }

    /// Returns the error of the last record, if the command cannot read it.
    pub fn record_error(&self, reason: impl Into<Box<dyn Error + Send + Sync>>) -> ShardError {
        self.error_in(self.records + 1, reason)
    }

    fn error_in(&self, line: u64, reason: impl Into<Box<dyn Error + Send + Sync>>) -> ShardError {
        ShardError::Record {
            path: self.path.clone(),
            line,
            reason: reason.into(),
        }
    }

    /// Returns the checksum after the last record, and the length up to there.
    pub(crate) fn into_state(self) -> (Checksum, u64) {
        (self.checksum, self.length)
    }

    fn next_record(&mut self) -> Result<Option<String>, ShardError> {
        let line =
            read_line(&mut self.input).map_err(|source| ShardError::io(&self.path, source))?;
        let error = |expected| ShardError::Line {
            path: self.path.clone(),
            line: self.records + 2,
            expected,
        };
        if !line.ends_with(b"\n") {
            if line.len() as u64 == MAX_LINE {
                return Err(error("a line of at most 16 MiB"));
            }
            self.torn = line.len() as u64;
            return Ok(None);
        }
        let mut checksum = self.checksum.clone();
        let text = whole(&line).and_then(|text| checksum.parse(text));
        let text = text.ok_or_else(|| error("the checksum of the line and all before it"))?;
        if let Some(records) = text.strip_prefix(END) {
            if records != self.records.to_string() {
                return Err(error("the number of records before the end"));
            }
            if self.total.is_some_and(|total| self.records != total) {
                return Err(error(
                    "the records of all items of the shard before the end",
                ));
            }
            self.complete = true;
            return self.nothing_left().map(|()| None);
        }
        if self.total == Some(self.records) {
            return Err(error("the end after the record of the shard's last item"));
        }
        let number = self.header.shard.item(self.records).to_string();
        let record = text
            .strip_prefix(&*number)
            .and_then(|text| text.strip_prefix(' '));
        let record = record.ok_or_else(|| error("the record of the shard's next item"))?;
        let record = record.to_owned();
        self.checksum = checksum;
        self.records += 1;
        self.length += line.len() as u64;
        Ok(Some(record))
    }

    fn nothing_left(&mut self) -> Result<(), ShardError> {
        let left = self.input.fill_buf().map(|left| !left.is_empty());
        if left.map_err(|source| ShardError::io(&self.path, source))? {
            return Err(ShardError::Line {
                path: self.path.clone(),
                line: self.records + 3,
                expected: "nothing after the end",
            });
        }
        Ok(())
    }
}

impl<R: BufRead> Iterator for PartReader<R> {
    type Item = Result<String, ShardError>;

    /// Returns the next record, or an error, after which nothing more can be read.
    fn next(&mut self) -> Option<Self::Item> {
        if self.complete {
            return None;
        }
        self.next_record().transpose()
    }
}

/// Reads a line with its newline; the newline is missing at the end of the input and after the maximum length.
fn read_line(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    input.take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// Returns the text of a line that ends with a newline.
fn whole(line: &[u8]) -> Option<&str> {
    str::from_utf8(line.strip_suffix(b"\n")?).ok()
}
