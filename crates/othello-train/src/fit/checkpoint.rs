//! A fit on the disk: the numbers of a model, and how far its fit has come.
//!
//! All numbers are little-endian: `OTHMODEL`, the format (1), the epochs done, the length of a
//! text that says what fit it is, the text, how many numbers the model has, the numbers in 32-bit
//! floating point, and a CRC-32 of all before.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// How far a fit has come, and what it has learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What fit it is: two are the same only if these are equal.
    pub fit: String,
    /// How many epochs are done.
    pub epochs: u32,
    /// The [numbers](super::Model::numbers) of the model.
    pub numbers: Vec<f32>,
}

/// A file that is not the checkpoint that was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The system does not let it be read or written.
    #[error("cannot use the model {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is not as it was written.
    #[error("{}: {fault}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: Fault,
    },
}

/// What is wrong with the bytes of a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Not a model.
    #[error("expected a model, which begins with OTHMODEL")]
    Magic,
    /// Another format.
    #[error("expected a model of format {FORMAT}, found {format}")]
    Format {
        /// Its format.
        format: u32,
    },
    /// Bytes are missing, or too many.
    #[error("expected as many bytes as the model's own counts tell, found {length}")]
    Length {
        /// The bytes there are.
        length: usize,
    },
    /// The bytes are not those that were written.
    #[error("expected the checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// That of the bytes.
        expected: u32,
        /// The one told.
        found: u32,
    },
}

const MAGIC: &[u8; 8] = b"OTHMODEL";
const FORMAT: u32 = 1;

impl Checkpoint {
    /// The bytes that a file may have, several times as many as any has.
    pub const MAX_BYTES: u64 = 1024 * othello_files::MIB;

    /// Reads a checkpoint.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not as it was written.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let read = othello_files::read(path, Self::MAX_BYTES);
        let bytes = read.map_err(|source| CheckpointError::io(path, source))?;
        Self::decode(&bytes).map_err(|fault| CheckpointError::Damaged {
            path: path.into(),
            fault,
        })
    }

    /// Writes the checkpoint in the place of any that was there, which stays until this one is
    /// whole.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        let new = PathBuf::from(name);
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(&self.encode())?;
            file.sync_data()?;
            fs::rename(&new, path)
        };
        write().map_err(|source| CheckpointError::io(path, source))
    }

    /// A checksum over all of it, by which a later fit names the one that it started from.
    pub fn signature(&self) -> u32 {
        crc32fast::hash(&self.body())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.body();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The bytes before the checksum.
    fn body(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32 + self.fit.len() + self.numbers.len() * 4);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(self.epochs.to_le_bytes());
        bytes.extend((self.fit.len() as u32).to_le_bytes());
        bytes.extend(self.fit.as_bytes());
        bytes.extend((self.numbers.len() as u32).to_le_bytes());
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Self, Fault> {
        let length = Fault::Length {
            length: bytes.len(),
        };
        let rest = bytes.strip_prefix(MAGIC).ok_or(Fault::Magic)?;
        let (format, _) = word(rest).ok_or(length)?;
        if format != FORMAT {
            return Err(Fault::Format { format });
        }
        let (whole, told) = bytes.split_last_chunk().ok_or(length)?;
        let (expected, found) = (crc32fast::hash(whole), u32::from_le_bytes(*told));
        if expected != found {
            return Err(Fault::Checksum { expected, found });
        }
        Self::parts(&whole[MAGIC.len() + 4..]).ok_or(length)
    }

    /// What follows the format.
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

impl CheckpointError {
    fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_reads_back_and_any_damage_is_found() {
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
        let short = refused(&whole[..30]);
        assert!(short.starts_with("FILE: expected the checksum "), "{short}");
    }
}
