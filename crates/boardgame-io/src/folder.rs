//! Files in folders that others may change meanwhile.

use std::{
    ffi::OsStr,
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

/// The maximum depth of folders in a folder that is read.
const MAX_DEPTH: usize = 32;

/// Opens a regular file in a folder that others may change: follows no link, and waits for no pipe.
///
/// # Errors
///
/// Fails if the file cannot be opened or is of another kind.
pub(crate) fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        use nix::fcntl::OFlag;
        options.custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("expected a regular file"))
    }
}

/// A file in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderFile {
    /// The path in the folder.
    pub path: PathBuf,
    /// The contents.
    pub bytes: Vec<u8>,
    /// True if anyone may execute it; always where there are no such permissions.
    pub is_executable: bool,
}

/// Reads all files in a folder, sorted by path, at most a number of files and folders and a number of bytes.
///
/// On Unix each name is looked up in the open folder above it, so that a folder which is replaced by a link meanwhile
/// leads nowhere else. The folder's own path may have links before its last name.
///
/// # Errors
///
/// Fails if something cannot be read, is a link or a device, or there is too much; the error names it.
pub fn read_folder(folder: &Path, max_files: usize, max_size: u64) -> io::Result<Vec<FolderFile>> {
    let mut reader = FolderReader {
        files: Vec::new(),
        files_left: max_files,
        bytes_left: max_size,
    };
    #[cfg(unix)]
    reader.read(nix::fcntl::AT_FDCWD, folder.as_os_str(), Path::new(""), 0)?;
    #[cfg(not(unix))]
    reader.read(Path::new("."), folder.as_os_str(), Path::new(""), 0)?;
    let mut files = reader.files;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

struct FolderReader {
    files: Vec<FolderFile>,
    files_left: usize,
    bytes_left: u64,
}

impl FolderReader {
    /// Reads the file or folder with a name in a folder; `path` is for its files and for errors.
    #[cfg(unix)]
    fn read(
        &mut self,
        folder: std::os::fd::BorrowedFd<'_>,
        name: &OsStr,
        path: &Path,
        depth: usize,
    ) -> io::Result<()> {
        use std::os::{
            fd::{AsFd as _, OwnedFd},
            unix::{ffi::OsStrExt as _, fs::PermissionsExt as _},
        };

        use nix::{
            dir::Dir,
            errno::Errno,
            fcntl::{OFlag, openat},
            sys::stat::Mode,
        };

        let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let opened = match openat(folder, name, flags, Mode::empty()) {
            Err(Errno::ELOOP) => return Err(wrong_kind(path)),
            opened => File::from(opened.map_err(|error| at(path, error.into()))?),
        };
        let metadata = opened.metadata().map_err(|error| at(path, error))?;
        if metadata.is_file() {
            let is_executable = metadata.permissions().mode() & 0o111 != 0;
            return self.add(opened, path, is_executable);
        } else if !metadata.is_dir() {
            return Err(wrong_kind(path));
        }
        let failed = |error: Errno| at(path, error.into());
        let mut folder = Dir::from_fd(OwnedFd::from(opened)).map_err(failed)?;
        let mut names = Vec::new();
        for entry in folder.iter() {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                self.count(path, depth)?;
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        for name in names {
            self.read(folder.as_fd(), &name, &path.join(&name), depth + 1)?;
        }
        Ok(())
    }

    /// Reads the file or folder with a name in a folder; `path` is for its files and for errors.
    #[cfg(not(unix))]
    fn read(&mut self, folder: &Path, name: &OsStr, path: &Path, depth: usize) -> io::Result<()> {
        let whole = folder.join(name);
        let metadata = std::fs::symlink_metadata(&whole).map_err(|error| at(path, error))?;
        if metadata.is_file() {
            let opened = File::open(&whole).map_err(|error| at(path, error))?;
            return self.add(opened, path, true);
        } else if !metadata.is_dir() {
            return Err(wrong_kind(path));
        }
        for entry in std::fs::read_dir(&whole).map_err(|error| at(path, error))? {
            self.count(path, depth)?;
            let name = entry.map_err(|error| at(path, error))?.file_name();
            self.read(&whole, &name, &path.join(&name), depth + 1)?;
        }
        Ok(())
    }

    /// Counts an entry of a folder at a depth.
    fn count(&mut self, path: &Path, depth: usize) -> io::Result<()> {
        if depth >= MAX_DEPTH {
            let error = format!("expected folders at most {MAX_DEPTH} deep");
            return Err(at(path, io::Error::other(error)));
        }
        let left = self.files_left.checked_sub(1);
        self.files_left = left.ok_or_else(|| io::Error::other("expected fewer files"))?;
        Ok(())
    }

    fn add(&mut self, mut file: File, path: &Path, is_executable: bool) -> io::Result<()> {
        let mut bytes = Vec::new();
        let mut bounded = (&mut file).take(self.bytes_left + 1);
        bounded
            .read_to_end(&mut bytes)
            .map_err(|error| at(path, error))?;
        let left = self.bytes_left.checked_sub(bytes.len() as u64);
        self.bytes_left = left.ok_or_else(|| io::Error::other("expected smaller files"))?;
        self.files.push(FolderFile {
            path: path.to_owned(),
            bytes,
            is_executable,
        });
        Ok(())
    }
}

fn at(path: &Path, error: io::Error) -> io::Error {
    if path.as_os_str().is_empty() {
        return error;
    }
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn wrong_kind(path: &Path) -> io::Error {
    let error = "expected a file or a folder, found a link or device";
    at(path, io::Error::other(error))
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn nothing_outside_a_folder_is_read() {
        let temporary = tempfile::tempdir().unwrap();
        let path = |name: &str| temporary.path().join(name);
        fs::create_dir_all(path("secret/sub")).unwrap();
        fs::write(path("secret/sub/key"), "key").unwrap();
        fs::create_dir_all(path("ann/sub")).unwrap();
        fs::write(path("ann/run"), "run").unwrap();
        fs::write(path("ann/sub/more"), "more").unwrap();
        let read = || read_folder(&path("ann"), 3, 7);
        let names = read().unwrap().into_iter().map(|file| file.path);
        assert_eq!(
            names.collect::<Vec<_>>(),
            ["run", "sub/more"].map(PathBuf::from)
        );
        assert!(read_folder(&path("ann"), 2, 7).is_err());
        assert!(read_folder(&path("ann"), 3, 6).is_err());
        symlink(path("secret/sub"), path("ann/link")).unwrap();
        let error = read_folder(&path("ann"), 9, 99).unwrap_err().to_string();
        assert_eq!(
            error,
            "link: expected a file or a folder, found a link or device"
        );
        symlink(path("secret"), path("bob")).unwrap();
        assert!(read_folder(&path("bob"), 9, 99).is_err());
    }

    /// A folder and a link to another one change places all the time.
    #[test]
    fn a_folder_that_becomes_a_link_is_not_followed() {
        use std::sync::atomic::{AtomicBool, Ordering};

        let temporary = tempfile::tempdir().unwrap();
        let path = |name: &str| temporary.path().join(name);
        for (folder, text) in [("ann/sub", "own"), ("secret", "key")] {
            fs::create_dir_all(path(folder)).unwrap();
            fs::write(path(folder).join("file"), text).unwrap();
        }
        symlink(path("secret"), path("link")).unwrap();
        let is_over = AtomicBool::new(false);
        let mut found = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    fs::rename(path("ann/sub"), path("kept")).unwrap();
                    fs::rename(path("link"), path("ann/sub")).unwrap();
                    fs::rename(path("ann/sub"), path("link")).unwrap();
                    fs::rename(path("kept"), path("ann/sub")).unwrap();
                }
            });
            for _ in 0..2000 {
                found.extend(read_folder(&path("ann"), 9, 99).unwrap_or_default());
            }
            is_over.store(true, Ordering::Relaxed);
        });
        assert!(!found.is_empty(), "every look failed");
        assert!(found.iter().all(|file| file.bytes == b"own"), "{found:?}");
    }
}
