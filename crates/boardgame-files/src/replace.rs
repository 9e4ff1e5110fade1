//! Output files that other processes see only when complete.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, BufWriter, ErrorKind, Read as _, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempPath};

use crate::sync_folder;

/// The number of bytes at the beginning of a file that identify its kind.
const KIND: usize = 8;

/// The error of a file that is not replaced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReplaceError {
    /// The file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io { path: PathBuf, reason: io::Error },
    /// The file is of another kind.
    #[error(
        "{}: expected no file or one that begins with \"{}\", found \"{}\"",
        path.display(), kind.escape_ascii(), found.escape_ascii()
    )]
    Kind {
        path: PathBuf,
        /// The first bytes that were expected.
        kind: Vec<u8>,
        /// The first bytes of the file.
        found: Vec<u8>,
    },
    /// The file exists and must not be replaced.
    #[error("{}: expected a new file", path.display())]
    Exists { path: PathBuf },
    /// The path is a folder, or its folder does not exist.
    #[error("{}: expected a file in a folder that exists", path.display())]
    Folder { path: PathBuf },
}

impl ReplaceError {
    fn io(path: &Path, reason: io::Error) -> Self {
        let path = path.into();
        match reason.kind() {
            ErrorKind::AlreadyExists => Self::Exists { path },
            _ => Self::Io { path, reason },
        }
    }
}

/// A file written under a temporary name next to its path, and moved there once it is complete: a killed process
/// leaves the old file, or none. If dropped earlier, it leaves nothing.
///
/// A file that exists is replaced only if it begins with the same eight bytes, so that a mistaken path does not
/// overwrite a file of another kind; it keeps its permissions, and a symbolic link stays one. A path that is not a
/// regular file, such as a pipe, is written to directly.
///
/// # Examples
///
/// ```
/// use std::io::Write as _;
///
/// use boardgame_files::Replacement;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("out");
/// let mut file = Replacement::begin(&path, b"numbers:")?;
/// file.write_all(b"numbers: 1 2 3")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"numbers: 1 2 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    out: BufWriter<File>,
    /// The temporary name, unless the file is written to directly.
    temporary: Option<TempPath>,
    /// True if the file must not replace another.
    is_new: bool,
}

/// Returns the target of a symbolic link, or the path itself if it is none; for a link to a link, the second link.
fn target(path: &Path) -> PathBuf {
    match (fs::read_link(path), path.parent()) {
        (Ok(target), Some(folder)) => folder.join(target),
        _ => path.to_owned(),
    }
}

impl Replacement {
    /// Opens a file whose content begins with `kind`; only eight bytes count.
    ///
    /// # Errors
    ///
    /// Fails if there is a file of another kind, or the folder or the file cannot be written.
    pub fn begin(path: &Path, kind: &[u8]) -> Result<Self, ReplaceError> {
        check_kind(path, kind)?;
        Self::open(path).map_err(|reason| ReplaceError::io(path, reason))
    }

    /// Opens a file at a path where there is none. One created there meanwhile is not replaced.
    ///
    /// # Errors
    ///
    /// Fails if there is a file, or it cannot be written.
    pub fn begin_new(path: &Path) -> Result<Self, ReplaceError> {
        let begin = || {
            if path.exists() || path.is_symlink() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            let mut file = Self::temporary(path.to_owned(), None)?;
            file.is_new = true;
            Ok(file)
        };
        begin().map_err(|reason| ReplaceError::io(path, reason))
    }

    /// Opens a file of whatever kind.
    fn open(path: &Path) -> io::Result<Self> {
        if !path.exists() {
            return Self::temporary(target(path), None);
        }
        let existing = OpenOptions::new().write(true).open(path)?;
        if !path.is_file() {
            return Ok(Self {
                path: path.to_owned(),
                out: BufWriter::new(existing),
                temporary: None,
                is_new: false,
            });
        }
        let permissions = existing.metadata()?.permissions();
        Self::temporary(fs::canonicalize(path)?, Some(permissions))
    }

    fn temporary(path: PathBuf, permissions: Option<Permissions>) -> io::Result<Self> {
        let file = temporary(&path)?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        let (file, temporary) = file.into_parts();
        Ok(Self {
            path,
            out: BufWriter::new(file),
            temporary: Some(temporary),
            is_new: false,
        })
    }

    /// Gives the file its path, once all of it is on the disk.
    ///
    /// # Errors
    ///
    /// Fails if the rest cannot be written, which leaves the old file in place, or if the folder cannot be synced.
    pub fn finish(self) -> Result<(), ReplaceError> {
        let path = self.path.clone();
        self.persist()
            .map_err(|reason| ReplaceError::io(&path, reason))
    }

    fn persist(mut self) -> io::Result<()> {
        self.out.flush()?;
        let Some(temporary) = self.temporary else {
            return Ok(());
        };
        self.out.get_ref().sync_all()?;
        if self.is_new {
            temporary.persist_noclobber(&self.path)?;
        } else {
            temporary.persist(&self.path)?;
        }
        sync_folder(&self.path)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

/// Checks that [`replace`] can write a file whose content begins with `kind`, before the work that gives the content.
///
/// # Errors
///
/// Fails if there is a file of another kind or a folder at the path, or no folder for the file.
///
/// # Examples
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("game.sgf");
/// boardgame_files::check_target(&path, b"<svg xmlns")?;
/// std::fs::write(&path, "(;GM[1];B[cc])")?;
/// assert!(boardgame_files::check_target(&path, b"<svg xmlns").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_target(path: &Path, kind: &[u8]) -> Result<(), ReplaceError> {
    if path.is_dir() || !folder_of(&target(path)).is_dir() {
        return Err(ReplaceError::Folder { path: path.into() });
    }
    check_kind(path, kind)
}

/// Checks that there is no file of another kind: the first eight bytes count, or fewer if `kind` or the file is
/// shorter.
fn check_kind(path: &Path, kind: &[u8]) -> Result<(), ReplaceError> {
    let kind = &kind[..KIND.min(kind.len())];
    let found = beginning(path).map_err(|reason| ReplaceError::io(path, reason))?;
    if kind.starts_with(&found) || found.starts_with(kind) {
        return Ok(());
    }
    Err(ReplaceError::Kind {
        path: path.into(),
        kind: kind.into(),
        found,
    })
}

/// Writes a whole file with a [`Replacement`].
///
/// # Errors
///
/// Fails if the file is of another kind, or cannot be read or written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), ReplaceError> {
    let mut file = Replacement::begin(path, bytes)?;
    file.write_all(bytes)
        .map_err(|reason| ReplaceError::io(path, reason))?;
    file.finish()
}

/// Writes a whole file unless it exists, and returns true if it did. If several processes, possibly on several
/// machines, create the same file, exactly one succeeds.
///
/// # Errors
///
/// Fails if the file cannot be written.
///
/// # Examples
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("settings");
/// assert!(boardgame_files::create(&path, b"seed = 1")?);
/// assert!(!boardgame_files::create(&path, b"seed = 2")?);
/// assert_eq!(std::fs::read(&path)?, b"seed = 1");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let write = || {
        let mut file = Replacement::begin_new(path)?;
        file.write_all(bytes)
            .map_err(|reason| ReplaceError::io(path, reason))?;
        file.finish()
    };
    match write() {
        Ok(()) => Ok(true),
        Err(ReplaceError::Exists { .. }) => Ok(false),
        Err(ReplaceError::Io { reason, .. }) => Err(reason),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Writes a whole file like [`replace`], in place of a file of any kind.
///
/// # Errors
///
/// Fails if the file cannot be written.
pub fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Replacement::open(path)?;
    file.write_all(bytes)?;
    file.persist()
}

/// Creates a file in the folder of another one, under a random name that is unique across machines.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    // With the permissions of any new file; `NamedTempFile` alone would make it private.
    let open = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".tmp")
        .make_in(folder_of(path), open)
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The first bytes of a file; none if it does not exist or is not a regular file.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.is_file() {
        File::open(path)?
            .take(KIND as u64)
            .read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        replace(&path, b"<svg xmlns one").unwrap();
        replace(&path, b"<svg xmlns two").unwrap();
        let error = replace(&path, b"othello\0weights").unwrap_err().to_string();
        assert!(
            error.ends_with(
                r#"expected no file or one that begins with "othello\x00", found "<svg xml""#
            ),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"<svg xmlns two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_kind_of_few_bytes_is_the_beginning_of_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::write(&path, "(;GM[1]SZ[19])").unwrap();
        assert!(check_target(&path, b"(;)").is_err());
        check_target(&path, b"(;").unwrap();
        check_target(&path, b"").unwrap();
    }

    #[test]
    fn a_file_that_is_not_finished_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        replace(&path, b"<svg xmlns one").unwrap();
        let mut file = Replacement::begin(&path, b"<svg xmlns two").unwrap();
        file.write_all(b"<svg xmlns two").unwrap();
        file.flush().unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"<svg xmlns one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_reader_keeps_the_file_that_was_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        replace(&path, b"<svg xmlns one").unwrap();
        let mut reader = File::open(&path).unwrap();
        replace(&path, b"<svg xmlns two, and more").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "<svg xmlns one");
    }

    #[test]
    fn a_file_without_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/out");
        assert!(matches!(replace(&path, b"x"), Err(ReplaceError::Io { .. })));
        assert_eq!(create(&path, b"x").unwrap_err().kind(), ErrorKind::NotFound);
        let error = replace(folder.path(), b"x").unwrap_err();
        assert!(matches!(error, ReplaceError::Io { .. }), "{error}");
        for path in [&path, folder.path()] {
            let error = check_target(path, b"x").unwrap_err();
            assert!(matches!(error, ReplaceError::Folder { .. }), "{error}");
        }
        check_target(Path::new("out-that-does-not-exist"), b"x").unwrap();
    }

    #[test]
    fn a_new_file_replaces_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let begin = || Replacement::begin_new(&path);
        let mut file = begin().unwrap();
        file.write_all(b"head, and more").unwrap();
        file.rewind().unwrap();
        file.write_all(b"HEAD").unwrap();
        fs::write(&path, "another").unwrap();
        let error = file.finish().unwrap_err();
        assert!(matches!(error, ReplaceError::Exists { .. }), "{error}");
        assert!(matches!(begin(), Err(ReplaceError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"another");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [path, link, plain] = ["out", "link", "plain"].map(|name| folder.path().join(name));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        replace(&path, b"one").unwrap();
        fs::write(&plain, b"one").unwrap();
        assert_eq!(mode(&path), mode(&plain));
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace(&link, b"one more").unwrap();
        assert!(link.is_symlink());
        assert_eq!(
            (fs::read(&path).unwrap(), mode(&path)),
            (b"one more".into(), 0o640)
        );
        // A link stays a link even if its target does not exist.
        fs::remove_file(&path).unwrap();
        replace(&link, b"another").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"another");
    }

    #[test]
    fn one_of_several_writers_creates_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let texts = ["one", "two", "three", "four"];
        let created: Vec<bool> = std::thread::scope(|scope| {
            let create = |text: &'static str| {
                let path = &path;
                scope.spawn(move || create(path, text.as_bytes()).unwrap())
            };
            let threads = texts.map(create);
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let by = created.iter().position(|&created| created).unwrap();
        assert_eq!(created.iter().filter(|&&created| created).count(), 1);
        assert_eq!(fs::read(&path).unwrap(), texts[by].as_bytes());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
