//! Lines of a file that another process may be writing.

use std::{
    fs::File,
    io::{self, ErrorKind, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use crate::TooLarge;

/// The complete lines of a file to which another process may append, each returned once.
///
/// # Examples
///
/// ```
/// use boardgame_files::{AppendFile, AppendOptions, LineFollower};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("log");
/// let mut file = AppendFile::open(&path, AppendOptions::default())?;
/// file.append(b"one\ntw")?;
///
/// let mut follower = LineFollower::new(&path);
/// assert_eq!(follower.read(1 << 20)?, [b"one"]);
/// file.append(b"o\n")?;
/// assert_eq!(follower.read(1 << 20)?, [b"two"]);
/// assert!(follower.read(1 << 20)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LineFollower {
    path: PathBuf,
    /// The number of bytes in the returned lines.
    offset: u64,
}

/// The cause of an error: the file has lost bytes that were already read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the file to grow, found {found} bytes after {read} were read")]
pub struct Truncated {
    /// The number of bytes already read.
    pub read: u64,
    /// The length of the file in bytes.
    pub found: u64,
}

impl LineFollower {
    /// Returns a follower that has read nothing yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            offset: 0,
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the next complete lines without their newlines, up to `max` bytes plus a last newline; none if there are
    /// no more yet.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is shorter than before, or has a line of more than `max` bytes, not counting
    /// its newline.
    pub fn read(&mut self, max: u64) -> io::Result<Vec<Vec<u8>>> {
        let mut file = File::open(&self.path)?;
        let found = file.metadata()?.len();
        if found < self.offset {
            let read = self.offset;
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                Truncated { read, found },
            ));
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
        let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') else {
            return if bytes.len() as u64 <= max {
                Ok(Vec::new())
            } else {
                Err(io::Error::new(ErrorKind::FileTooLarge, TooLarge { max }))
            };
        };
        self.offset += end as u64 + 1;
        let lines = bytes[..end].split(|&byte| byte == b'\n');
        Ok(lines.map(<[u8]>::to_vec).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_come_in_pieces_of_a_bounded_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, "1\n22\n\n333\n4444").unwrap();
        let mut follower = LineFollower::new(&path);
        assert_eq!(follower.read(6).unwrap(), [&b"1"[..], b"22", b""]);
        assert_eq!(follower.read(6).unwrap(), [b"333"]);
        assert!(follower.read(6).unwrap().is_empty());
        assert!(follower.read(4).unwrap().is_empty());
        let error = follower.read(3).unwrap_err();
        assert_eq!(error.to_string(), "expected at most 3 bytes, found more");
        fs::write(&path, "1\n22\n\n333\n4444\n").unwrap();
        assert_eq!(follower.read(4).unwrap(), [b"4444"]);
    }

    #[test]
    fn a_file_that_was_truncated_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, "1\n2\n").unwrap();
        let mut follower = LineFollower::new(&path);
        assert_eq!(follower.read(9).unwrap().len(), 2);
        fs::write(&path, "1\n").unwrap();
        let error = follower.read(9).unwrap_err().to_string();
        assert_eq!(
            error,
            "expected the file to grow, found 2 bytes after 4 were read"
        );
    }
}
