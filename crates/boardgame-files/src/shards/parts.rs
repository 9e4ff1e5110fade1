//! The parts of some work in a folder.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use crate::shards::{
    Difference, Part, PartReader, Shard, ShardError, Work,
    brief::{BEGUN, completed},
    line::Checksum,
    part::Begun,
    reader::Header,
};
use crate::{AppendFile, AppendOptions, OpenError, sync_folder};

/// The parts of some work in a folder: complete files `NAME-IofN.EXTENSION` and incomplete files
/// `NAME-IofN.EXTENSION.begun`.
///
/// # Examples
///
/// ```
/// use boardgame_files::shards::{Merged, Parts, Shard, Work};
///
/// #[derive(serde::Serialize)]
/// struct Settings { power: u32 }
///
/// let work = Work::new("power", 10, &Settings { power: 2 })?;
/// let folder = tempfile::tempdir()?;
/// let parts = Parts::new(folder.path(), "squares", "txt");
/// for index in 0..3 {
///     let mut part = parts.open(&work, Shard::new(index, 3)?)?;
///     while let Some(item) = part.next_item() {
///         part.append(&(item * item).to_string())?;
///     }
/// }
/// let merged = Merged::of(&parts, &work)?;
/// let records = merged.records()?.collect::<Result<Vec<String>, _>>()?;
/// assert_eq!(records, ["0", "1", "4", "9", "16", "25", "36", "49", "64", "81"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    folder: PathBuf,
    name: String,
    extension: String,
}

impl Parts {
    /// Returns the parts of a name and an extension in a folder, which need not exist yet.
    pub fn new(folder: &Path, name: &str, extension: &str) -> Self {
        Self {
            folder: folder.into(),
            name: name.into(),
            extension: extension.into(),
        }
    }

    /// Returns the parts in a folder that have the name of a part elsewhere, and an extension.
    #[must_use]
    pub fn like(part: &Path, folder: &Path, extension: &str) -> Self {
        let stem = part.file_name().unwrap_or_default().to_string_lossy();
        let stem = stem.strip_suffix(&format!(".{BEGUN}")).unwrap_or(&stem);
        let stem = stem.strip_suffix(&format!(".{extension}")).unwrap_or(stem);
        let name = match stem.rsplit_once('-') {
            Some((name, shard)) if shard.contains("of") => name,
            _ => stem,
        };
        Self::new(folder, name, extension)
    }

    /// Returns the path of a shard's complete file.
    pub fn path(&self, shard: Shard) -> PathBuf {
        let (index, count) = (shard.index(), shard.count());
        let name = format!("{}-{index}of{count}.{}", self.name, self.extension);
        self.folder.join(name)
    }

    /// Returns the path of a shard's incomplete file.
    pub fn begun_path(&self, shard: Shard) -> PathBuf {
        self.path(shard).with_added_extension(BEGUN)
    }

    /// Lists the existing files, complete or not, sorted by name.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be listed.
    pub fn files(&self) -> Result<Vec<PathBuf>, ShardError> {
        let mut files = self.all_files()?;
        files.retain(|path| self.is_named(path));
        Ok(files)
    }

    /// Lists the files of parts of any name.
    fn all_files(&self) -> Result<Vec<PathBuf>, ShardError> {
        self.check_folder()?;
        let listed = list(&self.folder, &self.extension);
        listed.map_err(|source| ShardError::io(&self.folder, source))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns whether a file has the name of these parts.
    fn is_named(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        let shard = name.and_then(|name| name.strip_prefix(&*self.name));
        shard.is_some_and(|shard| shard.starts_with('-'))
    }

    /// Opens the part of a shard, both it and the folder created if they do not exist; an incomplete line at its
    /// end is removed.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be used or is damaged, another process is writing the part, or there is a part of other
    /// work or of an overlapping shard, or a file with the extension is not a part. A part just created is then
    /// removed, so that processes that start different work at the same time do not mix their parts: at most one of
    /// them continues.
    pub fn open(&self, work: &Work, shard: Shard) -> Result<Part, ShardError> {
        let items = work.items().ok_or_else(|| ShardError::Items {
            path: self.path(shard),
        })?;
        self.create_folder()?;
        if let Some(part) = self.complete(work, shard)? {
            self.check_others(work, shard)?;
            return Ok(part);
        }
        let path = self.begun_path(shard);
        let file = lock(&path)?;
        if !file
            .is_at(&path)
            .map_err(|source| ShardError::io(&path, source))?
        {
            // Another process has removed or completed the file since this one opened it.
            drop(file);
            return self.open(work, shard);
        }
        if self.path(shard).exists() {
            // Another process has completed the part since; this one may have created an empty file.
            if file.size().is_ok_and(|size| size == 0) {
                // If it stays, the complete part takes precedence.
                let _ = fs::remove_file(&path);
            }
            drop(file);
            return self.open(work, shard);
        }
        let (begun, records) = self.resume(file, work, shard)?;
        // Only now that this part is visible: of two processes that start, the second sees the part of the first.
        if let Err(error) = self.check_others(work, shard) {
            if records == 0 {
                // If it stays, the next start of other work reports it.
                let _ = fs::remove_file(&path);
            }
            return Err(error);
        }
        Part::open(&self.path(shard), begun, shard, records, items)
    }

    fn create_folder(&self) -> Result<(), ShardError> {
        self.check_folder()?;
        fs::create_dir_all(&self.folder).map_err(|source| ShardError::io(&self.folder, source))
    }

    /// Checks that the folder's path is not a file.
    fn check_folder(&self) -> Result<(), ShardError> {
        if self.folder.exists() && !self.folder.is_dir() {
            let path = self.folder.clone();
            return Err(ShardError::Folder { path });
        }
        Ok(())
    }

    /// Returns the part if it is complete.
    fn complete(&self, work: &Work, shard: Shard) -> Result<Option<Part>, ShardError> {
        let path = self.path(shard);
        if !path.exists() {
            return Ok(None);
        }
        let mut reader = PartReader::open(&path)?;
        check(reader.path(), reader.work(), reader.shard(), work, shard)?;
        reader.checksum()?;
        if !reader.is_complete() {
            let (line, expected) = (reader.records() + 2, "the end of a complete part");
            return Err(ShardError::Line {
                path,
                line,
                expected,
            });
        }
        Ok(Some(Part::complete(&path, shard, reader.records())))
    }

    /// Continues or creates an incomplete file; also returns the number of its records.
    fn resume(
        &self,
        mut file: AppendFile,
        work: &Work,
        shard: Shard,
    ) -> Result<(Begun, u64), ShardError> {
        let path = self.begun_path(shard);
        let io = |source| ShardError::io(&path, source);
        let header = Header::print(work, shard);
        if is_torn_header(&mut file, &header).map_err(io)? {
            file.truncate(0).map_err(io)?;
            let mut begun = Begun {
                path: path.clone(),
                file,
                checksum: Checksum::default(),
                length: 0,
            };
            begun.append(&header)?;
            sync_folder(&path).map_err(io)?;
            return Ok((begun, 0));
        }
        let mut reader = PartReader::new(&path, file.reader().map_err(io)?)?;
        check(&path, reader.work(), reader.shard(), work, shard)?;
        reader.checksum()?;
        let records = reader.records();
        let (checksum, length) = reader.into_state();
        file.truncate(length).map_err(io)?;
        let begun = Begun {
            path: path.clone(),
            file,
            checksum,
            length,
        };
        Ok((begun, records))
    }

    /// Checks that all other files are parts, and that those with this name belong to the same work and to disjoint
    /// shards.
    fn check_others(&self, work: &Work, shard: Shard) -> Result<(), ShardError> {
        let own = [self.path(shard), self.begun_path(shard)];
        for path in self.all_files()? {
            // A process that has just created a file checks the others after writing its header.
            if own.contains(&path) || is_new(&path) {
                continue;
            }
            let reader = match PartReader::open(&path) {
                Ok(reader) => reader,
                // Another process has just removed it. If it appears again, its process checks this part.
                Err(ShardError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            if !self.is_named(&path) {
                continue;
            }
            check(&path, reader.work(), shard, work, shard)?;
            if reader.shard().overlaps(shard) && reader.shard() != shard {
                return Err(ShardError::Overlap { path, shard });
            }
        }
        Ok(())
    }
}

/// Returns the part files at some paths, files or folders. A folder gives its files with the extension, complete or
/// not, sorted by name. An incomplete one is left out if the complete one is there, too.
///
/// # Errors
///
/// Fails if a folder cannot be listed.
pub fn part_files(paths: &[PathBuf], extension: &str) -> Result<Vec<PathBuf>, ShardError> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let listed = list(path, extension);
            files.extend(listed.map_err(|source| ShardError::io(path, source))?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn list(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let files: BTreeSet<PathBuf> = entries.collect::<io::Result<_>>()?;
    let is_part = |path: &&PathBuf| {
        // The listing decides, not the folder now: a file may have been completed since.
        let is_whole_too = completed(path).is_some_and(|complete| files.contains(&complete));
        is_named_as_part(path, extension) && !is_whole_too
    };
    // Sorted, since the system's order of files must not affect the result.
    Ok(files.iter().filter(is_part).cloned().collect())
}

/// Returns true if a path has the name of a part with this extension, complete or not.
pub fn is_named_as_part(path: &Path, extension: &str) -> bool {
    let complete = completed(path);
    let end = complete.as_deref().unwrap_or(path).extension();
    end.is_some_and(|end| end == extension)
}

/// Returns whether a file has no whole line yet.
fn is_new(path: &Path) -> bool {
    let read = || crate::read(path, crate::MIB);
    path.extension().is_some_and(|end| end == BEGUN)
        && read().is_ok_and(|bytes| !bytes.contains(&b'\n'))
}

fn lock(path: &Path) -> Result<AppendFile, ShardError> {
    let options = AppendOptions {
        lock: true,
        regular: true,
        ..AppendOptions::default()
    };
    AppendFile::open(path, options).map_err(|error| match error {
        OpenError::Locked => ShardError::Locked { path: path.into() },
        other => ShardError::io(path, other.into()),
    })
}

/// Returns true if the file is empty or an incomplete first line, possibly followed by zeros, which a crash of the
/// machine leaves in place of unwritten data.
fn is_torn_header(file: &mut AppendFile, header: &str) -> io::Result<bool> {
    if file.size()? >= MAX_TORN {
        return Ok(false);
    }
    let line = Checksum::default().print(header);
    let mut found = file.read(MAX_TORN)?;
    found.truncate(
        found
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1),
    );
    Ok(found.len() < line.len() && line.as_bytes().starts_with(&found))
}

/// The length from which a file is not taken as an incomplete first line.
const MAX_TORN: u64 = 1 << 20;

/// Checks that a part is of the expected work and shard.
fn check(
    path: &Path,
    work: &Work,
    shard: Shard,
    expected_work: &Work,
    expected_shard: Shard,
) -> Result<(), ShardError> {
    let shards = || Difference {
        expected: format!("shard {expected_shard}"),
        found: format!("shard {shard}"),
    };
    let difference = expected_work.difference(work);
    let difference = difference.or_else(|| (shard != expected_shard).then(shards));
    difference.map_or(Ok(()), |difference| {
        let path = path.into();
        Err(ShardError::Other { path, difference })
    })
}
