//! Output files that a run replaces.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

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

/// Writes a file. A file that exists is replaced only if it begins with the same eight bytes, so that a mistaken path
/// does not overwrite a file of another kind.
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
    fs::write(path, bytes).map_err(io)
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
    }
}
