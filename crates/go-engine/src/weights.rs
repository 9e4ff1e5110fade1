//! Search weights from a file.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use go_search::{ParseWeightsError, Weights};

/// The maximum size of a file of weights in bytes.
const MAX_SIZE: u64 = 64 * boardgame_files::MIB;

/// The weights of a file, used instead of the built-in ones.
///
/// Equality compares paths and checksums.
#[derive(Clone)]
pub struct WeightsFile {
    path: PathBuf,
    weights: Arc<Weights>,
    checksum: u32,
}

/// The error of reading a file of weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum WeightsError {
    /// The file cannot be read, or is too large.
    #[error("{}: {reason}", path.display())]
    Io { path: PathBuf, reason: io::Error },
    /// A line is not a weight.
    #[error("{}, {reason}", path.display())]
    Line {
        path: PathBuf,
        reason: ParseWeightsError,
    },
}

impl WeightsFile {
    /// Reads a file of weights.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or has more than 64 MiB, or if a line is not a weight.
    pub fn read(path: &Path) -> Result<Self, WeightsError> {
        let text = boardgame_files::read_to_string(path, MAX_SIZE).map_err(|reason| {
            let path = path.into();
            WeightsError::Io { path, reason }
        })?;
        let weights: Weights = text.parse().map_err(|reason| {
            let path = path.into();
            WeightsError::Line { path, reason }
        })?;
        Ok(Self {
            path: path.into(),
            checksum: checksum(&weights),
            weights: Arc::new(weights),
        })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns the CRC-32 of the weights in text form, without comments, in their order.
    pub const fn checksum(&self) -> u32 {
        self.checksum
    }
}

/// Computes the CRC-32 of weights in text form.
pub(crate) fn checksum(weights: &Weights) -> u32 {
    crc32fast::hash(weights.to_string().as_bytes())
}

impl PartialEq for WeightsFile {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, self.checksum) == (&other.path, other.checksum)
    }
}

impl Eq for WeightsFile {}

impl fmt::Debug for WeightsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeightsFile")
            .field("path", &self.path)
            .field("checksum", &self.checksum)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_checksum_covers_weights_but_not_comments() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.weights");
        let checksum = |text: &str| {
            fs::write(&path, text).unwrap();
            WeightsFile::read(&path).unwrap().checksum()
        };
        let first = checksum("feature distance-5 1.25\n");
        assert_eq!(checksum("# the first\nfeature distance-5 1.25\n"), first);
        assert_ne!(checksum("feature distance-5 1.5\n"), first);
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.weights");
        let error = || WeightsFile::read(&path).unwrap_err().to_string();
        let name = path.display();
        assert!(error().starts_with(&format!("{name}: ")), "{}", error());
        fs::write(&path, "# weights\nfeature distance-5 0\n").unwrap();
        let expected = format!("{name}, line 2: expected a number from 1e-9 to 1e9");
        assert_eq!(error(), expected);
    }

    #[test]
    fn a_file_that_is_too_large_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.weights");
        fs::File::create(&path)
            .and_then(|file| file.set_len(MAX_SIZE + 1))
            .unwrap();
        let error = WeightsFile::read(&path).unwrap_err();
        assert!(
            matches!(&error, WeightsError::Io { reason, .. } if reason.kind() == io::ErrorKind::FileTooLarge),
            "{error}"
        );
    }
}
