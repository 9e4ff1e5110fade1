//! Checkpoints: files with the numbers of a model and the progress of its fit.
//!
//! A file has `OTHMODEL`, the format (1), the number of completed epochs, the length of a text that
//! identifies the fit, the text, the count of numbers, the numbers in 32-bit floating point, and a
//! CRC-32 of everything before. All numbers are little-endian.

use std::{
    io,
    path::{Path, PathBuf},
};

use boardgame_files::{ReplaceError, replace};

/// The state of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// A text that identifies the fit: all settings and inputs that it depends on.
    pub fit: String,
    /// The number of completed epochs.
    pub epochs: u32,
    /// The [numbers](super::Network::numbers) of the model.
    pub numbers: Vec<f32>,
}

/// An error of reading or writing a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("cannot read the model {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The file cannot be written, or there is one of another kind.
    #[error(transparent)]
    Replace(#[from] ReplaceError),
    /// The contents are invalid.
    #[error("{}: {error}", path.display())]
    Damaged { path: PathBuf, error: DecodeError },
}

/// The error of the contents of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes do not begin with `OTHMODEL`.
    #[error("expected a model, which begins with OTHMODEL")]
    Magic,
    /// The format is unknown.
    #[error("expected a model of format {FORMAT}, found {format}")]
    Format {
        /// The format in the file.
        format: u32,
    },
    /// The length does not match the counts in the file.
    #[error("expected the length that follows from the model's counts, found {length} bytes")]
    Length {
        /// The number of bytes.
        length: usize,
    },
    /// The checksum does not match.
    #[error("expected the checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// The checksum of the bytes.
        expected: u32,
        /// The checksum in the file.
        found: u32,
    },
}

const FORMAT: u32 = 1;

impl Checkpoint {
    /// The first bytes of a file.
    pub const MAGIC: &[u8; 8] = b"OTHMODEL";

    /// The maximum size of a file in bytes, several times that of any model.
    pub const MAX_BYTES: u64 = 1024 * boardgame_files::MIB;

    /// Reads a checkpoint.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or its contents are invalid.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let read = boardgame_files::read(path, Self::MAX_BYTES);
        let bytes = read.map_err(|source| CheckpointError::Io {
            path: path.into(),
            source,
        })?;
        Self::decode(&bytes).map_err(|error| CheckpointError::Damaged {
            path: path.into(),
            error,
        })
    }

    /// Writes the checkpoint. A model that exists is replaced atomically.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written, or there is one that is no model.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        Ok(replace(path, &self.encode())?)
    }

    /// A checksum of the checkpoint, by which a later fit identifies its start.
    pub fn signature(&self) -> u32 {
        crc32fast::hash(&self.body())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.body();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The contents without the checksum.
    fn body(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32 + self.fit.len() + self.numbers.len() * 4);
        bytes.extend(Self::MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(self.epochs.to_le_bytes());
        bytes.extend((self.fit.len() as u32).to_le_bytes());
        bytes.extend(self.fit.as_bytes());
        bytes.extend((self.numbers.len() as u32).to_le_bytes());
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let length = DecodeError::Length {
            length: bytes.len(),
        };
        let rest = bytes.strip_prefix(Self::MAGIC).ok_or(DecodeError::Magic)?;
        let (format, _) = word(rest).ok_or(length)?;
        if format != FORMAT {
            return Err(DecodeError::Format { format });
        }
        let (body, stored) = bytes.split_last_chunk().ok_or(length)?;
        let (expected, found) = (crc32fast::hash(body), u32::from_le_bytes(*stored));
        if expected != found {
            return Err(DecodeError::Checksum { expected, found });
        }
        Self::parts(&body[Self::MAGIC.len() + 4..]).ok_or(length)
    }

    /// Decodes the part after the format.
    fn parts(bytes: &[u8]) -> Option<Self> {
        let (epochs, rest) = word(bytes)?;
        let (length, rest) = word(rest)?;
        let (fit, rest) = rest.split_at_checked(length as usize)?;
        let (count, rest) = word(rest)?;
        let (numbers, _) = rest.as_chunks();
        (rest.len() == count as usize * 4).then(|| Self {
            fit: String::from_utf8_lossy(fit).into_owned(),
            epochs,
            numbers: numbers.iter().copied().map(f32::from_le_bytes).collect(),
        })
    }
}

fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*word), rest))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_checkpoint_round_trips_and_damage_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.model");
        let checkpoint = Checkpoint {
            fit: "network of 2, seed 1".to_owned(),
            epochs: 3,
            numbers: vec![1.5, -0.25, f32::MIN_POSITIVE],
        };
        checkpoint.write(&path).unwrap();
        checkpoint.write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), checkpoint);
        let whole = fs::read(&path).unwrap();
        let other = Checkpoint {
            epochs: 2,
            ..checkpoint.clone()
        };
        assert_ne!(other.signature(), checkpoint.signature());
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            Checkpoint::decode(&changed).unwrap_err();
            Checkpoint::decode(&whole[..at]).unwrap_err();
        }
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let error = Checkpoint::read(&path).unwrap_err().to_string();
            error.replace(&path.display().to_string(), "FILE")
        };
        assert_eq!(
            refused(b"OTHGAMES"),
            "FILE: expected a model, which begins with OTHMODEL"
        );
        assert_eq!(
            refused(b"OTHMODEL\x02\0\0\0"),
            "FILE: expected a model of format 1, found 2"
        );
        // Neither another file nor one beside the model is overwritten.
        fs::write(&path, "my only notes").unwrap();
        let error = checkpoint.write(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::Replace(_)), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"my only notes");
        let (other, beside) = (
            folder.path().join("b.model"),
            folder.path().join("b.model.new"),
        );
        fs::write(&beside, "my only notes").unwrap();
        checkpoint.write(&other).unwrap();
        assert_eq!(fs::read(&beside).unwrap(), b"my only notes");
        let short = refused(&whole[..30]);
        assert!(short.starts_with("FILE: expected the checksum "), "{short}");
    }
}
