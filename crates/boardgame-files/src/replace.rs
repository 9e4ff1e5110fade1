//! Output files that other processes see only whole.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read as _, Write as _},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::sync_folder;

/// The number of bytes at the beginning of a file that identify its kind.
const KIND: usize = 8;

/// The error of a file that is not replaced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
    /// The file is of another kind.
    #[error(
        "{}: expected no file or one that begins with \"{}\", found \"{}\"",
        path.display(), kind.escape_ascii(), found.escape_ascii()
    )]
    Kind {
        /// The file.
        path: PathBuf,
        /// The first bytes that were expected.
        kind: Vec<u8>,
        /// The first bytes of the file.
        found: Vec<u8>,
    },
}

/// Writes a file as a whole: a process that is killed leaves the file that was there before, or none. A file that
/// exists is replaced only if it begins with the same eight bytes, so that a mistaken path does not overwrite a file of
/// another kind. What is not a regular file, such as a pipe, is written to as it is.
///
/// # Errors
///
/// Fails if the file is of another kind, or cannot be read or written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), ReplaceError> {
    let io = |reason| ReplaceError::Io {
        path: path.into(),
        reason,
    };
    let kind = &bytes[..KIND.min(bytes.len())];
    let found = beginning(path).map_err(io)?;
    if !kind.starts_with(&found) {
        return Err(ReplaceError::Kind {
            path: path.into(),
            kind: kind.into(),
            found,
        });
    }
    if path.exists() {
        overwrite(path, bytes).map_err(io)
    } else {
        let file = temporary(path, bytes).map_err(io)?;
        persist(file, path).map_err(io)
    }
}

/// Writes a file as a whole unless there is one, and returns whether it did. If several processes, also on several
/// machines, create the same file, one does.
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
    if path.exists() {
        return Ok(false);
    }
    match temporary(path, bytes)?.persist_noclobber(path) {
        Ok(_) => sync_folder(path).map(|()| true),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}

/// Replaces a file that exists, of whatever kind, or what a symbolic link leads to, as a whole, and keeps its permissions.
///
/// # Errors
///
/// Fails if there is no file, or it may not be written.
pub fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if !path.is_file() {
        return fs::write(path, bytes);
    }
    let path = fs::canonicalize(path)?;
    // A file that may not be written is not replaced either.
    let permissions = OpenOptions::new()
        .write(true)
        .open(&path)?
        .metadata()?
        .permissions();
    let file = temporary(&path, bytes)?;
    file.as_file().set_permissions(permissions)?;
    persist(file, &path)
}

/// Gives a temporary file its name.
fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.persist(path)?;
    sync_folder(path)
}

/// Writes bytes to the disk, in the folder of a file but under a random name, which no other machine has either.
fn temporary(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    // With the permissions of any new file; a `NamedTempFile` of its own would be private.
    let open = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".tmp")
        .make_in(folder, open)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
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
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace(&link, b"one more").unwrap();
        assert!(link.is_symlink());
        assert_eq!(
            (fs::read(&path).unwrap(), mode(&path)),
            (b"one more".into(), 0o640)
        );
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
