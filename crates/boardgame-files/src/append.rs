//! Append-only files.

use std::{
    fmt::Display,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// Options for opening an append-only file; by default there is no lock, and devices are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AppendOptions {
    /// Creates missing parent folders.
    pub create_folder: bool,
    /// Locks the file until it is closed, and fails if another holder keeps it for half a second.
    pub lock: bool,
    /// Fails if the path is not a regular file, such as a device.
    pub regular: bool,
}

/// An error of opening an append-only file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum OpenError {
    /// The parent folder cannot be created.
    #[error("expected a folder at {}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// Another process, or this one through another handle, has locked the file.
    #[error("expected an unlocked file, found one that another process has locked")]
    Locked,
    /// The path is not a regular file, such as a device.
    #[error("expected a regular file")]
    NotRegular,
    /// The file cannot be opened, created or locked.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<OpenError> for io::Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Io(source) => source,
            OpenError::Folder { ref source, .. } => Self::new(source.kind(), error),
            OpenError::Locked => Self::new(ErrorKind::WouldBlock, error),
            OpenError::NotRegular => Self::other(error),
        }
    }
}

/// The time to wait for a lock. A process that was killed while it started a program leaves its locks to that program
/// until the program is loaded.
const LOCK_WAIT: Duration = Duration::from_millis(500);

/// A file open for appending, read and truncated only to continue after an earlier writer.
///
/// A writer that is killed leaves at most one incomplete append at the end, which the next writer finds with
/// [`read`](Self::read) and removes with [`truncate`](Self::truncate), or turns into a line of its own with
/// [`end_line`](Self::end_line).
///
/// # Examples
///
/// ```
/// use boardgame_files::{AppendFile, AppendOptions, OpenError};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("moves");
/// std::fs::write(&path, "f5\nd")?;
///
/// let options = AppendOptions { lock: true, ..AppendOptions::default() };
/// let mut file = AppendFile::open(&path, options)?;
/// assert!(matches!(AppendFile::open(&path, options), Err(OpenError::Locked)));
/// let text = file.read_to_string(1000)?;
/// let whole_lines = text.rfind('\n').map_or(0, |end| end + 1);
/// file.truncate(whole_lines as u64)?;
/// file.append_line("d6")?;
/// file.sync()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "f5\nd6\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AppendFile {
    /// The file, locked until it is closed if requested.
    file: File,
}

impl AppendFile {
    /// Opens or creates a file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened or created, or does not meet the options.
    pub fn open(path: &Path, options: AppendOptions) -> Result<Self, OpenError> {
        if options.create_folder
            && let Some(folder) = path.parent()
        {
            fs::create_dir_all(folder).map_err(|source| OpenError::Folder {
                path: folder.into(),
                source,
            })?;
        }
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        if options.lock {
            lock(&file)?;
        }
        if options.regular && !file.metadata()?.is_file() {
            return Err(OpenError::NotRegular);
        }
        Ok(Self { file })
    }

    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    ///
    /// Fails if the system does not report it.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Returns true if the path still names this file; another process may have removed, renamed or replaced it.
    /// Always true on systems without file numbers.
    ///
    /// # Errors
    ///
    /// Fails if the system does not report it.
    pub fn is_at(&self, path: &Path) -> io::Result<bool> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;

            let numbers = |file: &fs::Metadata| (file.dev(), file.ino());
            let own = numbers(&self.file.metadata()?);
            match fs::metadata(path) {
                Ok(found) => Ok(numbers(&found) == own),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
                Err(error) => Err(error),
            }
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            Ok(true)
        }
    }

    /// Returns a reader from the beginning of the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be rewound, such as a pipe.
    pub fn reader(&mut self) -> io::Result<BufReader<&File>> {
        self.file.rewind()?;
        Ok(BufReader::new(&self.file))
    }

    /// Reads all bytes of a file that has at most `max`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or has more bytes.
    pub fn read(&mut self, max: u64) -> io::Result<Vec<u8>> {
        crate::read_from(self.reader()?, max)
    }

    /// Reads all text of a file that has at most `max` bytes.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, has more bytes, or is not UTF-8.
    pub fn read_to_string(&mut self, max: u64) -> io::Result<String> {
        crate::read_string_from(self.reader()?, max)
    }

    /// Truncates the file to a length in bytes.
    ///
    /// # Errors
    ///
    /// Fails if the system does not allow it, as for a device.
    pub fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    /// Appends bytes, in a single call if the system accepts all.
    ///
    /// # Errors
    ///
    /// Fails if not all bytes can be written; some of them may be in the file then.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Appends a line and its newline as [`append`](Self::append) does.
    ///
    /// # Errors
    ///
    /// As for [`append`](Self::append).
    pub fn append_line(&mut self, line: impl Display) -> io::Result<()> {
        self.append(format!("{line}\n").as_bytes())
    }

    /// Appends a newline unless the file is empty or ends with one, so that an incomplete line does not run
    /// into the next.
    ///
    /// # Errors
    ///
    /// Fails if the end of the file cannot be read or the newline cannot be written.
    pub fn end_line(&mut self) -> io::Result<()> {
        let mut last = [b'\n'];
        if self.file.seek(SeekFrom::End(0))? > 0 {
            self.file.seek(SeekFrom::End(-1))?;
            self.file.read_exact(&mut last)?;
        }
        match last {
            [b'\n'] => Ok(()),
            _ => self.append(b"\n"),
        }
    }

    /// Waits until all that was appended is on disk. For a device or pipe there is nothing to wait for.
    ///
    /// # Errors
    ///
    /// Fails if the disk does not take it.
    pub fn sync(&self) -> io::Result<()> {
        crate::sync::if_possible(self.file.sync_data())
    }
}

/// Locks a file for this process.
fn lock(file: &File) -> Result<(), OpenError> {
    let end = Instant::now() + LOCK_WAIT;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(source)) => return Err(OpenError::Io(source)),
            Err(TryLockError::WouldBlock) if Instant::now() >= end => {
                return Err(OpenError::Locked);
            }
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_WAIT / 20),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCKED: AppendOptions = AppendOptions {
        create_folder: false,
        lock: true,
        regular: false,
    };

    fn open(path: &Path) -> AppendFile {
        AppendFile::open(path, AppendOptions::default()).unwrap()
    }

    #[test]
    fn a_file_is_created_and_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        open(&path).append_line("first").unwrap();
        let mut file = open(&path);
        assert_eq!(file.size().unwrap(), 6);
        assert_eq!(file.read(6).unwrap(), b"first\n");
        file.append(b"second").unwrap();
        file.sync().unwrap();
        // A second read starts at the beginning again, despite the append.
        assert_eq!(file.read_to_string(12).unwrap(), "first\nsecond");
        let error = file.read(11).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }

    #[test]
    fn appending_after_truncation_leaves_no_gap() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = open(&path);
        file.append(b"one\ntwo\nthr").unwrap();
        assert_eq!(file.read(99).unwrap().len(), 11);
        file.truncate(4).unwrap();
        file.append_line(2).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\n2\n");
    }

    #[test]
    fn a_lock_that_is_soon_released_is_awaited() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = AppendFile::open(&path, LOCKED).unwrap();
        let holder = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            drop(file);
        });
        AppendFile::open(&path, LOCKED).unwrap();
        holder.join().unwrap();
    }

    #[test]
    fn a_lock_lasts_until_the_file_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = AppendFile::open(&path, LOCKED).unwrap();
        let error = AppendFile::open(&path, LOCKED).unwrap_err();
        assert!(matches!(error, OpenError::Locked), "{error:?}");
        let error = io::Error::from(error);
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        assert!(
            error.to_string().starts_with("expected an unlocked file"),
            "{error}"
        );
        drop(file);
        let unlocked = open(&path);
        AppendFile::open(&path, LOCKED).unwrap();
        drop(unlocked);
    }

    #[test]
    fn missing_folders_are_created_only_if_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/file");
        let error = AppendFile::open(&path, AppendOptions::default()).unwrap_err();
        let OpenError::Io(source) = &error else {
            panic!("{error:?}")
        };
        assert_eq!(source.kind(), ErrorKind::NotFound);
        assert!(!folder.path().join("a").exists());
        let options = AppendOptions {
            create_folder: true,
            ..AppendOptions::default()
        };
        AppendFile::open(&path, options).unwrap();
        assert!(path.is_file());

        let error = AppendFile::open(&path.join("below"), options).unwrap_err();
        let OpenError::Folder { path: named, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(*named, path);
        let expected = format!("expected a folder at {}", path.display());
        assert_eq!(io::Error::from(error).to_string(), expected);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_removed_or_replaced_is_no_longer_at_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = open(&path);
        assert!(file.is_at(&path).unwrap());
        fs::remove_file(&path).unwrap();
        assert!(!file.is_at(&path).unwrap());
        let other = open(&path);
        assert!(!file.is_at(&path).unwrap() && other.is_at(&path).unwrap());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_is_a_file_unless_a_regular_one_is_asked_for() {
        let path = Path::new("/dev/full");
        let mut file = open(path);
        file.end_line().unwrap();
        file.sync().unwrap();
        let error = file.append_line("line").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
        let options = AppendOptions {
            regular: true,
            ..AppendOptions::default()
        };
        let error = AppendFile::open(path, options).unwrap_err();
        assert!(matches!(error, OpenError::NotRegular), "{error:?}");
        assert_eq!(
            io::Error::from(error).to_string(),
            "expected a regular file"
        );
    }

    #[test]
    fn an_incomplete_line_is_ended_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for (before, after) in [("", ""), ("\n", "\n"), ("a\n", "a\n"), ("a\nb", "a\nb\n")] {
            fs::write(&path, before).unwrap();
            for _ in 0..2 {
                open(&path).end_line().unwrap();
                assert_eq!(fs::read_to_string(&path).unwrap(), after, "{before:?}");
            }
        }
    }
}
