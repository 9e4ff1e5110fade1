//! Files that are read alternately with many others.

use std::{
    fs::File,
    io::{self, ErrorKind, Read, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

/// The extra extension of an incomplete part.
pub(crate) const BEGUN: &str = "begun";
/// The total size of the buffers of alternately read parts, unless there are very many or few parts.
const BUFFERS: usize = 4 << 20;
/// The minimum size of the buffer of a part.
const MIN_BUFFER: usize = 4 << 10;
/// The maximum size of the buffer of a part.
const MAX_BUFFER: usize = 256 << 10;

/// Returns the buffer size for each of several parts that are read alternately.
pub(crate) fn buffer_size(parts: usize) -> usize {
    (BUFFERS / parts.max(1)).clamp(MIN_BUFFER, MAX_BUFFER)
}

/// The file of a part, open only while it is read, since there are more parts than a process may have open files.
#[derive(Debug)]
pub struct BriefFile {
    path: PathBuf,
    offset: u64,
}

impl BriefFile {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.into(),
            offset: 0,
        }
    }
}

impl Read for BriefFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = open(&self.path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let count = file.read(buffer)?;
        self.offset += count as u64;
        Ok(count)
    }
}

/// Returns the final name of an incomplete part, or `None` if the part has it already.
pub(crate) fn completed(path: &Path) -> Option<PathBuf> {
    let is_begun = path.extension().is_some_and(|end| end == BEGUN);
    is_begun.then(|| path.with_extension(""))
}

/// Opens the file of a part, under its final name if the part was completed since the file was listed.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    match (File::open(path), completed(path)) {
        (Err(error), Some(complete)) if error.kind() == ErrorKind::NotFound => File::open(complete),
        (opened, _) => opened,
    }
}
